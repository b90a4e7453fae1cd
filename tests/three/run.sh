#!/bin/sh
# Three cards computed by hand: scores, prices and values to 1e-9, and the same words and numbers in HTML, PDF and JSON.
#   tests/three/run.sh BUILD      from the repository root
set -u
program=$(cd "$1" && pwd)/gpuguide
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp -R tests/three/root "$work/root"
cp -R templates "$work/root/templates"
n=0
ok() { # name, then a command that must succeed
	name=$1
	shift
	n=$((n + 1))
	if "$@" >"$work/said" 2>&1; then echo "ok $n - $name"; else
		echo "not ok $n - $name"
		sed 's/^/# /' "$work/said" | head -n 20
	fi
}
near() { # file, device, column, wanted as an awk expression
	awk -F, -v device="$2" -v column="$3" "NR == 1 { for (i = 1; i <= NF; i++) if (\$i == column) c = i; next }
		\$1 == device && !seen++ { want = $4; got = \$c; d = got - want; if (d < 0) d = -d
			if (!(d <= 1e-9)) { printf \"%s %s: %.15g, wanted %.15g\\n\", device, column, got, want; bad = 1 } }
		END { exit bad || !seen }" "$1"
}
ok 'a report of three cards' "$program" report -q --root "$work/root" -o "$work/out"
edition=$work/out/2019-03-31
data=$edition/data

# Rates relative to Card A; Card B's net1 is the median 200 of 190, 200, 230; net2 is a time.
ok 'the reference' near "$data/scores.csv" 'Card A' score '1'
ok 'geometric mean of ratios, B' near "$data/scores.csv" 'Card B' score 'sqrt((200 / 100) * (20 / 12.5))'
ok 'geometric mean of ratios, C' near "$data/scores.csv" 'Card C' score 'sqrt((40 / 100) * (20 / 34))'
ok 'mean of two markets' near "$data/prices.csv" 'Card A' price_usd '(500 + 400) / 2'
ok 'one market is not averaged with 0' near "$data/prices.csv" 'Card B' price_usd '1000'
ok 'and is marked' grep -q '^Card B,card,1000,.*,single-source$' "$data/prices.csv"
ok 'euros become dollars' near "$data/prices.csv" 'Card C' price_usd '(100 * 1.14 + 120) / 2'
best='(sqrt((40 / 100) * (20 / 34)) / 117)'
ok 'value of A' near "$data/values.csv" 'Card A' value "(1 / 450) / $best"
ok 'value of B' near "$data/values.csv" 'Card B' value "(sqrt(2 * 1.6) / 1000) / $best"
ok 'value of C, the best' near "$data/values.csv" 'Card C' value '1'
ok 'rank of C' near "$data/values.csv" 'Card C' rank '1'
ok 'rank of A' near "$data/values.csv" 'Card A' rank '2'
ok 'rank of B' near "$data/values.csv" 'Card B' rank '3'

# --- HTML and PDF say the same ----------------------------------------------------------------------------
# Every table cell and paragraph of the page, one a line, must stand in the PDF, blanks apart.
xmllint --html --nowarning --noblanks --xpath '//main//td | //main//th | //main//p | //main//h2 | //main//li' \
	"$edition/index.html" 2>/dev/null |
	sed -e 's/<\/t[dh]>/\n/g; s/<\/p>/\n/g; s/<\/a>/\n/g; s/<\/h2>/\n/g; s/<\/li>/\n/g; s/<[^>]*>//g' \
		-e 's/&lt;/</g; s/&gt;/>/g; s/&quot;/"/g; s/&#160;/ /g; s/&nbsp;/ /g; s/&amp;/\&/g' |
	tr -d ' \t\r\302\240' | grep . | sort -u >"$work/html.txt"
pdftotext -layout "$edition/report.pdf" "$work/layout.txt"
pdftotext -raw "$edition/report.pdf" "$work/raw.txt"
cat "$work/raw.txt" "$work/layout.txt" | tr -d ' \t\r\n\f\302\240' >"$work/pdf.txt"
missing() {
	while read -r line; do
		grep -qF -- "$line" "$work/pdf.txt" || echo "only in the page: $line"
	done <"$work/html.txt" >"$work/missing"
	cat "$work/missing"
	[ "$(wc -l <"$work/html.txt")" -gt 60 ] && [ ! -s "$work/missing" ]
}
ok 'every cell and paragraph of the page stands in the PDF' missing
numbers() { grep -oE '[0-9]+([.,][0-9]+)*' | sort -u; }
numbers_agree() {
	grep -vE 'Page [0-9]+ of|^ *[A-Za-z ]+[0-9]+$' "$work/layout.txt" | numbers >"$work/pdf.numbers"
	sed 's/<style.*<\/style>//; s/<[^>]*>/ /g' "$edition/index.html" | numbers >"$work/html.numbers"
	comm -23 "$work/pdf.numbers" "$work/html.numbers" >"$work/only"
	sed 's/^/only in the PDF: /' "$work/only"
	[ ! -s "$work/only" ]
}
ok 'no number of the PDF is missing in the page' numbers_agree
for number in 1.79 0.49; do
	ok "$number in the page" grep -q "$number" "$edition/index.html"
	ok "$number in the PDF" grep -q "$number" "$work/layout.txt"
done
ok 'the exact score in report.json' sh -c 'grep -q "$(grep "^Card B,cnn" "$1/scores.csv" | cut -d, -f3)" "$2"' - "$data" "$edition/report.json"
# A data folder that contradicts itself must not end the program by a signal.
cp -R "$edition" "$work/torn"
sed -i '/^Card [AC],card/d' "$work/torn/data/prices.csv"
torn() {
	"$program" render -q --root "$work/root" -o "$work/torn" 2>"$work/err"
	[ $? = 1 ] && grep -q "values.csv:2: 'Card A' has a value but no price in prices.csv" "$work/err" || { cat "$work/err"; false; }
}
ok 'values.csv knows a price that prices.csv lacks' torn
echo "1..$n"
