# The guide's claims re-checked: every edition has all of them with a verdict that its own files bear out.
[ -n "${guide:-}" ] && [ -d "$guide" ] || { gpuguide report guide-2019-04 --out "$work/guide"; guide=$work/guide/2019-05-31; }
[ -n "${shipped:-}" ] && [ -d "$shipped" ] || { gpuguide report --out "$work/one"; shipped=$(echo "$work"/one/2*); }
gpuguide report guide-2016-06 --out "$work/older"
older=$(echo "$work"/older/2*)
[ -d "$guide" ] && [ -d "$shipped" ] && [ -d "$older" ] || { check 1 'claims: the editions are made'; return 0; }

# A CSV with quotes, but no line end in a cell, to cells between tabs.
csv_tabs() {
	awk '{
		out = ""
		for (s = $0; length(s); s = substr(s, 2)) {
			if (match(s, /^"([^"]|"")*"/)) {
				cell = substr(s, 2, RLENGTH - 2)
				gsub(/""/, "\"", cell)
			} else {
				match(s, /^[^,]*/)
				cell = substr(s, 1, RLENGTH)
			}
			s = substr(s, RLENGTH + 1)
			out = out cell
			if (s == "") break
			out = out "\t"
		}
		print out
	}' "$1"
}

for edition in "$guide" "$older" "$shipped"; do
	name=$(basename "$edition")
	csv_tabs "$edition/data/claims.csv" >"$work/claims"
	[ "$(head -n 1 "$edition/data/claims.csv")" = 'id,claim,guide_value,computed_value,verdict,source,kind,why,computed_value_msg,why_msg' ]
	check $? "claims $name: the columns"
	awk -F '\t' 'NR > 1 && $1 != NR - 1 { bad = 1 } END { exit bad || NR != 45 }' "$work/claims"
	check $? "claims $name: 1 to 44, each once, in order"
	awk -F '\t' 'NR > 1 && ($5 !~ /^(reproduced|not-reproduced|not-testable)$/ || $7 !~ /^(computed|carried)$/ || $8 !~ /\.$/ ||
		($5 != "not-testable" && $4 == "")) { print "# claim " $1; bad = 1 } END { exit bad }' "$work/claims"
	check $? "claims $name: verdict and kind are words of their lists, why is a sentence, what is judged shows a value"
	for verdict in reproduced not-reproduced not-testable; do
		got=$(awk -F '\t' -v v=$verdict '$5 == v' "$work/claims" | wc -l)
		told=$(awk -F, -v k="claims.$verdict" '$1 == k { print $2 }' "$edition/data/edition.csv")
		[ "$got" -gt 0 ] && [ "$got" -eq "${told:-0}" ]
		check $? "claims $name: $got $verdict, as edition.csv says"
	done
done
awk -F '\t' 'NR > 1 && $8 ~ /Prices of 20/ && $8 !~ /; the guide spoke of 20/ { bad = 1 } $8 ~ /Prices of 20/ { n++ }
	END { exit bad || n < 5 }' "$work/claims"
check $? "claims $name: prices of another time than the guide's are called so"

# The guide's edition. What rests on arithmetic or on its own prices must come out; the others may, as rows arrive.
csv_tabs "$guide/data/claims.csv" >"$work/claims"
for id in 15 25 26 29; do
	[ "$(awk -F '\t' -v id=$id '$1 == id { print $5 }' "$work/claims")" = reproduced ]
	check $? "claims guide-2019-04: claim $id is reproduced"
done
awk -F '\t' '$1 == 25 { exit !($4 ~ /^91\.6 > 1906\.5 > 3721\.0 > 5445\.1 MiB; corrected 91\.6 > 1922\.0 > 3782\.[23] > 5581\.5 MiB$/) }' \
	"$work/claims"
check $? 'claims guide-2019-04: the trace of 2016 and the corrected one'

# Claim 15 once more, from values.csv: the value of an RTX 2060 over the best V100's, class by class.
awk -F, '$3 == "card" && $5 != "" {
		if ($1 == "RTX 2060") small[$2] = $5
		if ($1 ~ /^Tesla V100/ && $5 > tesla[$2]) tesla[$2] = $5
	}
	END { for (c in small) if (c in tesla) printf "%.1f\n", small[c] / tesla[c] }' "$guide/data/values.csv" | sort >"$work/ratios"
awk -F '\t' '$1 == 15 { n = split($4, piece, "; "); for (i = 1; i <= n; i++) { split(piece[i], word, " "); print word[1] } }' \
	"$work/claims" | sort | diff "$work/ratios" - >"$work/diff" && [ "$(awk '!($1 > 5)' "$work/ratios" | wc -l)" -eq 0 ] &&
	[ -s "$work/ratios" ]
check $? "claims guide-2019-04: a dollar in RTX 2060 does $(paste -s -d ' ' "$work/ratios") times as much as in a V100, all above 5"

# The days of its prices are those in prices.csv: of the RTX 2060 and of the V100 that each class compares.
awk -F '\t' '$1 == 15 { s = $4; while (match(s, /, Tesla [^)]*/)) { print substr(s, RSTART + 2, RLENGTH - 2); s = substr(s, RSTART + RLENGTH) } }' \
	"$work/claims" >"$work/teslas"
echo 'RTX 2060' >>"$work/teslas"
awk -F, 'NR == FNR { wanted[$1]; next } $2 == "card" && $1 in wanted { print $8 }' "$work/teslas" "$guide/data/prices.csv" | sort -u >"$work/days"
oldest=$(head -n 1 "$work/days") newest=$(tail -n 1 "$work/days")
[ "$oldest" = "$newest" ] && days=$oldest || days="$oldest to $newest"
awk -F '\t' -v days="$days" '$1 == 15 { exit !index($8, "Prices of " days ",") }' "$work/claims" && [ -n "$oldest" ]
check $? "claims guide-2019-04: claim 15 names the days of its prices ($days)"

# Every persona with our first pick and the guide's card; agreement is what the two cells say.
csv_tabs "$guide/data/picks.csv" | awk -F '\t' '
	NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
	$(at["rank"]) == 1 || $(at["rank"]) == "" {
		ours = $(at["device"]) == "" ? "no card" : $(at["device"])
		guide = $(at["guide_pick"])
		agrees = $(at["agrees"])
		printf "# %-26s %-24s guide: %-32s %s\n", $(at["persona"]), ours, guide == "" ? "-" : guide, agrees
		if (guide != "") personas++
		if (agrees == "yes" && !index(guide, ours)) bad = 1
	}
	END { exit bad || personas < 10 }'
check $? 'claims guide-2019-04: a persona agrees with the guide where the same card stands in both'

# The column `test` of the list: each file is there.
csv_tabs data/claims.csv | awk -F '\t' 'NR > 1 { print $6 }' | sort -u | while read -r file; do
	[ -f "$file" ] || echo "$file"
done >"$work/missing"
[ ! -s "$work/missing" ]
check $? 'claims: every claim names a test that is there'
