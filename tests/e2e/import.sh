# Listings brought into data/prices as a publisher does it: by the shipped maps, into a tree of its own.

listings=$repo/tests/prices
root=$work/import-root
mkdir -p "$root/data/prices" "$root/data/system"
cp "$repo/data/devices.csv" "$repo/data/aliases.csv" "$root/data/"
cp "$repo/data/system/fx_to_usd.csv" "$root/data/system/"
cp -R "$repo/data/price_maps" "$root/data/"

import() {
	gpuguide prices import --root "$root" "$@"
}
# said 'name' TEXT...: each stands on standard output.
said() {
	name=$1 good=0
	shift
	for text in "$@"; do
		grep -qF -e "$text" "$work/out" || { echo "# not said: $text"; good=1; }
	done
	[ $good -eq 0 ] || head -n 20 "$work/out" | sed 's/^/# said: /'
	check $good "$name"
}
shop='--market pcpartpicker --date 2017-12-07 --source excerpt'
file=$root/data/prices/2017-12-07-pcpartpicker.csv

import $listings/pcpartpicker-2017.csv $shop --dry-run
ended 0 'import: a dry run'
[ -z "$(ls "$root/data/prices")" ]
check $? 'import: a dry run writes nothing'
said 'import: and says all' 'map pcpartpicker: 12 rows with 12 prices' '7 used + 5 refused = 12' \
	"$listings/pcpartpicker-2017.csv:12:35: price: '[]' means: no price" 'would be written, 4 rows'

import $listings/pcpartpicker-2017.csv $shop
ended 0 'import: the real run'
cmp -s "$file" "$listings/pcpartpicker-2017.out"
check $? 'import: the rows are those worked out by hand'
import $listings/pcpartpicker-2017.csv $shop
ended 0 'import: the same again'
said 'import: changes nothing' 'unchanged, 4 rows'

# Nothing is overwritten, and nothing counts twice.
sed '2d' "$listings/pcpartpicker-2017.csv" >"$work/fewer.csv"
cp "$file" "$work/before"
import "$work/fewer.csv" $shop
ended 1 'import: another file of that name' "$file is there and differs; nothing is overwritten. Remove or rename it, or write elsewhere with --out"
cmp -s "$file" "$work/before"
check $? 'import: it stays as it is'
mv "$file" "$root/data/prices/by-hand.csv"
import $listings/pcpartpicker-2017.csv $shop
ended 0 'import: rows that stand there under another name'
said 'import: they are not written again' '4 equal, 0 differ, 0 only here, 0 only there' 'nothing to write'
[ ! -e "$file" ]
check $? 'import: no file of nothing'
import "$work/fewer.csv" $shop
ended 0 'import: statistics that contradict what stands there'
said 'import: are left out' '2 equal, 2 differ' '2 statistics contradict those that stand there'
rm "$root/data/prices/by-hand.csv"

# A jump needs a person.
sed -e 's/,1909.0,/,19090,/; s/,2199.99,/,21999,/; s/,1413.99,/,14139,/' "$listings/pcpartpicker-2021.csv" >"$work/dear.csv"
import "$listings/pcpartpicker-2021.csv" --market pcpartpicker --date 2021-07-11 --source excerpt
ended 0 'import: the month before'
import "$work/dear.csv" --market pcpartpicker --date 2021-08-11 --source excerpt
ended 1 'import: prices that jumped are held back'
said 'import: and named' '2 prices jumped by more than 30 % since the snapshot before' \
	'RTX 3080 10GB, pcpartpicker, min: 1413.99 USD on 2021-07-11, 14139.00 on 2021-08-11' 'held back'
[ ! -e "$root/data/prices/2021-08-11-pcpartpicker.csv" ]
check $? 'import: nothing of them is written'
import "$work/dear.csv" --market pcpartpicker --date 2021-08-11 --source excerpt --accept
ended 0 'import: --accept takes them'
[ -e "$root/data/prices/2021-08-11-pcpartpicker.csv" ] && grep -q 'RTX 3080 10GB' "$root/data/price_accepted.csv"
check $? 'import: and keeps the decision'

# Other ways in and out.
import $listings/cloud-gpus.json --date 2022-10-19 -o -
ended 0 'import: rows to standard output' 'map cloud-gpus: 2 rows with 10 prices'
cmp -s "$work/out" "$listings/cloud-gpus.out"
check $? 'import: and nothing else'
"$program" prices import --root "$root" - --date 2025-05-16 -o "$work/stdin.csv" <"$listings/fsdl-cloud.csv" >/dev/null 2>"$work/err"
status=$?
ended 0 'import: from standard input'
cmp -s "$work/stdin.csv" "$listings/fsdl-cloud.out"
check $? 'import: it is the same'
import $listings/dawnbench.csv --format json
ended 0 'import: JSON'
if have python3; then
	python3 -c 'import json, sys; r = json.load(open(sys.argv[1])); sys.exit(not (r["used"] + r["refused"] == r["prices_in"] == 13))' "$work/out"
	check $? 'import: it is valid and adds up'
fi
import $listings/ebay-averages.csv --market ebay --format csv --dry-run
ended 0 'import: CSV'
said 'import: a line for each case' 'result,prices,file,line,col,text' 'used,4,,,,' 'device-unknown,4,'
import $listings/pcpartpicker-2019.csv $listings/pcpartpicker-2023.csv --market pcpartpicker --date 2023-07-05 --source x -o "$work/both.csv"
ended 0 'import: two listings at once'
said 'import: counted together' '20 rows with 20 prices' '18 used + 2 refused = 20'

# What it is not told, and what it will not hear.
import $listings/pcpartpicker-2019.csv --market pcpartpicker --source x
ended 2 'import: no date' '--date is missing; the map pcpartpicker has no column for it'
import $listings/pcpartpicker-2019.csv --date 2019-06-06 --source x
ended 2 'import: no market' '--market is missing; the map pcpartpicker has no column for it'
import $listings/pcpartpicker-2019.csv --market pcpartpicker --date 2019-06-06
ended 2 'import: no source' '--source is missing; the map pcpartpicker does not say where the prices come from'
import $listings/pcpartpicker-2019.csv --market ../../etc --date 2019-06-06 --source x
ended 2 'import: a market that is a path' "--market: '../../etc' is not a name of small letters"
import $listings/pcpartpicker-2019.csv --market pcpartpicker --date 2019-06-06 --source "$(printf 'a\033[31m')"
ended 2 'import: a source of control characters' '--source: it has a character that is not plain text'
import
ended 2 'import: no listing' 'no listing was named'
import $listings/dawnbench.csv $listings/ebay-averages.csv --market ebay
ended 1 'import: listings of two kinds' 'it is for the map ebay-averages, the first file for dawnbench'
import $listings/dawnbench.out
ended 1 'import: a listing of no kind' 'no map fits its columns; name one with --map (there are cloud-gpus, dawnbench'
import $listings/dawnbench.csv --map nowhere
ended 1 'import: no such map' "there is no map 'nowhere'; there are cloud-gpus"
import "$work/not-there.csv" --date 2019-06-06
ended 2 'import: no such file' 'not-there.csv: No such file or directory'
import $listings/pcpartpicker-2019.csv $shop --condition new
ended 2 'import: --condition' 'it has no option --condition; the map says the condition'
head -n 2 "$listings/pcpartpicker-2019.csv" >"$work/none.csv"
import "$work/none.csv" $shop
ended 1 'import: no price at all'
said 'import: says so' '0 used + 1 refused = 1' 'nothing to write'
chmod a-w "$root/data/prices"
if [ "$(id -u)" -ne 0 ]; then
	import $listings/skypilot-gcp.csv --market cloud:gcp --date 2025-06-30
	ended 2 'import: a folder that cannot be written'
fi
chmod u+w "$root/data/prices"

# One at a time.
if have python3; then
	python3 -c 'import fcntl, sys, time
f = open(sys.argv[1], "w"); fcntl.lockf(f, fcntl.LOCK_EX); open(sys.argv[2], "w").close(); time.sleep(30)' "$root/data/.lock" "$work/locked" &
	holder=$!
	until [ -e "$work/locked" ]; do sleep 0.05; done
	import $listings/skypilot-gcp.csv --market cloud:gcp --date 2025-06-30
	ended 3 'import: two at once' 'data/.lock: another run holds'
	import $listings/skypilot-gcp.csv --market cloud:gcp --date 2025-06-30 --dry-run
	ended 0 'import: a dry run does not wait'
	kill $holder
	wait $holder 2>/dev/null
fi
import $listings/skypilot-gcp.csv --market cloud:gcp --date 2025-06-30
ended 0 'import: and again'
cmp -s "$root/data/prices/2025-06-30-cloud-gcp.csv" "$listings/skypilot-gcp.out"
check $? 'import: a market of two parts in the name of the file'
