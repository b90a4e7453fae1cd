#!/bin/sh
# The generator and the peers of `make bench-collect` in small: the same options give the same bytes, every row is accepted or
# refused as it was meant, and what collect makes of them agrees with an independent reading by libcsv.
#   sh tests/bench_collect/run.sh BUILD
set -u
export LC_ALL=C
build=$(cd "$1" && pwd)
program=$build/gpuguide tools=$build/tests/bench_collect
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
. tests/tap.sh

# made NAME OPTION...: the folder work/NAME; what gen said is in $said.
made() {
	folder=$1
	shift
	said=$("$tools/gen" "$@" "$work/$folder")
}
figure() { echo "$said" | tr ' ' '\n' | sed -n "s/^$1=//p"; }
# The one line that collect says of the folder.
collected() {
	"$program" collect -o "$work/out-$1" "$work/$1" 2>&1 >/dev/null | tail -n 1
}
says() { # NAME PATTERN 'what'
	line=$(collected "$1")
	echo "$line" | grep -qE "$2"
	check $? "bench-collect: $3"
	echo "$line" | grep -qE "$2" || echo "# said: $line"
}

made one --rows 20000
made again --rows 20000
cmp "$work/one/0000000.csv" "$work/again/0000000.csv"
check $? 'bench-collect: the same options give the same bytes'
made other --rows 20000 --seed 2
! cmp -s "$work/one/0000000.csv" "$work/other/0000000.csv"
check $? 'bench-collect: another seed gives others'
says one '^1 files \(0 refused\), 20000 rows: 20000 accepted, 0 rejected, 0 set aside' 'every row is accepted'
made sized --bytes 3M --machine-rows 500
size=$(wc -c <"$work/sized/0000000.csv")
[ "$size" -le 3000000 ] && [ "$size" -gt 2999000 ] && [ "$size" = "$(figure bytes)" ]
check $? 'bench-collect: a file has the size that was asked for'
made odd --rows 20000 --quoted 10 --crlf --bom --lean
says odd '20000 rows: 20000 accepted, 0 rejected, 0 set aside' "so are $(figure quoted) with quotes, behind a BOM and with CRLF"
made bad --rows 20000 --bad 5
says bad "20000 rows: $((20000 - $(figure bad))) accepted, $(figure bad) rejected, 0 set aside" "of the bad ones each is refused: $(figure bad)"
[ "$(figure bad)" -gt 800 ] && [ "$(figure bad)" -lt 1200 ]
check $? 'bench-collect: and they are as many as were asked for'
made many --rows 300 --files 50 --machine-rows 0
says many '^50 files \(0 refused\), 15000 rows: 15000 accepted.* 50 machines' 'fifty files have fifty machines'

for threads in 1 2; do
	"$tools/peer_libcsv" --threads $threads "$work/odd/0000000.csv" | cut -d, -f1-4 >"$work/counts.$threads"
	"$tools/peer_libcsv" --threads $threads --cells "$work/odd/0000000.csv" >"$work/cells.$threads"
done
cmp "$work/counts.1" "$work/counts.2" && cmp "$work/cells.1" "$work/cells.2" && [ -s "$work/cells.1" ]
check $? 'bench-collect: the peer reads the same with two threads'
TMPDIR=$work SIZE=2M RUNS=1 CASES='plain quoted kinds lean files' PEERS='ours scan libcsv awk' sh tests/bench_collect/bench.sh "$build" >"$work/table" 2>&1
status=$?
! grep -E ' NO |failed|rror' "$work/table" && [ $status -eq 0 ] && [ "$(grep -c ' yes$' "$work/table")" -ge 24 ]
check $? "bench-collect: the common figures agree ($(grep -c ' yes$' "$work/table") of them)"
echo "1..$n"
exit $bad
