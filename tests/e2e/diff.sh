# gpuguide diff on made editions of the three invented cards: each kind of change alone, then by hand.

diff_root=$(small_root changing)
# made NAME: the edition as the root stands now; its folder is $work/editions/NAME.
made() {
	gpuguide report three --root "$diff_root" --out "$work/diff-out" --quiet
	[ "$status" -eq 0 ] || sed 's/^/# /' "$work/err"
	mkdir -p "$work/editions"
	mv "$work/diff-out/2019-05-31" "$work/editions/$1"
}
# part DEVICE COLUMN: of the CSV that the last run printed.
part() {
	csv_get "$work/out" "$2" device="$1" class=cnn
}

made first
made again
[ -s "$work/editions/first/data/values.csv" ] && [ -s "$work/editions/again/data/values.csv" ]
check $? 'diff: two editions are made'
[ -s "$work/editions/first/data/values.csv" ] || return 0 # what follows could only fail again
gpuguide diff "$work/editions/first" "$work/editions/again"
[ "$status" -eq 0 ] && grep -qx 'Nothing changed.' "$work/out"
check $? 'diff: the same inputs: nothing changed'
gpuguide diff "$work/editions/first" "$work/editions/again" --format csv
[ "$(awk -F, 'NR > 1 && $8 != "same"' "$work/out" | wc -l)" -eq 0 ] && [ "$(wc -l <"$work/out")" -eq 4 ]
check $? 'diff: the same inputs: every card and class is there, and the same'

# Card A was (500 + 400) / 2 = 450 USD and is (600 + 400) / 2 = 500: 450 / 500 is -10 %.
sed -i 's/2019-05-20,Card A,amazon,new,USD,500.00/2019-05-20,Card A,amazon,new,USD,600.00/' "$diff_root/data/prices/2019-05-20.csv"
made dearer
gpuguide diff "$work/editions/first" "$work/editions/dearer" --format csv
near "$(part 'Card A' from_price_pct)" -10 && near "$(part 'Card A' total_pct)" -10 && near "$(part 'Card A' from_data_pct)" 0 &&
	near "$(part 'Card A' from_method_pct)" 0 && [ "$(part 'Card B' status)" = same ]
check $? 'diff: a dearer card moves by its price, to 1e-9; the others do not move'
gpuguide diff "$work/editions/first" "$work/editions/dearer"
grep -q 'prices, 1 changed: data/prices/2019-05-20.csv' "$work/out" && grep -q 'price 100 %, data 0 %, method 0 %' "$work/out"
check $? 'diff: the price file is named as the cause'

# Card B runs 10 % faster in both networks: its score, a geometric mean of ratios to Card A, is 10 % higher.
sed -i 's/throughput,300,/throughput,330,/; s/time,40,/time,36.36363636363636,/' "$diff_root/data/contributions/lab/b.csv"
made faster
gpuguide diff "$work/editions/dearer" "$work/editions/faster" --format csv
near "$(part 'Card B' from_data_pct)" 10 && near "$(part 'Card B' from_price_pct)" 0 && near "$(part 'Card B' from_method_pct)" 0
check $? 'diff: new rows move a card by data, to 1e-9'
gpuguide diff "$work/editions/first" "$work/editions/faster" --format csv
near "$(part 'Card A' from_price_pct)" -10 && near "$(part 'Card B' from_data_pct)" 10
check $? 'diff: over two editions each card keeps its own cause'

# Other rules: what moves now moves by method.
sed -i 's/^markets = amazon, ebay/markets = amazon/; s/^precision = guide/precision = best/' "$diff_root/editions/three.ini"
made rules
gpuguide diff "$work/editions/faster" "$work/editions/rules" --format csv
# Card A was 500 and is 600, amazon alone: -16.67 %, by the mix of markets
near "$(part 'Card A' from_method_pct)" -16.6666666667 && near "$(part 'Card A' from_price_pct)" 0
check $? 'diff: another mix of markets moves by method'
gpuguide diff "$work/editions/faster" "$work/editions/rules" --class cnn
grep -q 'policy.cnn: guide before, best now' "$work/out" && grep -q 'markets: amazon, ebay before, amazon now' "$work/out" &&
	grep -q 'edition file, 1 changed: editions/three.ini' "$work/out"
check $? 'diff: settings and the edition file are named'
[ "$(csv_get "$work/editions/rules/data/prices.csv" status device='Card C' lens=card)" != missing ] ||
	{ gpuguide diff "$work/editions/faster" "$work/editions/rules" --format csv; [ "$(part 'Card C' status)" = gone ] && [ "$(part 'Card C' reason)" = 'no price now' ]; }
check $? 'diff: a card that no market of the new mix sells is gone, with the reason'

# The same sum from another place: a list price of long ago became a market's of today. And another method found best.
cp -R "$work/editions/first" "$work/editions/listed"
csv_get "$work/editions/first/data/prices.csv" markets device='Card B' lens=card >"$work/markets"
sed -i "s/^\(Card B,card,.*\),$(cat "$work/markets"),\(.*\),[^,]*$/\1,msrp,\2,stale fallback/" "$work/editions/listed/data/prices.csv"
sed -i 's/^method\.cnn,.*/method.cnn,another/' "$work/editions/listed/data/edition.csv"
sed -i 's/^scaling\.cnn,.*/scaling.cnn,best/' "$work/editions/listed/data/edition.csv" "$work/editions/first/data/edition.csv"
reseal "$work/editions/listed"
reseal "$work/editions/first"
gpuguide diff "$work/editions/listed" "$work/editions/first"
grep -q "Card B (rank [0-9]*): price from: msrp before, $(cat "$work/markets") now; price status: stale fallback before, " "$work/out" &&
	grep -q '^  other grounds, no move:$' "$work/out" && grep -q '^cnn: 1 card changed' "$work/out" && ! grep -q 'moved only in rank' "$work/out"
check $? 'diff: a price of the same sum from another market is named with both'
grep -A 1 '^Results that differ:' "$work/out" | grep -q '^  method.cnn: another before, ' && ! grep -q '^Settings that differ:' "$work/out"
check $? 'diff: the method found best is a result, no setting'
gpuguide diff "$work/editions/listed" "$work/editions/first" --format json
tr -d '\n' <"$work/out" | grep -q '"settings": \[\], *"results": \[ *{"key": "method.cnn", "old": "another"'
check $? 'diff: in JSON too'

gpuguide diff "$work/editions/first" "$work/editions/rules" --format json
tr -d '\n' <"$work/out" | grep -q '"nothing_changed": false' && [ "$(tr -cd '{' <"$work/out" | wc -c)" -eq "$(tr -cd '}' <"$work/out" | wc -c)" ] &&
	[ "$(tr -cd '[' <"$work/out" | wc -c)" -eq "$(tr -cd ']' <"$work/out" | wc -c)" ] && ! grep -qi 'nan\|inf[,} ]' "$work/out"
check $? 'diff: JSON is balanced and has null for what is not known'

gpuguide diff "$work/editions/first"
ended 2 'diff: one folder is not enough' 'two edition folders are needed'
gpuguide diff "$work/editions/first" "$work/editions/again" "$work/editions/rules"
ended 2 'diff: three are too many' 'two edition folders are needed, not 3'
gpuguide diff "$work/editions/first" "$work/editions/again" --class llm
ended 2 'diff: a class of neither edition' "--class: 'llm' is a class of neither edition"
gpuguide diff "$work/editions/first" "$work/nowhere"
ended 2 'diff: no such folder' 'not a folder, so no edition'
gpuguide diff "$work/editions/first" "$diff_root"
ended 2 'diff: a folder that holds no edition' 'data/scores.csv'

# Torn at every 17th byte: an error with the file's name; without a MANIFEST that, or no harm; never a crash.
good=0 refused=0 sealed=0 cuts=0
size=$(wc -c <"$work/editions/first/data/values.csv")
cp -R "$work/editions/first" "$work/editions/sealed"
cp -R "$work/editions/first" "$work/editions/torn"
rm "$work/editions/torn/MANIFEST"
at=1
while [ $at -lt "$size" ]; do
	head -c $at "$work/editions/first/data/values.csv" >"$work/editions/torn/data/values.csv"
	cp "$work/editions/torn/data/values.csv" "$work/editions/sealed/data/"
	gpuguide diff "$work/editions/first" "$work/editions/sealed"
	cuts=$((cuts + 1))
	[ "$status" -eq 1 ] && grep -q 'data/values.csv: not the file that MANIFEST lists' "$work/err" && sealed=$((sealed + 1))
	gpuguide diff "$work/editions/first" "$work/editions/torn"
	case $status in
	0) ;;
	1) refused=$((refused + 1)); grep -q 'data/values.csv:[0-9]' "$work/err" || good=1 ;;
	*) good=1 ;;
	esac
	grep -qE 'Sanitizer|runtime error:' "$work/err" && good=1
	at=$((at + 17))
done
[ $refused -gt 0 ] || good=1
[ $sealed -eq $cuts ]
check $? "diff: a values.csv torn anywhere is not the one of MANIFEST ($sealed of $cuts)"
check $good "diff: a values.csv torn anywhere is read or refused with its place ($refused refused)"
# Names that would steer a terminal are shown without doing so.
cp -R "$work/editions/first" "$work/editions/words"
rm "$work/editions/words/MANIFEST"
sed -i "s/Card B/Card $(printf '\033[2J')/" "$work/editions/words/data/scores.csv" "$work/editions/words/data/values.csv"
gpuguide diff "$work/editions/first" "$work/editions/words"
[ "$status" -eq 0 ] && grep -q 'Card ?\[2J' "$work/out" && ! grep -q "$(printf '\033')" "$work/out"
check $? 'diff: no control character reaches the terminal'
