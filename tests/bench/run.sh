#!/bin/sh
# The benchmark program: its unit tests, then whole runs on the null device as a contributor makes them.
#   sh tests/bench/run.sh BUILD      BUILD/gpuguide-bench and BUILD/gpuguide are there (the latter: else skipped)
set -u
build=$(cd "$1" && pwd)
. tests/tap.sh
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
bench=$build/gpuguide-bench
unset GPUGUIDE_BENCH_NULL GPUGUIDE_BENCH_BACKENDS
export LC_ALL=C

# Their lines go on in our count.
for program in "$build"/bench/tests/*_test; do
	"$program" >"$tmp/log" 2>&1 </dev/null
	status=$?
	name=$(basename "$program" _test)
	while read -r line; do
		case $line in
		'ok '*) check 0 "$name: ${line#ok * - }" ;;
		'not ok '*) check 1 "$name: ${line#not ok * - }" ;;
		'# '*) echo "$line" ;;
		esac
	done <"$tmp/log"
	[ $status -le 1 ]
	check $? "$name: ran to its end"
done

null() { options=$1; shift; GPUGUIDE_BENCH_NULL=$options "$bench" -b null "$@" >"$tmp/out" 2>"$tmp/err"; }
says() { grep -qF -- "$1" "$tmp/err"; check $? "$2"; }
rows() { echo $(($(wc -l <"$1") - 1)); }

# Nothing but libc; a sanitizer brings libraries of its own.
if nm "$bench" 2>/dev/null | grep -q __asan_; then
	echo '# built with a sanitizer: what it needs is not asked'
else
	needed=$(readelf -d "$bench" | sed -n 's/.*NEEDED.*\[\(.*\)\].*/\1/p' | grep -cvE '^lib(c|m|dl|pthread)\.so')
	[ "$needed" = 0 ]; check $? 'the program needs libc only'
fi

"$bench" --list >"$tmp/out"; check $? 'list'
grep -q '^resnet50  *fp16  *64  *1555.141 ' "$tmp/out"; check $? 'list: work of a step'
"$bench" --help >"$tmp/out" && grep -q -- '--dry-run' "$tmp/out"; check $? 'help'
"$bench" --version | grep -q '^gpuguide-bench [0-9]'; check $? 'version'

# No backend at all: a message, exit 2, no file.
mkdir "$tmp/empty"
(cd "$tmp/empty" && GPUGUIDE_BENCH_BACKENDS=$tmp/empty "$bench" >../out 2>../err)
[ $? = 2 ]; check $? 'no device: exit 2'
says 'no device to measure: cuda: there is no' 'no device: says why'
[ -z "$(ls "$tmp/empty")" ]; check $? 'no device: leaves no file'
"$bench" -b rocm 2>"$tmp/err"; [ $? = 2 ]; check $? 'unknown backend: exit 2'
"$bench" -b null -d 3 2>"$tmp/err"; [ $? = 2 ]; check $? 'no such device: exit 2'
says '--device: 3, but null has 1 (0 is the first)' 'no such device: says so'

# Plug-ins that are none, or of another version.
if have "${CC:-cc}"; then
	mkdir "$tmp/plug"
	plug() { # NAME SOURCE WORDS
		echo "$2" >"$tmp/plug/p.c"
		"${CC:-cc}" -shared -fPIC -I collect/bench -o "$tmp/plug/gpuguide-bench-cuda.so" "$tmp/plug/p.c"
		GPUGUIDE_BENCH_BACKENDS=$tmp/plug "$bench" -b cuda -o "$tmp/plug/x.csv" 2>"$tmp/err"
		[ $? = 2 ] && [ ! -e "$tmp/plug/x.csv" ]; check $? "plug-in $1: exit 2"
		says "$3" "plug-in $1: says so"
	}
	head='#include "backend.h"
static struct backend b = { .abi = BENCH_ABI, .name = "cuda" };
static int none(struct bench_error *why) { why->msg[0] = 0; return 0; }
const struct backend *bench_backend_get(void) {'
	plug 'without the symbol' 'int x;' 'undefined symbol: bench_backend_get'
	plug 'without a backend' "$head (void)none; (void)b; return 0; }" 'the plug-in gives no backend'
	plug 'of another version' "$head (void)none; b.abi = 99; return &b; }" 'another version (interface 99, wanted 1); build both together'
	plug 'of another name' "$head (void)none; b.name = \"rocm\"; return &b; }" "the plug-in says it is 'rocm'"
	plug 'without a device' "$head b.devices = none; return &b; }" 'cuda: no device'
	plug 'of missing libraries' 'extern int gone(void); int x(void) { return gone(); }' 'undefined symbol: gone'
	half() { head -c 3000 "$tmp/plug/gpuguide-bench-cuda.so" >"$tmp/half" && cat "$tmp/half" >"$tmp/plug/gpuguide-bench-cuda.so"; }
	half
	GPUGUIDE_BENCH_BACKENDS=$tmp/plug "$bench" -b cuda -n 2>"$tmp/err"; [ $? = 2 ]; check $? 'plug-in cut off: exit 2'
	says 'is cut off; build it again' 'plug-in cut off: says so'
	chmod 777 "$tmp/plug"
	GPUGUIDE_BENCH_BACKENDS=$tmp/plug "$bench" -b cuda -n 2>"$tmp/err"; [ $? = 2 ]; check $? 'plug-in in a folder of anybody: exit 2'
	says "anybody may write $tmp/plug; a plug-in there is not run" 'plug-in in a folder of anybody: says so'
	chmod 700 "$tmp/plug"
fi

null '' --dry-run -w cnn; check $? 'dry run'
grep -q '^resnet50 .*fp16 ' "$tmp/out" && grep -q 'and the verification$' "$tmp/out"; check $? 'dry run: table and time'
null '' -n -w transformerxl-large -B 4000 && grep -q 'does not fit into 64.0 GB' "$tmp/out"; check $? 'dry run: what does not fit'

# A whole quick run, and collect takes every row of it.
series=$tmp/gpuguide-bench-0.1.0
mkdir "$series"
null 'device=RTX 2080 Ti,power,graph' --quick -o "$series/m.csv"; check $? 'quick run'
says 'the contribution is' 'quick run: says where it is'
[ -s "$series/m.results.txt" ] && [ -s "$series/m.steps.txt" ] && [ -s "$series/m.system.txt" ] && [ -e "$series/m.checks.txt" ]
check $? 'quick run: side files'
! grep -qwF "$(uname -n)" "$series"/m.*; check $? 'quick run: nowhere the name of the machine'
[ "$(rows "$series/m.csv")" -gt 100 ]; check $? 'quick run: more than 100 rows'
grep -q ',throughput-graph,.*; quick"' "$series/m.csv"; check $? 'quick run: its rows are marked'
grep -q '^resnet50,fp16,done,64,' "$series/m.results.txt"; check $? 'quick run: results'
if [ -x "$build/gpuguide" ]; then
	"$build/gpuguide" collect -o "$tmp/col" "$series" >"$tmp/out" 2>"$tmp/err"; check $? 'collect takes it'
	grep -q "$(rows "$series/m.csv") rows: $(rows "$series/m.csv") accepted, 0 rejected, 0 set aside" "$tmp/out" "$tmp/err"
	check $? 'collect: every row'
	grep -q '^RTX 2080 Ti,cnn,resnet50,fp16,1,gpuguide-bench-0.1.0,' "$tmp/col/data/observations.csv"
	check $? 'collect: an observation'
	null 'device=RTX 2080 Ti' -t 0.1 -o "$series/f.csv"; check $? 'full run'
	"$build/gpuguide" collect -o "$tmp/col" "$series/f.csv" >"$tmp/out" 2>&1; check $? 'collect takes the full run'
	grep -q ' 0 rejected' "$tmp/out"; check $? 'collect: every row of the full run'
	"$build/gpuguide" bench --version | grep -q '^gpuguide-bench'; check $? 'gpuguide bench runs it'
	"$build/gpuguide" bench --fast 2>"$tmp/err"; [ $? = 2 ]; check $? 'gpuguide bench: its exit status'
fi

# Out of memory is a fact: value 0 with batch 0.
null 'device=RTX 2080 Ti,oom=resnet50' --quick -w resnet50 -p fp32 -o "$tmp/oom.csv"; check $? 'out of memory: exit 0'
grep -q ',resnet50,fp32,0,throughput,0,images/s,' "$tmp/oom.csv"; check $? 'out of memory: a row of 0 and 0'
says 'did-not-fit: null: ' 'out of memory: says so'
if [ -x "$build/gpuguide" ]; then
	"$build/gpuguide" collect -o "$tmp/col" "$tmp/oom.csv" >"$tmp/out" 2>&1
	grep -q 'did-not-fit' "$tmp/col/data/rejects.csv"; check $? 'collect: a fact about memory'
fi

# Faults: a message, exit 1, no row.
fault() { null "$1" -k -w "$2" -p fp16 -o "$tmp/$3.csv"; [ $? = 1 ] && [ "$(rows "$tmp/$3.csv")" = 0 ]; check $? "$4: exit 1, no row"; says "$5" "$4: message"; }
fault compute,nan gemm-1024x1024x1024 nan 'not a number' 'is not a number'
fault compute,wrong gemm-1024x1024x1024 wrong 'wrong result' 'where the reference has'
fault fast bert-base-s128 fast 'too fast' 'above-roofline'
fault fail resnet50 fail 'failing launch' 'failed: null: launch failed'
fault lost resnet50 lost 'lost device' 'device-lost: null: the device is lost'
null 'throttle' -k -w resnet50 -p fp16 -o "$tmp/hot.csv"
grep -q 'throttled"\{0,1\}$' "$tmp/hot.csv"; check $? 'throttled: marked'
null '' -k -w resnet50 -p fp16 -B 8 -o "$tmp/b8.csv"
[ "$(rows "$tmp/b8.csv")" = 0 ] && grep -q '^resnet50,fp16,done,8,' "$tmp/b8.results.txt"; check $? 'another batch: no contribution'

# A file is never written over; --resume goes on.
null '' -k -w resnet50 -p fp16 -o "$tmp/b8.csv"; [ $? = 2 ]; check $? 'a file that is there: exit 2'
says '--resume goes on from it' 'a file that is there: says what to do'
null 'fail=bilstm-word' -k -p fp16 -w resnet50 -w bilstm-word -w bilstm-char -o "$tmp/r.csv"
[ "$(rows "$tmp/r.csv")" = 2 ]; check $? 'resume: one failed'
cp "$tmp/r.csv" "$tmp/before.csv"
null '' -k -p fp16 -w resnet50 -w bilstm-word -w bilstm-char -o "$tmp/r.csv" --resume
[ "$(rows "$tmp/r.csv")" = 3 ] && [ "$(rows "$tmp/r.results.txt")" = 3 ]; check $? 'resume: only that is run'
[ "$(grep -c resnet50 "$tmp/r.csv")" = 1 ] && head -n 2 "$tmp/r.csv" | cmp -s - "$tmp/before.csv" || head -n 3 "$tmp/r.csv" | cmp -s - "$tmp/before.csv"
check $? 'resume: what was there stays'

# Killed while it runs: a valid file, and --resume ends it.
(GPUGUIDE_BENCH_NULL= exec "$bench" -b null -q -t 0.1 -o "$tmp/k.csv") & pid=$!
i=0; while [ ! -s "$tmp/k.csv" ] || [ "$(rows "$tmp/k.csv")" -lt 3 ]; do i=$((i + 1)); [ $i -gt 100 ] && break; sleep 0.05; done
kill -9 $pid; wait $pid 2>/dev/null
[ "$(head -c 8 "$tmp/k.csv")" = machine, ] && [ "$(tail -c 1 "$tmp/k.csv" | od -An -c | tr -d ' ')" = '\n' ]
check $? 'killed: the file is whole'
kept=$(rows "$tmp/k.csv")
null '' -q -t 0.1 -w gemm -o "$tmp/k.csv" --resume; check $? 'killed: resumed'
[ "$(rows "$tmp/k.csv")" -ge "$kept" ] && [ "$(cut -d, -f6,7,9 "$tmp/k.csv" | sort | uniq -d | wc -l)" = 0 ]
check $? 'killed: nothing is there twice'

# Stopped from outside: says how to go on. (SIGTERM: a shell's background jobs ignore Ctrl-C.)
(GPUGUIDE_BENCH_NULL= exec "$bench" -b null -o "$tmp/i.csv" >"$tmp/out" 2>"$tmp/err") & pid=$!
i=0; while [ ! -s "$tmp/i.csv" ] || [ "$(rows "$tmp/i.csv")" -lt 2 ]; do i=$((i + 1)); [ $i -gt 100 ] && break; sleep 0.05; done
# while it runs nobody else writes there
GPUGUIDE_BENCH_NULL= "$bench" -b null -o "$tmp/i.csv" 2>/dev/null
GPUGUIDE_BENCH_NULL= "$bench" -b null -o "$tmp/i.csv" --resume 2>"$tmp/err2"
[ $? = 3 ] && grep -qF 'i.csv: another run is writing it' "$tmp/err2"; check $? 'two runs into one file: exit 3, and says so'
kill -TERM $pid; wait $pid 2>/dev/null; [ $? = 143 ]; check $? 'stopped: by the signal'
says "stopped; what was measured stands in $tmp/i.csv, --resume goes on" 'stopped: says how to go on'
[ "$(head -c 8 "$tmp/i.csv")" = machine, ]; check $? 'stopped: the file is whole'

# Rows of two runs that differ do not go into one file.
null '' -k -w resnet50 -p fp16 -o "$tmp/w.csv"
cp "$tmp/w.csv" "$tmp/w.before"
other() { what=$1; words=$2; opts=$3; shift 3; null "$opts" "$@" -w resnet50 -o "$tmp/w.csv" --resume; [ $? = 2 ] && cmp -s "$tmp/w.csv" "$tmp/w.before"; check $? "resume with $what: exit 2, the file stays"; says "$words" "resume with $what: says so"; }
other 'another kind of run' "w.csv: is of run 'quick' by $tmp/w.system.txt, here it is 'full'; -o names another file" ''
other 'another machine' "here it is 'me'" '' -k -m me
other 'another device' "is of device 'null' by" device=RTX -k -m "$(sed -n 's/^machine,//p' "$tmp/w.system.txt")"
other 'another batch' "here it is 'quick, batch 8'" '' -k -B 8
sed -i 's/gpuguide-bench 0.1.0/gpuguide-bench 0.0.9/' "$tmp/w.system.txt"
other 'another version' "is of program 'gpuguide-bench 0.0.9'" '' -k
rm "$tmp/w.system.txt"
other 'no description' 'does not say; -o names another file' '' -k
null '' -V -q -w resnet50 -p fp16 -o "$tmp/v.csv"; null '' -V -q -w gemm -p fp16 -o "$tmp/v.csv" --resume
grep -q '^resnet50,fp16,verified' "$tmp/v.results.txt" && grep -q '^gemm-1024.*,verified' "$tmp/v.results.txt"
check $? 'verification in parts: all stay'

# Less time than the rules want is marked as a quick run is; a full one has the warm device too.
null 'graph' -t 0.1 -w resnet50 -p fp16 -o "$tmp/t1.csv"; grep -q '; quick' "$tmp/t1.csv" && ! grep -q sustained, "$tmp/t1.csv"
check $? 'seconds under 10: marked'
null 'graph' -w resnet50 -p fp16 -o "$tmp/t2.csv"
grep -q ',throughput-sustained,' "$tmp/t2.csv" && grep -q '^resnet50,fp16,sustained,1,' "$tmp/t2.steps.txt" && ! grep -q quick "$tmp/t2.csv"
check $? 'a warm device after 60 s'
null 'graph,oomabove=64' -w resnet50 -p fp16 -o "$tmp/t3.csv"
! grep -q ',resnet50-max,fp16,0,' "$tmp/t3.csv" && grep -q ',resnet50,fp16,64,' "$tmp/t3.csv"; check $? 'a larger batch that was only tried is no fact about memory'
null 'stopped' -k -w resnet50 -p fp16 -o "$tmp/t4.csv"; [ $? = 1 ] && [ "$(rows "$tmp/t4.csv")" = 0 ]; check $? 'a clock that stands: exit 1, no row'
says "the device's clock says 0 s for a step" 'a clock that stands: says so'
null '' -o ''; [ $? = 2 ]; check $? 'no name of a file: exit 2'; says "--out: '' is not the name of a file" 'no name of a file: says so'
null "device=$(printf 'a\033[1mb')" -k -w resnet50 -p fp16 -o "$tmp/c.csv"
[ "$(LC_ALL=C tr -d '\n -~' <"$tmp/c.csv" | wc -c)" = 0 ] && ! grep -q "$(printf '\033')\[1m" "$tmp/err"; check $? 'control characters of a driver go nowhere'
printf 'broken\n' >"$tmp/x.csv"; null '' --resume -o "$tmp/x.csv"; [ $? = 1 ]; check $? 'resume of another file: exit 1'
says 'x.csv:1: not a file of this program' 'resume of another file: says so'

# The same times give the same bytes but for date and clocks of this run.
null '' -k -w resnet50 -p fp16 -m one -o "$tmp/d1.csv"; null '' -k -w resnet50 -p fp16 -m one -o "$tmp/d2.csv"
cmp -s "$tmp/d1.csv" "$tmp/d2.csv" && cmp -s "$tmp/d1.steps.txt" "$tmp/d2.steps.txt"; check $? 'the same run gives the same bytes'
null '' -k -w resnet50 -o /proc/none/x.csv; [ $? = 2 ]; check $? 'a folder that cannot be made: exit 2'

if have ssh-keygen; then
	ssh-keygen -q -t ed25519 -N '' -f "$tmp/key" </dev/null
	null '' -k -w resnet50 -p fp16 -o "$tmp/s.csv" --sign "$tmp/key"; check $? 'signed'
	echo "me $(cat "$tmp/key.pub")" >"$tmp/signers"
	ssh-keygen -q -Y verify -f "$tmp/signers" -I me -n gpuguide-contribution/gpuguide-bench-0.1.0 -s "$tmp/s.csv.sig" <"$tmp/s.csv" >/dev/null 2>&1
	check $? 'signed: it verifies'
	null '' -k -w resnet50 -p fp16 -o "$tmp/s2.csv" --sign "$tmp/nokey"; [ $? = 2 ]; check $? 'no such key: exit 2'
	says 'could not be signed' 'no such key: says so'
	ssh-keygen -q -t ecdsa -N '' -f "$tmp/ecdsa" </dev/null
	null '' -k -w resnet50 -p fp16 -o "$tmp/s3.csv" --sign "$tmp/ecdsa"; [ $? = 2 ] && [ ! -e "$tmp/s3.csv.sig" ] && [ -s "$tmp/s3.csv" ]
	check $? 'a key of another type: exit 2, no signature, the contribution stays'
	says 'the key is not of type ed25519' 'a key of another type: says so'
	null '' -k -w resnet50 -p fp16 -o "$tmp/s3.csv" --resume --sign "$tmp/key" && [ -s "$tmp/s3.csv.sig" ]; check $? 'signed later by --resume'
fi
echo "1..$n"
exit $bad
