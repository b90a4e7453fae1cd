# A slip of the pen in an edition or an option, a file cut after the edition was made: each is told with its place.

root=$(small_root typos)
ini=$root/editions/three.ini
cp "$ini" "$work/three.ini"

# slip 'name' 'sed expression' text...: the edition changed so is refused with these words; LINE is that of the change.
slip() {
	name=$1 change=$2
	shift 2
	sed "$change" "$work/three.ini" >"$ini"
	line=$(diff "$work/three.ini" "$ini" | sed -n 's/^[0-9,]*[acd]\([0-9]*,\)\{0,1\}\([0-9]*\)$/\2/p') # the last one changed
	gpuguide report three --root "$root" --out "$work/slips" --quiet
	ended 1 "typos: $name" "three.ini:$line: $1" "$@"
	no_edition "$work/slips" "typos: $name: no edition"
}
slip 'a market' 's/^markets = .*/markets = amazon, ebuy/' "markets: no price row is of 'ebuy'; there are amazon, ebay"
slip 'a series to leave out' '/^reference/a series_excluded = labb' \
	"series_excluded: 'labb' is neither in series.csv nor a folder of contributions"
slip 'a method' '/^\[prices\]/i [scaling]\nmethod = nonsense' "scaling: method.cnn: 'nonsense' is no scaling method; known: best, linear"
printf 'country,date,class,price_per_kwh,currency,source\nUnited States,2019-01-01,household,0.13,USD,x\nFrance,2019-01-01,household,0.2,USD,x\n' \
	>"$root/data/system/electricity.csv"
slip 'a country' '/^\[prices\]/i [cost]\ncountry = Nowhere' "country: electricity.csv has no tariff 'household' of 'Nowhere'; the countries are United States, France"
slip 'a tariff' '/^\[prices\]/i [cost]\ntariff = none' "tariff: electricity.csv has no tariff 'none' of 'United States'; its tariffs are household"
cp data/memory.ini "$root/data/"
sed -i '/^\[boards\]/,$d' "$root/data/memory.ini"
mkdir "$root/data/networks"
cp data/networks/gpt-2.ini "$root/data/networks/"
slip 'a network' '/^\[prices\]/i [memory]\nnetworks = gpt-3' "networks: 'gpt-3' is not in the folder networks of the data, which has gpt-2"
awk '{ print } /^\[edition\]/ { print "[advice]\npersonas = nosuch\n[edition]" }' editions/guide-2019-04.ini >"$work/nosuch.ini"
gpuguide report "$work/nosuch.ini" --out "$work/slips" --quiet
ended 1 'typos: a persona' "nosuch.ini:$(grep -n '^personas' "$work/nosuch.ini" | cut -d : -f 1): personas: 'nosuch' is not in personas.ini; there are "
cp "$work/three.ini" "$ini"
gpuguide report three --root "$root" --out "$work/slips"
ended 0 'typos: a fallback market without rows is no error' 'three.ini:' "fallback: no price row is of 'msrp'"
html_text "$work/slips/2019-05-31/index.html" | grep -qF 'No price of the fallback market msrp is on record.'
check $? 'typos: but stands in the report'
sed 's/^fallback = .*/fallback = ebay/' "$work/three.ini" >"$ini"
gpuguide report three --root "$root" --out "$work/typos-none"
! grep -q 'fallback:' "$work/err"
check $? 'typos: one with rows is not told'

gpuguide diff "$work/slips/2019-05-31" "$work/slips/2019-05-31" --lens nonsense
ended 2 'typos: a lens' "--lens: 'nonsense' is not card, system, system+power or cloud"
gpuguide pick --budget 1e-320 --root "$root" --out "$work/slips"
ended 2 'typos: a budget below a cent' '--budget: 1e-320 is not from 0.01 to 1e+09'

# A file cut at a line end is still a sound table; only MANIFEST knows.
edition=$work/slips/2019-05-31
cp -R "$edition" "$work/torn"
sed -i '$d' "$work/torn/data/prices.csv"
gpuguide pick --class cnn --root "$root" --out "$work/torn"
ended 1 'typos: pick, a file cut at a line end' 'data/prices.csv: not the file that MANIFEST lists'
gpuguide diff "$edition" "$work/torn"
ended 1 'typos: diff, the same' 'data/prices.csv: not the file that MANIFEST lists'
cp "$edition/data/prices.csv" "$work/torn/data/"
rm "$work/torn/MANIFEST"
gpuguide diff "$edition" "$work/torn"
ended 0 'typos: a folder without MANIFEST goes on'

# What lies among the networks and prices and is no file of its own.
mkdir "$work/typos-elsewhere"
ln -s gpt-2.ini "$root/data/networks/link.ini"
mkfifo "$root/data/networks/pipe.ini"
ln -s 2019-05-20.csv "$root/data/prices/link.csv"
ln -s "$work/typos-elsewhere" "$root/data/prices/more"
mv "$root/data/series.csv" "$work/typos-elsewhere/"
ln -s "$work/typos-elsewhere/series.csv" "$root/data/series.csv"
mkdir "$root/data/prices/deep"
cp "$root/data/prices/2019-06-30.csv" "$root/data/prices/deep/"
gpuguide report three --root "$root" --out "$work/typos-links"
ended 0 'typos: links and pipes are told' 'data/networks/link.ini: passed over: a symbolic link' \
	'data/networks/pipe.ini: passed over: not a regular file' 'data/prices/link.csv: passed over: a symbolic link' \
	'data/prices/more: passed over: a symbolic link'
[ "$(cat "$work/typos-links/2019-05-31/data/price-rejects.csv")" = file,line,column,reason ]
check $? 'typos: but no table does, as they are no inputs'
gpuguide verify "$work/typos-links/2019-05-31"
ended 0 'typos: the edition is made again from its inputs, byte for byte'
gpuguide memory --root "$root"
ended 0 'typos: memory tells them too' 'data/networks/link.ini: passed over: a symbolic link'
for input in data/series.csv data/prices/deep/2019-06-30.csv; do
	sum=$(sha256sum "$root/$input" | cut -d ' ' -f 1)
	grep -q "^$sum  .*  input:$input\$" "$work/typos-links/2019-05-31/MANIFEST"
	check $? "typos: $input was read and stands in MANIFEST"
done
