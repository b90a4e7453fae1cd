#!/bin/sh
# For a machine with an NVIDIA GPU and nothing but the CUDA libraries: builds the benchmark, holds every operation on the
# GPU against the reference, runs --quick, and compares products and convolutions with PyTorch where it is there.
#   sh tests/gpu-check.sh [FOLDER]      FOLDER: for the build and the results (build-gpu-check)
# Ends within 8 minutes (SECONDS_ALL=480). Exit: 0 all good; 1 something is wrong; 2 it could not be built;
# 3 no GPU here: built and tried as far as that goes.
set -u
cd "$(dirname "$0")/.." || exit 2
out=${1:-build-gpu-check}
begin=$(date +%s)
all=${SECONDS_ALL:-480}
left() { echo $((all - ($(date +%s) - begin))); }
say() { printf '%s\n' "$*"; }
mkdir -p "$out" || exit 2

say "== build ($out)"
if ! make -f collect/bench/bench.mk BUILD="$out" -j"$(getconf _NPROCESSORS_ONLN)" bench-program >"$out/build.log" 2>&1; then
	tail -n 20 "$out/build.log"
	say "the build failed: $out/build.log"
	exit 2
fi
bench=$out/gpuguide-bench
say "built in $(($(date +%s) - begin)) s: $(cd "$out" && echo gpuguide-bench*)"

# Without a device this is where it ends, with the reason and what a machine without one can show.
if ! "$bench" -b cuda --dry-run --quick >"$out/dry.txt" 2>"$out/dry.err"; then
	sed 's/^/   /' "$out/dry.err"
	say "== no GPU: the null device instead"
	"$bench" -b null --dry-run --quick >"$out/dry.txt" 2>/dev/null && tail -n 1 "$out/dry.txt"
	rm -f "$out"/none.*
	"$bench" -b null --quick -q -o "$out/none.csv" || exit 1
	say "$(($(wc -l <"$out/none.csv") - 1)) rows written by the null device"
	say "NO GPU: the program builds and runs; nothing was measured or verified on a GPU"
	exit 3
fi
sed 's/^/   /' "$out/dry.err"

bad=0
# Few samples a step, so that the reference keeps up; the largest networks last, as long as there is time.
say "== every operation against the reference"
rm -f "$out"/check.*
for group in gemm cnn rnn bert-base-s128 llama-2-7b-tg1-d512 transformerxl-base memory transfer allreduce; do
	[ "$(left)" -gt 210 ] || { say "   $group: no time left, not verified"; continue; }
	timeout "$(($(left) - 180))" "$bench" -b cuda -V --quick -w $group -o "$out/check.csv" --resume 2>"$out/check.err"
	status=$?
	[ $status = 0 ] || bad=1
	[ $status != 124 ] || say "   $group: stopped for time"
	grep -E 'wrong-result|failed|device-lost|unsupported' "$out/check.err" | sed 's/^/   /'
done
awk -F, 'NR > 1 { k = $2 " " $4; n[k] += $5; if ($7 + 0 > e[k]) { e[k] = $7 + 0; t[k] = $8 } }
	END { for (k in n) printf "   %-26s %4d checked, largest error %8.2g of %g allowed\n", k, n[k], e[k], t[k] }' \
	"$out/check.checks.txt" | sort

say "== quick run"
rm -f "$out"/quick.*
timeout "$(($(left) - 60))" "$bench" -b cuda --quick -o "$out/quick.csv" 2>"$out/quick.err" || bad=1
tail -n 1 "$out/quick.err"

# The peer: the same products and convolutions, median of 11 samples of 20 ms and more.
say "== PyTorch"
cat >"$out/peer.py" <<'PY'
import statistics, sys, time
try:
    import torch, torch.nn.grad as grad
except ImportError:
    sys.exit(3)
if not torch.cuda.is_available():
    sys.exit(3)
torch.backends.cudnn.benchmark = True
def rate(f, flop):
    f(); torch.cuda.synchronize()
    start = time.perf_counter(); f(); torch.cuda.synchronize()
    n = max(1, int(0.02 / max(time.perf_counter() - start, 1e-6)))
    samples = []
    for _ in range(11):
        a, b = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        a.record()
        for _ in range(n):
            f()
        b.record(); torch.cuda.synchronize()
        samples.append(a.elapsed_time(b) * 1e-3 / n)
    return flop / statistics.median(samples) * 1e-12
types = {"fp32": (torch.float32, False), "tf32": (torch.float32, True), "fp16": (torch.float16, True), "bf16": (torch.bfloat16, True)}
for name, (dtype, tf32) in types.items():
    torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = tf32
    try:
        for n in (1024, 2048, 4096, 8192):
            a, b = (torch.randn(n, n, device="cuda", dtype=dtype) / n ** 0.25 for _ in range(2))
            print(f"gemm-{n}x{n}x{n},{name},{rate(lambda: torch.matmul(a, b.t()), 2 * n ** 3):.4g}")
        x = torch.randn(64, 64, 56, 56, device="cuda", dtype=dtype).to(memory_format=torch.channels_last)
        w = (torch.randn(64, 64, 3, 3, device="cuda", dtype=dtype) / 24).to(memory_format=torch.channels_last)
        y = torch.nn.functional.conv2d(x, w, padding=1)
        flop = 2 * 64 * 115605504
        base = "conv-56x56x64-k64-f3x3-s1x1-b64-"
        print(f"{base}fwd,{name},{rate(lambda: torch.nn.functional.conv2d(x, w, padding=1), flop):.4g}")
        print(f"{base}bwd-inputs,{name},{rate(lambda: grad.conv2d_input(x.shape, w, y, padding=1), flop):.4g}")
        print(f"{base}bwd-params,{name},{rate(lambda: grad.conv2d_weight(x, w.shape, y, padding=1), flop):.4g}")
    except RuntimeError as e:
        print(f"# {name}: {str(e).splitlines()[0]}", file=sys.stderr)
PY
: >"$out/peer.csv"
if [ "$(left)" -gt 15 ]; then
	timeout "$(left)" python3 "$out/peer.py" >"$out/peer.csv" 2>"$out/peer.err"
	status=$?
	[ $status != 3 ] && [ $status != 127 ] || say "   not here: rates stand alone"
fi

say "== table (rates of the quick run; share of the roofline; of PyTorch's rate)"
awk -F, 'FNR == NR { peer[$1 "," $2] = $3; next }
	FNR > 1 && $3 == "done" { k = $1 "," $2
		printf "%-40s %-5s %12.5g %-12s %5.0f %%", $1, $2, $6, $5, 100 * $20
		if (k in peer) { printf "  %5.2f of PyTorch", $6 / peer[k]; if ($6 < 0.85 * peer[k]) printf "  SLOW" }
		print "" }
	FNR > 1 && $3 != "done" { printf "%-40s %-5s %s\n", $1, $2, $3 }' "$out/peer.csv" "$out/quick.results.txt"
say "took $(($(date +%s) - begin)) s; files in $out"
[ $bad = 0 ] && say "GOOD" || say "SOMETHING IS WRONG: see above and $out"
exit $bad
