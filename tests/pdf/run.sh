#!/bin/sh
# The invented report of pdf_test as other programs read it: qpdf (structure), poppler (fonts, text in
# order, links). A tool that is missing skips its checks.   sh tests/pdf/run.sh BUILD
set -u
build=$1
. tests/tap.sh
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT

# The words, blanks and line ends left out, stand in the text in this order.
in_order() {
	rest=$(pdftotext -raw "$dir/full.pdf" - | tr -d ' \n\f')
	for words in "$@"; do
		words=$(printf '%s' "$words" | tr -d ' ')
		case $rest in
		*"$words"*) rest=${rest#*"$words"} ;;
		*) echo "# not found in order: $words" && return 1 ;;
		esac
	done
}

"$build/tests/pdf_test" "$dir" >"$dir/log"
check $? 'pdf_test writes its reports'
for pdf in full empty chinese; do
	if have qpdf; then
		qpdf --check "$dir/$pdf.pdf" >"$dir/log" 2>&1
		check $? "$pdf: qpdf finds no fault"
	fi
	if have pdffonts; then
		pdffonts "$dir/$pdf.pdf" 2>"$dir/log" | tail -n +3 >"$dir/fonts"
		[ -s "$dir/fonts" ] && ! grep -v 'Identity-H  *yes yes yes' "$dir/fonts"
		check $? "$pdf: every font is embedded, cut and has Unicode values"
		[ ! -s "$dir/log" ]
		check $? "$pdf: poppler has nothing to complain about"
	fi
done
if have pdftotext; then
	in_order 'GPUs for deep learning: what to buy' 'Benchmarks contributed by readers' \
		'Edition id 2026-11-30-0123456789ab' 'Contents' 'What to buy1' \
		'What to buyFor a first card take the RTX 2070; see the method, the file data/picks.csv' \
		'• A short item: 8 GB hold most networks.' 'an arithmetic mean would depend on which' \
		'中文测试：价格。' 'Scores by class, and what each card cost' \
		'GeForce RTX 2080 Ti0.000.000.01,199old pricemeasured' \
		'Radeon RX Vega 64 液冷版0.03–3.31,199freshmeasured' \
		'Normalised performance by class' '泰坦 Titan V' 'rotated label' 'not measured.data/scores.csv' \
		'2.990.29299.91,199freshmeasured' \
		'$ gpuguide report --date 2026-11-30 --out out' '中文章节参考卡的得分是 1.0，缺少的数据不算零。' \
		'A machine called GPU □ <b>□ stays on the page.' 'A last heading with nothing below'
	check $? 'the text comes out as it was put in, in order'
	letters=$(pdftotext -raw "$dir/full.pdf" - | tr -d '\f' | grep -E '^[a-p]{60,}$|^defgh$' | tr -d '\n')
	[ "${#letters}" -eq 5000 ]
	check $? 'all of a 5,000-character word'
fi
if have pdfinfo; then
	pdfinfo "$dir/full.pdf" >"$dir/log" 2>&1
	TZ=UTC pdfinfo -isodates "$dir/full.pdf" | grep -q '^CreationDate: *2026-11-30T12:00:01Z'
	check $? 'date of the report'
	pdfinfo -url "$dir/full.pdf" | grep -q 'https://example.org/prices?day=2026-11-30'
	check $? 'the link to a page'
	[ "$(pdfinfo -dests "$dir/full.pdf" >/dev/null 2>&1; echo $?)" -eq 0 ]
	check $? 'destinations can be read'
	grep -q '^Tagged: *yes' "$dir/log" && grep -q '^Title: *GPUs for deep learning: what to buy$' "$dir/log"
	check $? 'tagged, with its title'
	pdfinfo -struct-text "$dir/full.pdf" >"$dir/tree" 2>&1
	for words in '^  H1 (block)' '^  H2 (block)' '^  H3 (block)' '^      Lbl (block)' '^  Table (block)' \
		'^      TH' '^      TD' '^  Figure' '^  Caption' '"the list of prices"'; do
		grep -q "$words" "$dir/tree" || echo "# the tree lacks $words"
	done >"$dir/lacking"
	[ ! -s "$dir/lacking" ]
	check $? 'poppler reads the structure tree'
	cat "$dir/lacking"
	if have xmllint; then
		pdfinfo -meta "$dir/full.pdf" >"$dir/xmp" 2>&1
		[ -s "$dir/xmp" ] && xmllint --noout "$dir/xmp" 2>"$dir/log"
		check $? 'XMP is well-formed'
	fi
fi
echo "1..$n"
exit $bad
