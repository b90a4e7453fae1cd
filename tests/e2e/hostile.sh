# What a contributor could hide in names: nothing of it may run, mark up, move a cursor, or leave the folder.

root=$(small_root hostile)
header=machine,date,device,device_count,class,workload,precision,batch_size,metric,value,unit,framework,driver,repeat,source

# Every odd text, one a line, as printf wants it. The last but one is a line of its own made long.
long=$(awk 'BEGIN { for (i = 0; i < 10000; i++) printf "x" }')
hostile_texts() {
	cat <<'END'
=cmd|'/C calc'!A0
+1+1
-2+3
@SUM(A1)
'=1+1
<script>alert(1)</script>
</title><svg onload=alert(1)>
]]></text><b>
`touch x1`
$(touch x2)
;touch x3;
%n%n%s%999999d
../../x4
/etc/passwd
C:\con\nul
{name} *strong* {
\033[2J\033]0;owned\007
\302\233[31m
\342\200\256gnp.exe
\342\201\246bidi\342\201\251
\360\237\230\200 \344\270\255\346\226\207
e\314\201\314\202\314\203
END
	echo "$long"
	say '\357\277\276\357\277\277'
}

say() { printf '%s\n' "$1"; } # echo would read \n and \c

mkdir "$root/data/contributions/..weird;name" "$root/data/contributions/w..eird;name" "$root/data/contributions/<b>\$(x)\`y\`"
echo "$header" >"$work/machines.csv"
echo "$header" >"$work/devices.csv"
i=0
hostile_texts | while IFS= read -r text; do
	i=$((i + 1))
	# shellcheck disable=SC2059
	case $text in *\\0* | *\\3*) text=$(printf "$text") ;; esac
	cell=\"$(printf '%s' "$text" | sed 's/"/""/g')\"
	say "$cell,2019-04-04,Card B,1,cnn,resnet50,fp16,64,throughput,$((300 + i)).5,images/s,$cell,$cell,1,$cell" \
		>>"$work/machines.csv"
	say "m$i,2019-04-04,$cell,1,cnn,resnet50,fp16,64,throughput,300,images/s,torch,418,1,lab" >>"$work/devices.csv"
	say "m$i,2019-04-04,Card B,1,$cell,resnet50,fp16,64,throughput,300,images/s,torch,418,1,lab" >>"$work/devices.csv"
	say "m$i,2019-04-04,Card B,1,cnn,$cell,fp16,64,throughput,300,images/s,torch,418,1,lab" >>"$work/devices.csv"
	say "m$i,$cell,Card B,$cell,cnn,resnet50,$cell,$cell,$cell,$cell,$cell,torch,418,$cell,lab" >>"$work/devices.csv"
	say "2019-05-20,$cell,amazon,new,USD,500,unit,,,x" >>"$root/data/prices/2019-05-20.csv"
	say "2019-05-20,Card A,$cell,new,USD,500,unit,,,$cell" >>"$root/data/prices/2019-05-20.csv"
done
texts=$(hostile_texts | wc -l)
cp "$work/machines.csv" "$root/data/contributions/w..eird;name/=cmd|x.csv"
cp "$work/machines.csv" "$root/data/contributions/..weird;name/x.csv"
cp "$work/devices.csv" "$root/data/contributions/<b>\$(x)\`y\`/a'\"b.csv"
sed 's/\.5,/.25,/' "$work/machines.csv" >"$root/data/contributions/lab/$(printf 'esc\033[2J\nline\202.csv')"
printf '%s,<script>,\033[2J,=x\n' "$header" >"$root/data/contributions/lab/header.csv"
sed -i -e 's/^title = .*/title = <script>alert("\&")<\/script> $(x) `y` {z} *w*/' \
	-e 's/^summary = .*/summary = =cmd|x <img src=x onerror=y> {name} \\q/' "$root/editions/three.ini"
printf '\n[notes]\n1 = <b>{rows?a:b}</b>\n' >>"$root/editions/three.ini"

mkdir "$work/hostile-cwd"
(cd "$work/hostile-cwd" && "$program" report three --root "$root" --out out --verbose >"$work/out" 2>"$work/err" </dev/null)
status=$?
ended 0 'hostile: the edition is made all the same' "..weird;name: passed over: a hidden name"
edition=$work/hostile-cwd/out/2019-05-31
[ -d "$edition" ] || return 0
sum=$(awk -F, '$1 == "\"w..eird;name\"" { print $4 "=" $5 "+" $6 "+" $7 }' "$edition/data/sources.csv")
[ "$sum" = "$texts=$((texts - 6))+6+0" ]
check $? "hostile: a series called w..eird;name has its $texts rows; one of 10,000 characters and five that are not seen as they are are refused"
codes=$(grep -c '^"w\.\.eird;name/.*,machine,character,' "$edition/data/rejects.csv")
[ "$codes" -eq 5 ] && grep -qF ',machine,character,<U+202E>gnp.exe,' "$edition/data/rejects.csv"
check $? 'hostile: these are shown by the number of their character'

# Bytes that a terminal obeys: C0 but the line end, DEL, C1 and what turns the direction of text.
cat "$work/out" "$work/err" >"$work/said"
"$program" collect three --root "$root" --out "$work/hostile-collected" "$root/data/contributions" 2>>"$work/said"
"$program" analyze three --root "$root" --out "$work/hostile-collected" 2>>"$work/said"
[ "$(grep -c '^.*: the nearest\|nearest:' "$work/said")" -gt "$texts" ]
check $? 'hostile: each refusal is said'
! grep -qaP '[\x00-\x09\x0b-\x1f\x7f]|\xc2[\x80-\x9f]|\xe2\x80[\x8e\x8f\xaa-\xae]|\xe2\x81[\xa6-\xa9]|\xd8\x9c' "$work/said"
check $? 'hostile: nothing a terminal obeys is said'
iconv -f UTF-8 -t UTF-8 "$work/said" >/dev/null 2>&1
check $? 'hostile: what is said is UTF-8, cut texts too'
[ "$(awk '{ if (length > m) m = length } END { print m + 0 }' "$work/said")" -lt 1200 ]
check $? 'hostile: a name of 10,000 characters is cut'
# The page's own are the scripts, each on a line of its own, and the kind of a file.
! sed -e 's/^<script type="application\/[a-z+]*json"[^<>]*>//' -e 's/^<script>\/\* What a page can do//' -e 's/<b>\(CSV\|SVG\)<\/b>//g' "$edition/index.html" |
	grep -qaiE '<script|<img|<b>|<svg[^>]*onload|onerror=y>|</title><svg'
check $? 'hostile: no mark-up of theirs in the page'
grep -qF '&lt;script&gt;alert(&quot;&amp;&quot;)&lt;/script&gt; $(x) &#96;y&#96; {z} *w*' "$edition/index.html"
check $? 'hostile: the words themselves are shown'
page_reads "$edition/index.html" && xmllint --noout "$edition"/figures/*.svg 2>"$work/err"
check $? 'hostile: page and figures are well-formed'
qpdf --check "$edition/report.pdf" >"$work/out" 2>&1 && pdftotext "$edition/report.pdf" "$work/pdf.txt" &&
	grep -qF '<script>alert("&")</script> $(x)' "$work/pdf.txt"
check $? 'hostile: the PDF is whole and shows the words'

# A formula is a cell that starts with = + - @ or a tab and is no number; cells are found by awk, quotes minded.
for file in "$edition"/data/*.csv; do
	awk '{ text = text $0 "\n" }
		END {
			for (i = 1; i <= length(text); i++) {
				c = substr(text, i, 1)
				if (!quoted && (c == "," || c == "\n")) { cell(it); it = ""; continue }
				if (c == "\"") { quoted = !quoted; continue }
				it = it c
			}
			exit bad
		}
		function cell(s) {
			if (s ~ /^[=+@\t\r-]/ && s !~ /^-?[0-9.]+(e[+-]?[0-9]+)?$/) { print "# formula in " FILENAME ": " substr(s, 1, 60); bad = 1 }
		}' "$file" || echo bad >>"$work/formulas"
done
[ ! -e "$work/formulas" ]
check $? 'hostile: no cell of data/ is a formula'
! grep -lP '[\x00-\x09\x0b-\x1f\x7f]' "$edition"/data/*.csv "$edition/report.json" "$edition/MANIFEST"
check $? 'hostile: no control character in the outputs'
if have python3; then
	python3 -c 'import json, sys; json.load(open(sys.argv[1], encoding="utf-8"))' "$edition/report.json" 2>"$work/err"
	check $? 'hostile: report.json is JSON'
fi
[ "$(ls -A "$work/hostile-cwd")" = out ] && [ "$(ls "$work/hostile-cwd/out")" = 2019-05-31 ] && [ ! -e "$work/x4" ]
check $? 'hostile: no file but the edition came to be'

# Names of cards reach gnuplot, the pages and every table: here they come from the catalogue itself.
root=$(small_root hostile-cards)
echo 'name,device,scope,used_by' >"$root/data/aliases.csv"
find "$root/data" "$root/editions" -type f -exec sed -i -e 's/GeForce Card A\|card-a\|Card A/C`touch x`$(touch y);system(z)/g' \
	-e "s/Card B/{\\/Symbol a}_b^c@\\&~%d\\\\n#'B/g" -e 's/Card C/=1+1|<b>\&amp;/g' {} +
(cd "$work/hostile-cwd" && "$program" report three --root "$root" --out cards >"$work/out" 2>"$work/err" </dev/null)
status=$?
ended 0 'hostile: cards with such names are drawn'
edition=$work/hostile-cwd/cards/2019-05-31
[ -d "$edition" ] || return 0
pdftotext -raw "$edition/report.pdf" "$work/pdf.txt"
good=0
for card in 'C`touch x`$(touch y);system(z)' "{/Symbol a}_b^c@&~%d\\n#'B" '=1+1|<b>&amp;'; do
	[ "$(grep -cF -e "$card" "$work/pdf.txt")" -ge 4 ] || { echo "# the PDF lacks $card"; good=1; }
	html_text "$edition/index.html" | grep -qxF -e "$card" || { echo "# the page lacks $card"; good=1; }
done
check $good 'hostile: their names stand in page and PDF as they are'
! grep -q '^=' "$edition/data/scores.csv" && [ "$(grep -c "^\"'=1+1|" "$edition/data/scores.csv")" -eq 1 ]
check $? 'hostile: and are no formula'
[ "$(ls -A "$work/hostile-cwd" | tr '\n' ' ')" = 'cards out ' ] && [ ! -e x ] && [ ! -e y ]
check $? 'hostile: and were not run'
