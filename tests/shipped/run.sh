#!/bin/sh
# The shipped data end to end: same bytes everywhere, the faults that must be found by name, the guide's claims 15
# and 16, hostile contributions, a broken environment. TAP on standard output.
#   tests/shipped/run.sh BUILD      from the repository root
set -u
program=$(cd "$1" && pwd)/gpuguide
root=$(pwd)
work=$(mktemp -d)
trap 'umount "$work/tmpfs" 2>/dev/null; rm -rf "$work"' EXIT
n=0

ok() { # name, then a command that must succeed
	name=$1
	shift
	n=$((n + 1))
	if "$@" >"$work/said" 2>&1; then echo "ok $n - $name"; else
		echo "not ok $n - $name"
		sed 's/^/# /' "$work/said" | head -n 10
	fi
}
exits() { # wanted status, then a command; what it says lands in $work/err
	want=$1
	shift
	"$@" >"$work/out" 2>"$work/err" </dev/null
	got=$?
	[ "$got" = "$want" ] || { echo "exit $got, wanted $want"; cat "$work/err"; false; }
}
says() { grep -qF -- "$1" "$work/err" || { echo "not said: $1"; cat "$work/err"; false; }; }
count() { # wanted number, pattern, file
	got=$(grep -c -- "$2" "$3")
	[ "$got" = "$1" ] || { echo "$got times, wanted $1: $2"; false; }
}

# --- same bytes -----------------------------------------------------------------------------------------
export SOURCE_DATE_EPOCH=1750000000
ok 'report of the shipped data' exits 0 env LC_ALL=C TZ=UTC "$program" report -q -o "$work/a"
edition=$(ls "$work/a")
ok 'again in another folder, locale and time zone' exits 0 sh -c \
	'cd "$1" && LC_ALL=de_DE.UTF-8 LANG=de_DE.UTF-8 TZ=Pacific/Kiritimati "$2" report -q --root "$3" -o b' \
	- "$work" "$program" "$root"
ok 'gives identical bytes' diff -r "$work/a/$edition" "$work/b/$edition"
ok 'a third run changes nothing' exits 0 "$program" report -o "$work/a"
ok 'and says so' says 'nothing changed'
ok 'one edition, no revision' test "$(ls "$work/a")" = "$edition"
for file in index.html report.pdf report.json MANIFEST CITATION.cff citation.bib data/scores.csv data/values.csv; do
	ok "$file is there" test -s "$work/a/$edition/$file"
done
ok 'every line of the MANIFEST is true' sh -c 'cd "$1" && grep -v "  input:" MANIFEST | while read -r sum size path; do
	[ "$(sha256sum <"$path" | cut -d" " -f1)" = "$sum" ] && [ "$(wc -c <"$path")" = "$size" ] || { echo "$path"; exit 1; }; done' \
	- "$work/a/$edition"
ok 'the PDF is sound' qpdf --check "$work/a/$edition/report.pdf"

# --- the faults of the shipped data, by name ------------------------------------------------------------
rejects=$work/a/$edition/data/rejects.csv
ok '173 impossible ncf rows' sh -c 'test "$(grep -c ",range,.*,rejected$" "$1")" = 173' - "$rejects"
for count in 2 4 8; do
	ok "BERT-large fp16 on $count RTX 2080 Ti" sh -c 'grep ",collapsed," "$1" | grep "lambda-pytorch-v0/${2}x2080Ti" | grep "bert-large-squad fp16: $2 devices" | grep -q set-aside' \
		- "$rejects" "$count"
done
ok 'super-linear BERT-base on 8 cards' sh -c 'grep ",super-linear," "$1" | grep "lambda-pytorch-v0/8xA5500" | grep -q "bert-base-squad fp16: 8 devices"' - "$rejects"
ok 'the copied ResNet-50 run names both machines' sh -c 'grep ",duplicate," "$1" | grep "p3.8xlarge" | grep -q "4xV100"' - "$rejects"
ok '"Tesla V100" is ambiguous' sh -c 'test "$(grep -c ",device-ambiguous,Tesla V100,.*rejected" "$1")" = 58' - "$rejects"
ok 'every row is accepted, rejected or set aside' awk -F, '
	NR == 1 { for (i = 1; i <= NF; i++) col[$i] = i; next }
	{ n = split($0, c, ","); gsub(/"[^"]*"/, "q"); split($0, c, ",")
	  if (c[col["rows"]] != c[col["accepted"]] + c[col["rejected"]] + c[col["set_aside"]]) { print; bad = 1 } rows += c[col["rows"]] }
	END { if (rows != 44080) { print rows; bad = 1 } exit bad }' "$work/a/$edition/data/sources.csv"

ok 'a refused price row is listed' grep -q '^prices/2022-05-15.csv,31,54,' "$work/a/$edition/data/price-rejects.csv"
ok 'and named in the report' grep -q 'prices/2022-05-15.csv:31:54' "$work/a/$edition/index.html"

# --- the guide's edition --------------------------------------------------------------------------------
ok 'guide-2019-04' exits 0 "$program" report guide-2019-04 -q -o "$work/g"
ok 'claims 15 and 16: RTX 2060 over 5 x V100, above RTX 2070, 2080, 2080 Ti in value' awk -F, '
	$3 == "card" { v[$1, $2] = $5 }
	END { split("cnn rnn-word rnn-char transformer", c, " ")
	  for (i in c) { r = v["RTX 2060", c[i]] / v["Tesla V100 PCIe 16GB", c[i]]; print c[i], r; if (!(r > 5)) bad = 1
	    for (k in o) ; m = split("RTX 2070;RTX 2080;RTX 2080 Ti", d, ";")
	    for (j = 1; j <= m; j++) if (!(v["RTX 2060", c[i]] > v[d[j], c[i]])) { print c[i], d[j]; bad = 1 } }
	  exit bad }' "$work/g"/*/data/values.csv

# --- contributions --------------------------------------------------------------------------------------
header='machine,device,workload,class,metric,unit,precision,value'
row='m,RTX 2070,resnet50,cnn,throughput,images/s,fp16'
mkdir -p "$work/good/s" "$work/bad/s"
printf '\357\273\277%s\r\n%s,400\r\n' "$header" "$row" >"$work/good/s/bom-crlf.csv"
printf '%s\n%s;410,5\n' "$(echo "$header" | tr , ';')" "$(echo "$row" | tr , ';' | sed 's/^m/m2/')" >"$work/good/s/semicolon.csv"
printf '%s,source\n%s,420,"two\nlines"\n' "$header" "$(echo "$row" | sed 's/^m/m3/')" >"$work/good/s/quoted.csv"
ok 'BOM, CRLF, ; with decimal commas, quoted newlines' exits 0 "$program" collect -o "$work/c1" "$work/good"
ok 'all three count' grep -q ',3,3,' "$work/c1/data/observations.csv"
printf '%s\n%s,"400\n%s,410\n' "$header" "$row" "$row" >"$work/bad/s/1-quote.csv"
printf 'machine,device,workload,metric,unit\n' >"$work/bad/s/2-column.csv"
printf '%s\n%s,"1,234.5"\n' "$header" "$row" >"$work/bad/s/3-thousands.csv"
printf '%s\n%s,nan\n' "$header" "$row" >"$work/bad/s/4-nan.csv"
printf '%s\nm,RTX 2071,resnet50,cnn,throughput,images/s,fp16,400\n' "$header" >"$work/bad/s/5-device.csv"
printf '%s\n%s,400\n' "$header" "$row" >"$work/bad/s/6-good.csv"
printf '%s\n=cmd|x!A1,<script>alert(1)</script>,`id`$(id),cnn,throughput,images/s,fp16,\033[31m1\n' "$header" >"$work/bad/s/7-hostile.csv"
ln -s /dev/zero "$work/bad/s/8-link.csv"
mkfifo "$work/bad/s/9-fifo.csv"
ok 'faulty contributions: exit 1' exits 1 timeout 60 "$program" collect -o "$work/c2" "$work/bad"
ok 'an unclosed quote: where it opens' says 's/1-quote.csv:2:50: '
ok 'a missing column is named' says "s/2-column.csv:1:"
ok 'and how' says "'value'"
ok '1,234.5 is no number' says "s/3-thousands.csv:2:50: value: '1,234.5' is not a number"
ok 'nan is no number' says "s/4-nan.csv:2:50: value: 'nan' is not a number"
ok 'an unknown device with three near names' says "s/5-device.csv:2:3: device: device 'RTX 2071' is not in the catalogue; nearest: RTX 2070"
ok 'the good file counts all the same' grep -q '^RTX 2070,cnn,resnet50,fp16,1,s,400,' "$work/c2/data/observations.csv"
ok 'no escape sequence reaches the terminal' sh -c '! grep -q "$(printf "\033")" "$1"' - "$work/err"
ok 'no formula in rejects.csv' sh -c '! grep -E "(^|,)[=@]" "$1"' - "$work/c2/data/rejects.csv"
ok 'a link and a pipe are passed over' sh -c 'grep -q 8-link "$1" && grep -q 9-fifo "$1"' - "$work/err"

# --- the environment ------------------------------------------------------------------------------------
nothing_made() { # no edition under its final name below DIR
	left=$(ls "$1" 2>/dev/null)
	[ -z "$left" ] || { echo "left: $left"; false; }
}
mkdir "$work/empty"
ok 'an empty folder: exit 2' exits 2 "$program" collect -o "$work/e1" "$work/empty"
ok 'in one clear line' sh -c 'test "$(wc -l <"$1")" = 1 && grep -q "no contributions" "$1"' - "$work/err"
ok 'a missing folder: exit 2' exits 2 "$program" collect -o "$work/e2" "$work/not-there"
ok 'which it names' says not-there
for gnuplot in /nonexistent/gnuplot /bin/false /bin/true; do
	ok "gnuplot is $gnuplot: exit 2" exits 2 "$program" report -q -o "$work/e3" --gnuplot "$gnuplot"
	ok 'and no edition' nothing_made "$work/e3"
done
ok 'the gnuplot that is missing is named' sh -c '"$1" report -q -o "$2" --gnuplot /nonexistent/gnuplot 2>&1 | grep -q "gnuplot"' - "$program" "$work/e3"
for blocks in 8 600 3000; do # of 512 bytes: the first file, a table, a page
	ok "no file may grow over $blocks blocks: exit 2" exits 2 sh -c 'trap "" XFSZ; ulimit -f "$1"; exec "$2" report -q -o "$3"' - "$blocks" "$program" "$work/e4"
	ok 'and no edition' nothing_made "$work/e4"
done
if [ "$(id -u)" = 0 ] && mkdir "$work/tmpfs" && mount -t tmpfs -o size=3m tmpfs "$work/tmpfs" 2>/dev/null; then
	ok 'a full disk: exit 2' exits 2 "$program" report -q -o "$work/tmpfs"
	ok 'which it says' says 'No space left'
	ok 'and no edition' nothing_made "$work/tmpfs"
	umount "$work/tmpfs"
fi
echo x >"$work/file"
ok 'out is a file: exit 2' exits 2 "$program" report -q -o "$work/file"
ok 'unknown option: exit 2' exits 2 "$program" report --frobnicate
ok 'unknown edition: exit 2' exits 2 "$program" report no-such-edition -o "$work/e5"
"$program" report -q -o "$work/k" >/dev/null 2>&1 &
sleep 0.4
kill -9 $! 2>/dev/null
wait $! 2>/dev/null
ok 'after kill -9 the next run succeeds' exits 0 "$program" report -q -o "$work/k"
ok 'with the same bytes' diff -r "$work/a/$edition" "$work/k/$edition"
echo "1..$n"
