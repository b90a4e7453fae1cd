# Three invented cards: scores and values by hand, and every format says the same.

# awk's own way from the contributed rows to one number a card and workload: the median over machines of the median over repeats.
hand_scores() {
	cat "$1"/data/contributions/lab/*.csv | awk -F, '
		function median(list, out, m, i, j, v, t) {
			m = split(list, v, " ")
			for (i = 2; i <= m; i++)
				for (j = i; j > 1 && v[j - 1] + 0 > v[j] + 0; j--) { t = v[j]; v[j] = v[j - 1]; v[j - 1] = t }
			return m % 2 ? v[(m + 1) / 2] : (v[m / 2] + v[m / 2 + 1]) / 2
		}
		$1 == "machine" || $10 == "nan" { next }
		{
			card = tolower($3); gsub(/geforce|[ -]/, "", card); card = "Card " toupper(substr(card, 5))
			runs[card "\t" $6 "\t" $1] = runs[card "\t" $6 "\t" $1] " " $10
			unit[$6] = $11
		}
		END {
			for (key in runs) {
				split(key, part, "\t")
				cell[part[1] "\t" part[2]] = cell[part[1] "\t" part[2]] " " median(runs[key])
			}
			for (key in cell) {
				split(key, part, "\t")
				ratio = median(cell[key]) / median(cell["Card A\t" part[2]])
				logs[part[1]] += log(unit[part[2]] == "ms" ? 1 / ratio : ratio); count[part[1]]++
			}
			for (card in logs) printf "%s,%.15g\n", card, exp(logs[card] / count[card])
		}' | sort
}

# score / price over the best: prices as the edition's rules pick them, written down here by hand.
hand_values() {
	hand_scores "$1" | awk -F, '
		BEGIN {
			price["Card A"] = (500 + 400) / 2 # newest amazon and newest ebay
			price["Card B"] = 1000            # amazon only: the lowest of its day; June does not exist yet
			price["Card C"] = 255 * 1.25      # used: the median of three, at the last rate before that day
		}
		{ value[$1] = $2 / price[$1]; if (value[$1] > best) best = value[$1] }
		END { for (card in value) printf "%s,%.15g,%.15g\n", card, price[card], value[card] / best }' | sort
}


three_numbers() {
	hand_scores "$root" >"$work/scores"
	hand_values "$root" >"$work/values"
	good=0
	while IFS=, read -r card score; do
		near "$(csv_get "$edition/data/scores.csv" score device="$card" class=cnn)" "$score" || good=1
	done <"$work/scores"
	[ "$(wc -l <"$work/scores")" -eq 3 ] && near "$(csv_get "$work/scores-named" s d='Card B')" 1.3624426593438 || good=1
	check $good 'three: scores.csv is the geometric mean of the ratios, to 1e-9'
	good=0
	while IFS=, read -r card price value; do
		near "$(csv_get "$edition/data/prices.csv" price_usd device="$card" lens=card)" "$price" || good=1
		near "$(csv_get "$edition/data/values.csv" value device="$card" lens=card)" "$value" || good=1
	done <"$work/values"
	check $good 'three: values.csv is (score / price) / best, to 1e-9'
}

# Ranks go by value; a card is tied when its interval overlaps that of the rank above.
three_ranks() {
	ranks=$(awk -F, 'NR > 1 && $3 == "card" && $10 == "ok" { print $5 "," $6 "," $7 "," $1 }' "$edition/data/values.csv" |
		sort -t, -k1,1gr | awk -F, '
		{ printf("%s%s:%d:%s", (NR > 1 ? " " : ""), substr($4, 6), NR, (NR > 1 && $3 + 0 >= low ? "yes" : "no")); low = $2 + 0 }')
	got=$(awk -F, '$3 == "card" { print $8 ":" $9 ":" substr($1, 6) }' "$edition/data/values.csv" | sort | awk -F: '
		{ printf("%s%s:%s:%s", (NR > 1 ? " " : ""), $3, $1, $2) }')
	[ "$ranks" = "$got" ] && [ "$got" = 'A:1:no C:2:yes B:3:no' ]
	check $? "three: ranks and ties ($got)"
	[ "$(csv_get "$edition/data/prices.csv" status device='Card A'),$(csv_get "$edition/data/prices.csv" status device='Card B'),$(
		csv_get "$edition/data/prices.csv" status device='Card C')" = 'ok,single-source,single-source used' ]
	check $? 'three: one market, two markets and a used price are told apart'
}

# Each figure with two decimals, wherever a reader meets it.
three_rounded() {
	html_text "$edition/index.html" >"$work/html.txt"
	pdf_text "$edition/report.pdf" "$(basename "$edition")-" >"$work/pdf.txt"
	good=0
	for words in '1.36 (' '0.61 (' '1.00 (1.00–1.00)' '0.86 (' '$450' '$1,000' '$319' '$400–$500' 'one market only, used'; do
		for file in html.txt pdf.txt; do
			grep -qF -e "$words" "$work/$file" || { echo "# $file lacks $words"; good=1; }
		done
		grep -qF -e "\"$words" "$edition/report.json" || { echo "# report.json lacks $words"; good=1; }
	done
	check $good 'three: page, PDF and JSON show the same rounded numbers'
	awk -F, 'NR > 1 { print "\"" $1 "\".*\"score\": " $3 ","; print "\"" $1 "\".*\"score\": " $3 ", \"low\": " $4 }' \
		"$edition/data/scores.csv" >"$work/json-want"
	awk -F, '$10 == "ok" { print "\"" $1 "\".*\"cost_usd\": " $4 ", \"value\": " $5 "," }' "$edition/data/values.csv" >>"$work/json-want"
	good=0
	while read -r want; do
		grep -q -e "$want" "$edition/report.json" || { echo "# report.json lacks $want"; good=1; }
	done <"$work/json-want"
	check $good 'three: report.json has the numbers of scores.csv and values.csv'
}

root=$(small_root three)
gpuguide report three --root "$root" --out "$work/three-out"
edition=$work/three-out/2019-05-31
ended 0 'three: the edition is made' 'lab/c.csv:4:47: value: '"'nan' is not a number" \
	'3 files, 14 rows: 13 accepted, 1 rejected, 0 set aside'
[ -d "$edition" ] || return 0
{ echo 'd,s'; hand_scores "$root"; } >"$work/scores-named"
three_numbers
three_ranks
three_rounded
same_words "$edition" three

# A data folder that contradicts itself: refused with its place, not a crash.
cp -R "$edition" "$work/torn"
sed -i '/^Card A,card/d' "$work/torn/data/prices.csv"
gpuguide render three --root "$root" --out "$work/torn"
ended 1 'three: a value without a price' "values.csv:2: 'Card A' has a value but no price in prices.csv"
