# A maintainer's slips: the catalogue, the edition, the prices. A clear message with its place; 1, and nothing is made.

out=$work/catalogue-out

# slip 'name' STATUS FILE sed-script [text...]: the small root with that one change.
slip() {
	name=$1 want=$2 file=$3 script=$4
	shift 4
	root=$(small_root catalogue)
	sed -i "$script" "$root/$file"
	cmp -s "$root/$file" "$here/three/$file" && echo "# the script changed nothing" && status=99
	rm -rf "$out"
	gpuguide report three --root "$root" --out "$out"
	ended "$want" "catalogue: $name" "$@"
	if [ "$want" -ne 0 ] && { [ -n "$(ls "$out" 2>/dev/null)" ] || [ "$(grep -c '^gpuguide: ' "$work/err")" -ne 1 ]; }; then
		check 1 "catalogue: $name: one line says why, no edition is left"
	fi
}

slip 'devices: a number that is none' 1 data/devices.csv '3s/,600,/,6OO,/' \
	"data/devices.csv:3:45: bandwidth_gbs: '6OO' is not a number"
slip 'devices: a number below 0' 1 data/devices.csv '3s/,600,/,-600,/' 'data/devices.csv:3:' 'bandwidth_gbs'
slip 'devices: a quote left open' 1 data/devices.csv '3s/^/"/' 'data/devices.csv:3:1: ' 'quote'
slip 'devices: one listed twice' 1 data/devices.csv '4s/Card C/card-b/' 'data/devices.csv:4:' 'card-b'
slip 'devices: no name' 1 data/devices.csv '4s/Card C//' 'data/devices.csv:4:1: device: '
slip 'devices: a column lacks' 1 data/devices.csv '1s/device,/card,/' 'data/devices.csv:1:' "'device'"
slip 'devices: a date that is none' 1 data/devices.csv '2s/2018-09-20/2018-09-31/' "data/devices.csv:2:" "2018-09-31"
slip 'aliases: of no device' 1 data/aliases.csv '2s/,Card A,/,Card Z,/' 'data/aliases.csv:2:' 'Card Z'
slip 'workloads: a class that is none' 1 data/workloads.csv '2s/,cnn,/,cnm,/' 'data/workloads.csv:2:' "cnm"
slip 'workloads: a range upside down' 1 data/workloads.csv '2s/,1,10000,/,10000,1,/' 'data/workloads.csv:2:'
slip 'series: comparable is yes or no' 1 data/series.csv 's/,yes,/,maybe,/' 'data/series.csv:2:' 'maybe'
slip 'overrides: an unknown decision' 1 data/overrides.csv '$alab/c.csv,4,perhaps,me,why' 'data/overrides.csv:2:' 'perhaps'
slip 'estimates: an unknown device' 1 data/estimates.csv '$aCard Z,cnn,1.5,Card A,2019-01-01,x,y' 'data/estimates.csv:2:' 'Card Z'

slip 'edition: an unknown section' 1 editions/three.ini 's/^\[prices\]/[price]/' 'editions/three.ini:21: ' 'price'
slip 'edition: an unknown key' 1 editions/three.ini 's/^stale_days/stale_day/' 'editions/three.ini:24: ' 'stale_day'
slip 'edition: an unknown class' 1 editions/three.ini 's/^classes = cnn/classes = cnn, gan/' 'editions/three.ini:10: ' 'gan'
slip 'edition: an unknown device' 1 editions/three.ini 's/Card B, Card C/Card B, Card D/' 'editions/three.ini:15: ' 'Card D'
slip 'edition: an unknown reference' 1 editions/three.ini 's/^reference = Card A/reference = Card X/' \
	'editions/three.ini:12: ' 'Card X'
slip 'edition: a date that is none' 1 editions/three.ini 's/2019-05-31/31.05.2019/' 'editions/three.ini:5: ' '31.05.2019'
slip 'edition: a key given twice' 1 editions/three.ini '$adrop_days = 1' 'editions/three.ini:26: ' 'drop_days'
slip 'edition: a line that is no key' 1 editions/three.ini '$ahello' 'editions/three.ini:26: '
slip 'edition: no title' 1 editions/three.ini '/^title/d' 'editions/three.ini' 'title'
slip 'edition: a number that is none' 1 editions/three.ini 's/^stale_days = 60/stale_days = soon/' \
	'editions/three.ini:24: ' 'soon'
slip 'edition: an unknown spec' 1 editions/three.ini 's/fp32_tflops/fp31_tflops/' 'editions/three.ini:18: ' 'fp31_tflops'
slip 'edition: a policy that is no precision' 1 editions/three.ini 's/= guide/= fp17/' 'editions/three.ini:11: ' 'fp17'

prices=data/prices/2019-05-20.csv
slip 'prices: a currency without a rate' 1 $prices '4s/USD/XYZ/' "$prices:4:" 'XYZ'
slip 'prices: a file cut in the middle of a line' 0 $prices '9s/,255.*/,25/' "$prices:9:"
slip 'prices: a quote left open' 1 $prices '9s/a listing/"a li/' "$prices:9:47: the quote that opens here is never closed"
slip 'prices: a column lacks' 1 $prices '1s/price/cost/' "$prices:1:" "'price'"
slip 'prices: a row with a faulty price is refused, the others go on' 0 $prices '5s/1050.00/1.050,00/' "$prices:5:"
slip 'prices: a row of an unknown card is refused, the others go on' 0 $prices '5s/Card B/Card BB/' "$prices:5:12: " 'Card BB'
slip 'prices: a rate of 0' 1 data/system/fx_to_usd.csv '2s/1.2/0/' 'fx_to_usd.csv:2:'
slip 'templates: a text lacks' 1 templates/text.en.ini 's/^value = \*Value/vaule = *Value/' \
	'templates/text.en.ini'

# No price at all, none that is fresh, none that may be used: a report all the same where the date is given,
# and a plain word where it is not.
root=$(small_root catalogue)
rm "$root"/data/prices/*
gpuguide report three --root "$root" --out "$out"
ended 0 'catalogue: no prices at all: the edition is made'
[ "$(awk -F, 'NR > 1 { print $NF }' "$out/2019-05-31/data/values.csv" | sort -u)" = no-price ]
check $? 'catalogue: no prices at all: no value, and each card says why'
! html_text "$out/2019-05-31/index.html" | grep -v "'nan' is not" | grep -qwE '[$]0(.0*)?|-?nan|-?inf'
check $? 'catalogue: no prices at all: no 0, nan or inf is shown'
rm -rf "$root/data/prices"
rm -rf "$out"
gpuguide report three --root "$root" --out "$out"
ended 2 'catalogue: no folder of prices' "$root/data/prices: No such file or directory"
mkdir "$root/data/prices"
sed -i 's/^date = .*/date = newest-price/' "$root/editions/three.ini"
gpuguide report three --root "$root" --out "$out"
ended 1 'catalogue: the date should come from prices, and there are none' 'the edition takes its date from the newest price'
[ -z "$(ls "$out" 2>/dev/null)" ]
check $? 'catalogue: nothing is made'

root=$(small_root catalogue)
gpuguide report three --root "$root" --out "$out" --date 2019-12-31
ended 0 'catalogue: every price is stale'
grep -q 'stale' "$out/2019-12-31/data/prices.csv" && [ "$(grep -c ',ok$' "$out/2019-12-31/data/values.csv")" -eq 3 ]
check $? 'catalogue: stale prices are used and marked'
sed -n '/id="headline"/,/<\/section>/p' "$out/2019-12-31/index.html" | grep -qi 'older than 60 days\|stale'
check $? 'catalogue: the head of the report says so'
same_words "$out/2019-12-31" 'catalogue: stale'
gpuguide report three --root "$root" --out "$out" --date 2031-12-31
ended 0 'catalogue: every price is too old'
[ "$(awk -F, 'NR > 1 { print $NF }' "$out/2031-12-31/data/values.csv" | sort -u)" = no-price ]
check $? 'catalogue: prices older than drop_days are not used'
gpuguide report three --root "$root" --out "$out" --date 2000-01-01
ended 1 'catalogue: before every card and price'
