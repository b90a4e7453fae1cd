# What every part uses. Nothing here prints but the TAP lines and, after a failure, what was seen.

# Runs the program; its exit status is in $status, its words in $work/out and $work/err.
gpuguide() {
	"$program" "$@" >"$work/out" 2>"$work/err" </dev/null
	status=$?
}

# want 'name' [pattern...]: the last run ended with that status and each fixed text stands on standard error.
ended() {
	want=$1 name=$2 good=0
	shift 2
	[ "$status" -eq "$want" ] || { echo "# exit $status, wanted $want"; good=1; }
	for text in "$@"; do
		grep -qF -e "$text" "$work/err" && continue
		echo "# not said: $text"
		good=1
	done
	[ $good -eq 0 ] || tail -n 3 "$work/err" | cat -v | cut -c 1-300 | sed 's/^/# said: /'
	if grep -qE 'Sanitizer|runtime error:' "$work/err"; then
		grep -E -A 8 'Sanitizer|runtime error:' "$work/err" | sed 's/^/# /'
		good=1
	fi
	check $good "$name"
}

# No edition stands under OUT: only hidden names.
no_edition() {
	[ -z "$(ls "$1" 2>/dev/null)" ]
	check $? "$2"
}

# A root of its own with the three invented cards; prints its path. The files can be changed at will.
small_root() {
	rm -rf "$work/$1"
	cp -R "$here/three" "$work/$1"
	cp -R templates "$work/$1/"
	echo "$work/$1"
}

# An edition whose tables were changed on purpose gets a MANIFEST that lists them so.
reseal() {
	for table in "$1"/data/*.csv; do
		sum=$(sha256sum <"$table" | cut -d ' ' -f 1)
		sed -i "s,^[0-9a-f]*\(  [0-9]*  data/$(basename "$table")\)\$,$sum\1," "$1/MANIFEST"
	done
}

# A CSV of simple cells (none quoted with a comma inside) to one value: csv_get FILE WANTED_COLUMN KEY_COLUMN=VALUE...
csv_get() {
	awk -F, -v file_keys="$(shift 2; printf '%s\t' "$@")" -v wanted="$2" '
		NR == 1 {
			for (i = 1; i <= NF; i++) at[$i] = i
			nkeys = split(file_keys, key, "\t") - 1
			next
		}
		{
			for (k = 1; k <= nkeys; k++) {
				split(key[k], pair, "=")
				if ($(at[pair[1]]) != pair[2]) next
			}
			print $(at[wanted])
		}' "$1"
}

# The text of a page without its markup: one line a block, blanks squeezed. Titles and descriptions of drawings are left out:
# they are for screen readers and have no place on paper; no more have scripts, the prices of one's own, links around the page
# and to files, and the signs that the PDF explains once.
html_text() {
	sed -n '/<body/,$p' "$1" | sed -e '/<nav .*<\/nav>/d' -e '/<nav /,/<\/nav>/d' -e '/<script.*<\/script>/d' \
		-e '/<script/,/<\/script>/d' -e '/<section id="your-prices"/,/<\/section>/d' -e 's/<a class="anchor"[^>]*>#<\/a>//g' \
		-e 's/<p class="files">.*<\/p>//' -e 's/<p class="signs">.*<\/p>//' | tr '\n' ' ' | awk '{
		gsub(/<title[^>]*>[^<]*<\/title>/, "")
		gsub(/<desc[^>]*>[^<]*<\/desc>/, "")
		sub(/<footer>.*<\/footer>/, "")
		gsub(/ · <span class="id">|<\/a> *<a /, "\n<a ")
		gsub(/<\/?(p|h[1-6]|li|td|th|caption|figcaption|text|summary|pre|div|a class="skip")( [^>]*)?>/, "\n")
		gsub(/<[^>]*>/, "")
		gsub(/&lt;/, "<"); gsub(/&gt;/, ">"); gsub(/&quot;/, "\""); gsub(/&#39;/, "\047"); gsub(/&amp;/, "\\&")
		print
	}' | sed 's/[ 	][ 	]*/ /g; s/^ //; s/ $//; /^$/d'
}

# The text of a PDF without page heads, page feet and the table of contents. Head and foot come last on a page.
pdf_text() {
	pdftotext -raw "$1" - | tr '\f' '\n' | awk -v id="$2" '
		/ Page [0-9]+ of [0-9]+$/ { if (kept && !(last ~ id "[0-9a-f]+$")) print last; kept = 0; next }
		/^Contents$/ { contents = 1; next }
		contents && / [0-9]+$/ { next }
		{ contents = 0; if (kept) print last; last = $0; kept = 1 }
		END { if (kept) print last }'
}

# The page is HTML that xmllint reads; it does not know the elements of HTML 5.
page_reads() {
	sed '/<svg/,/<\/svg>/d' "$1" | xmllint --html --noout - 2>&1 | grep error | grep -v ' Tag [a-z]* invalid' >"$work/err"
	[ ! -s "$work/err" ]
}

numbers() {
	grep -oE '[0-9][0-9,]*(\.[0-9]+)?' | sed 's/,$//' | sort -u
}

# Every block and table cell of the page stands in the PDF, blanks and line ends aside, and the two have the same numbers.
# What only a screen has: the links to other formats, the skip link and the maker's name at the head.
same_words() {
	html_text "$1/index.html" | grep -vxE 'Skip to the content|gpuguide|PDF|JSON|BibTeX|Manifest' >"$work/html.txt"
	pdf_text "$1/report.pdf" "$(basename "$1")-" >"$work/pdf.txt"
	tr -d ' \n' <"$work/pdf.txt" >"$work/pdf.flat"
	echo >>"$work/pdf.flat"
	awk 'NR == FNR { pdf = $0; next }
		{ text = $0; gsub(/ /, "", text); if (!index(pdf, text)) { print "# not in the PDF: " $0; bad = 1 } }
		END { exit bad }' "$work/pdf.flat" "$work/html.txt" >"$work/missing"
	check $? "$2: every block and cell of the page stands in the PDF"
	head -n 5 "$work/missing"
	numbers <"$work/html.txt" >"$work/html.numbers"
	numbers <"$work/pdf.txt" >"$work/pdf.numbers"
	comm -3 "$work/html.numbers" "$work/pdf.numbers" >"$work/missing"
	[ -s "$work/html.numbers" ] && [ ! -s "$work/missing" ]
	check $? "$2: the same numbers in the page and the PDF ($(wc -l <"$work/html.numbers") of them)"
	head -n 5 "$work/missing" | sed 's/^/# in one only: /'
}

# near A B: both are numbers and differ by less than 1e-9.
near() {
	awk -v a="$1" -v b="$2" 'BEGIN { d = a - b; exit !(a != "" && b != "" && d < 1e-9 && d > -1e-9) }'
}
