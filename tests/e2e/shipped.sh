# What the shipped rows hold, by name. $shipped is made by same.sh.
[ -n "${shipped:-}" ] || { gpuguide report --out "$work/one"; shipped=$(echo "$work"/one/2*); }
[ -d "$shipped" ] || return 0
rejects=$shipped/data/rejects.csv

# count 'name' WANTED pattern: so many lines of rejects.csv match.
rejected() {
	got=$(grep -cE -e "$3" "$rejects")
	[ "$got" -eq "$2" ]
	check $? "shipped: $1 ($got rows)"
}

rejected 'ncf beyond belief is refused' 173 '^lambda-pytorch[^,]*,[0-9]+,value,range,[^,]*,.*ncf.*,rejected$'
rejected 'nothing else is out of range' 173 ',range,'
for cards in 2 4 8; do
	got=$(grep -E "^lambda-pytorch-v0/${cards}x2080Ti[^,]*,[0-9]+,value,collapsed,6[.0-9]*," "$rejects" |
		grep -cE ",bert-large-squad fp16: $cards devices at .*,set-aside\$")
	[ "$got" -ge 1 ]
	check $? "shipped: bert-large fp16 on $cards RTX 2080 Ti is collapsed ($got rows)"
done
got=$(grep -cE ',super-linear,[^,]*,bert-base-squad [a-z0-9]*: 8 devices at .*,set-aside$' "$rejects")
[ "$got" -ge 1 ]
check $? "shipped: bert-base on 8 cards is super-linear ($got rows)"
grep '^lambda-pytorch-v0/p3\.8xlarge\.csv,[0-9]*,value,duplicate,' "$rejects" | grep "'4xV100'" |
	grep -q "'p3.8xlarge' (resnet50).*set-aside"
check $? 'shipped: resnet50 of p3.8xlarge and 4xV100 is a duplicate naming both'
grep -q ',device,device-ambiguous,Tesla V100,"device .Tesla V100. could be any of .*SXM2.*",rejected$' "$rejects"
check $? 'shipped: Tesla V100 could be any of several cards'

grep -q '^prices/2022-05-15.csv,31,54,' "$shipped/data/price-rejects.csv" &&
	grep -q 'prices/2022-05-15.csv:31:54' "$shipped/index.html"
check $? 'shipped: a refused price row is listed and named in the report'

# Every row has one fate: the rows of the files, counted by awk, are those that sources.csv tells, series by series.
for folder in data/contributions/*/; do
	echo "$(basename "$folder"),$(echo $(ls "$folder" | wc -l)),$(awk 'FNR > 1 && NF' "$folder"*.csv | wc -l)"
done | sort >"$work/counted"
# A title with commas is quoted: the counts are told by their places behind it.
awk -F, 'NR > 1 { series = $1; sub(/^[^,]*,("([^"]|"")*"|[^,"]*),/, ""); split($0, c, ","); print series "," c[1] "," c[2]
	if (c[2] != c[3] + c[4] + c[5]) bad = 1; total += c[2]; refused += c[4]; aside += c[5] }
	END { print "=", total, refused, aside, bad + 0 }' "$shipped/data/sources.csv" >"$work/told"
grep -v '^=' "$work/told" | sort | diff "$work/counted" - >"$work/diff"
check $? 'shipped: sources.csv counts the files and rows that are there'
head -n 3 "$work/diff" | sed 's/^/# /'
read -r _ total refused aside uneven <<END
$(grep '^=' "$work/told")
END
[ "$uneven" -eq 0 ] && [ "$total" -eq 44465 ]
check $? "shipped: accepted, refused and set-aside rows add up to all $total"
[ "$(grep ',rejected$' "$rejects" | cut -d, -f1,2 | sort -u | wc -l)" -eq "$refused" ] &&
	[ "$(grep ',set-aside$' "$rejects" | cut -d, -f1,2 | sort -u | wc -l)" -eq "$aside" ]
check $? "shipped: rejects.csv names the $refused refused and $aside set-aside rows"
same_words "$shipped" shipped

# The guide's own advice, from rows and prices of its time.
gpuguide report guide-2019-04 --out "$work/guide"
ended 0 'guide-2019-04: is made'
guide=$work/guide/2019-05-31
[ -d "$guide" ] || return 0
for class in cnn rnn-word rnn-char transformer; do
	rtx2060=$(csv_get "$guide/data/values.csv" value device='RTX 2060' class=$class lens=card)
	for pair in 'Tesla V100 PCIe 16GB:5' 'RTX 2070:1' 'RTX 2080:1' 'RTX 2080 Ti:1'; do
		card=${pair%:*}
		value=$(csv_get "$guide/data/values.csv" value device="$card" class=$class lens=card)
		times=$(awk -v a="$rtx2060" -v b="$value" 'BEGIN { printf "%.2f", b ? a / b : 0 }')
		awk -v t="$times" -v least="${pair##*:}" 'BEGIN { exit !(t > least) }'
		check $? "guide-2019-04: $class, a dollar in RTX 2060 does $times x that in $card (more than ${pair##*:})"
	done
done
same_words "$guide" guide-2019-04
if have qpdf; then
	qpdf --check "$shipped/report.pdf" >"$work/err" 2>&1
	check $? 'shipped: qpdf finds no fault in report.pdf'
fi
page_reads "$shipped/index.html"
check $? 'shipped: xmllint reads the page'
