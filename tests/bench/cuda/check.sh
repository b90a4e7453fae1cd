#!/bin/sh
# The CUDA backend without a card: on the stand-in (verify, faults), its kernels by the real NVRTC and its graphs by the
# real cuDNN for cards that are not here, and the program with the plug-in as somebody without a driver sees it.
#   sh tests/bench/cuda/check.sh BUILD [all]     all: every shape and slow plan (minutes)
# Where CUDA is not installed nothing was built: skipped, with a word.
set -u
build=$(cd "$1" && pwd)
all=${2:-}
. tests/tap.sh
here=$build/bench-cuda/tests
bench=$build/gpuguide-bench
if [ ! -x "$here/verify" ]; then
	echo 'ok 1 - # SKIP the CUDA libraries are not installed: the CUDA backend is not built'
	echo '1..1'
	exit 0
fi
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
unset STANDIN GPUGUIDE_BENCH_BACKENDS
export LC_ALL=C

# Libraries that are opened by name: the stand-in under every name; and files that are none.
mkdir "$tmp/lib" "$tmp/none" "$tmp/driver"
for l in libcuda.so.1 libnvrtc.so.13 libnvidia-ml.so.1 libnccl.so.2; do ln -s "$here/libstandin.so" "$tmp/lib/$l"; done
ln -s "$here/libstandin.so" "$tmp/none/libcuda.so.1"
for l in libnvrtc.so.13 libnvrtc.so.12 libnvrtc.so.11.2 libnvrtc.so libnvidia-ml.so.1 libnccl.so.2 libnccl.so; do : >"$tmp/none/$l"; done

# Their lines go on in our count.
lines() { # NAME STATUS
	while read -r line; do
		case $line in
		'ok '*) check 0 "$1: ${line#ok * - }" ;;
		'not ok '*) check 1 "$1: ${line#not ok * - }" ;;
		'Bail out'*) check 1 "$1: $line" ;;
		esac
	done <"$tmp/log"
	[ "$2" -le 1 ]; check $? "$1: ran to its end"
}
LD_LIBRARY_PATH=$tmp/lib "$here/verify" "$here/gpuguide-bench-cuda.so" $all >"$tmp/log" 2>&1; lines verify $?
LD_LIBRARY_PATH=$tmp/lib "$here/faults" "$here/gpuguide-bench-cuda.so" >"$tmp/log" 2>&1; lines faults $?
LD_LIBRARY_PATH=$tmp/none "$here/faults" "$here/gpuguide-bench-cuda.so" missing >"$tmp/log" 2>&1; lines missing $?

# The real libraries; the toolkit's stub of the driver is enough for them.
stub=
for d in "${CUDA_HOME:-}" "${CUDA_PATH:-}" /usr/local/cuda /opt/cuda; do
	for f in "$d/lib64/stubs/libcuda.so" "$d/targets/x86_64-linux/lib/stubs/libcuda.so"; do [ -z "$stub" ] && [ -e "$f" ] && stub=$f; done
done
if [ -n "$stub" ]; then
	ln -s "$stub" "$tmp/driver/libcuda.so.1"
	mode=quick; [ -n "$all" ] && mode=all
	LD_LIBRARY_PATH=$tmp/driver "$here/graph" $mode >"$tmp/log" 2>&1; lines graph $?
else
	echo '# no stub of the driver: graphs are not built'
fi

# The program: no driver here (or a driver, which is as good), then the stand-in as a card.
if ! ldconfig -p 2>/dev/null | grep -q 'libcuda\.so\.1'; then
	"$bench" -b cuda -n >"$tmp/out" 2>"$tmp/err"; [ $? = 2 ]; check $? 'no driver: exit 2'
	grep -q 'no NVIDIA driver on this machine' "$tmp/err"; check $? 'no driver: says so'
fi
card() { # FAULTS OPTION...: the program with the stand-in
	faults=$1; shift
	STANDIN=$faults LD_LIBRARY_PATH=$tmp/lib GPUGUIDE_BENCH_BACKENDS=$here "$bench" -b cuda "$@" >"$tmp/out" 2>"$tmp/err"
}
rows() { echo $(($(wc -l <"$1") - 1)); }
card '' -k -w gemm-256x256x256 -p fp16 -t 0.2 -o "$tmp/good.csv"; cp "$tmp/err" "$tmp/good.err"
grep -q 'gemm-256x256x256' "$tmp"/good.*; check $? 'stand-in as a card: a product is measured'
for fault in 'product:0:1 is.not.a.number' 'product:0:2 where.the.reference.has' 'cublasLtMatmul:0:13 candidates.runs' 'cudaMalloc:3:2 no.room'; do
	name=${fault%% *}
	card "$name" -k -w gemm-1024x1024x1024 -p fp16 -t 0.2 -o "$tmp/$name.csv"
	grep -q "${fault#* }" "$tmp/err" "$tmp/$name".*; check $? "stand-in, $name: says why"
	[ "$(grep -c 'tflops,[1-9]' "$tmp/$name.csv")" = 0 ]; check $? "stand-in, $name: no row"
done
echo "1..$n"
exit $bad
