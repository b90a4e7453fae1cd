# Properties that hold whatever the data: what must not move a number does not move it. On the shipped data.
# Order of rows and files, units, the level of prices, their currency; and a machine less moves a score within its interval.

# property_root NAME: a copy of the shipped data that may be changed. Decisions on single rows are left out: they go by line, and
# lines move here.
property_root() {
	mkdir "$work/$1"
	cp -R data editions templates "$work/$1/"
	head -n 1 data/overrides.csv >"$work/$1/data/overrides.csv"
	echo "$work/$1"
}

# stages ROOT OUT [STAGE...]: exit 1 only says that rows were refused, as some of the shipped ones are.
stages() {
	stages_root=$1 stages_out=$2
	shift 2
	[ $# -gt 0 ] || set -- collect analyze
	for stage in "$@"; do
		if [ "$stage" = collect ]; then
			gpuguide collect -o "$stages_out" --root "$stages_root" --quiet "$stages_root/data/contributions"
		else
			gpuguide analyze -o "$stages_out" --root "$stages_root" --quiet
		fi
		[ "$status" -le 1 ] || { tail -n 2 "$work/err" | sed 's/^/# /'; return 1; }
	done
}

# same_file NAME A B: byte by byte.
same_file() {
	cmp -s "$2/data/$1" "$3/data/$1" && return
	diff "$2/data/$1" "$3/data/$1" | head -n 4 | cut -c 1-200 | sed 's/^/# /'
	return 1
}

# scrambled FROM TO: the same rows in the same folders, in another order under other file names.
scrambled() {
	mkdir -p "$2"
	(cd "$1" && find . -type d) | (cd "$2" && xargs mkdir -p)
	(cd "$1" && find . -name '*.csv' | sort) | awk -v from="$1" -v to="$2" '
		{
			file = from "/" $0
			n = 0
			while ((getline line < file) > 0) row[n++] = line
			close(file)
			for (i = n - 1; i > 1; i--) { # Fisher-Yates; row 0 is the header
				seed = (seed * 1103 + 12345) % 65536
				j = 1 + seed % i
				line = row[i]; row[i] = row[j]; row[j] = line
			}
			parts = split($0, part, "/")
			name = to
			for (i = 2; i < parts; i++) name = name "/" part[i]
			name = sprintf("%s/%05d-%s", name, 99999 - NR, part[parts])
			for (i = 0; i < n; i++) print row[i] >name
			close(name)
		}'
}

# numbers_of OBSERVATIONS: all columns but sources, which names the first source that it meets.
numbers_of() {
	awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "sources") at = i } { $at = "" } 1' "$1"
}

# rewritten COLUMN FILE...: awk program $rewrite on each CSV, with `at` the place of COLUMN; rows with quotes come behind it.
rewritten() {
	rewritten_column=$1
	shift
	for file in "$@"; do
		awk -F, -v OFS=, -v column="$rewritten_column" '
			FNR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; print; next }
			'"$rewrite"'
			{ print }' "$file" >"$file.new" && mv "$file.new" "$file"
	done
}

base=$(property_root property-base)
stages "$base" "$work/property/base"
check $? 'property: the shipped data are collected and analyzed'

# 1. Order.
other=$(property_root property-order)
rm -rf "$other/data/contributions" "$other/data/prices"
scrambled "$repo/data/contributions" "$other/data/contributions"
scrambled "$repo/data/prices" "$other/data/prices"
{ head -n 1 data/memory_stated.csv; tail -n +2 data/memory_stated.csv | sort -r; } >"$other/data/memory_stated.csv"
! cmp -s data/memory_stated.csv "$other/data/memory_stated.csv"
check $? 'property: statements on memory in another order'
stages "$other" "$work/property/order" &&
	[ "$(find "$other/data/contributions" -name '*.csv' | wc -l)" -eq "$(find data/contributions -name '*.csv' | wc -l)" ] &&
	[ "$(ls "$other/data/prices" | wc -l)" -eq "$(ls data/prices | wc -l)" ] &&
	! cmp -s "$work/property/order/data/rejects.csv" "$work/property/base/data/rejects.csv"
check $? 'property: rows and file names in another order are collected and analyzed'
numbers_of "$work/property/base/data/observations.csv" >"$work/property/numbers"
numbers_of "$work/property/order/data/observations.csv" | cmp -s - "$work/property/numbers"
check $? "property: order changes no number of observations.csv ($(wc -l <"$work/property/numbers") lines)"
for file in machines.csv scores.csv prices.csv values.csv memory.csv; do
	same_file $file "$work/property/base" "$work/property/order"
	check $? "property: order changes no byte of $file"
done

# 2. Units: rates counted in sevenths of a sample are 7 times as large, and so are their bounds; each is a seventh of the work.
other=$(property_root property-units)
rewrite='$at["metric"] == "throughput" { $at["value"] = sprintf("%.17g", $at["value"] * 7) }'
awk -F, -v OFS=, 'FNR == 1 { if (out) close(out); out = FILENAME ".new"; for (i = 1; i <= NF; i++) at[$i] = i; print >out; next }
	'"$rewrite"' { print >out }' "$other"/data/contributions/*/*.csv
for file in "$other"/data/contributions/*/*.csv.new; do mv "$file" "${file%.new}"; done
rewrite='$at["metric"] == "throughput" {
	$at["lo"] *= 7; $at["hi"] *= 7
	if ($at["flop_per_sample"] != "") $at["flop_per_sample"] = sprintf("%.17g", $at["flop_per_sample"] / 7)
	if ($at["bytes_per_sample"] != "") $at["bytes_per_sample"] = sprintf("%.17g", $at["bytes_per_sample"] / 7)
}'
rewritten metric "$other/data/workloads.csv"
stages "$other" "$work/property/units"
awk -F, 'NR == FNR { seen[$1 "," $2] = $3; origin[$1 "," $2] = $6; next }
	FNR > 1 {
		n++
		d = $3 - seen[$1 "," $2]
		if ($6 != origin[$1 "," $2] || ($3 == "") != (seen[$1 "," $2] == "") || d > 1e-9 * $3 || -d > 1e-9 * $3) {
			if (bad++ < 3) print "# " $1 ", " $2 ": " seen[$1 "," $2] " " origin[$1 "," $2] " became " $3 " " $6
		}
	}
	END { exit bad > 0 || n < 100 }' "$work/property/base/data/scores.csv" "$work/property/units/data/scores.csv"
check $? 'property: rates 7 times as large in a unit 7 times as small leave every score, to 1e-9'

# 3. Twice the price everywhere: a power of two, so not even the rounding of a value changes.
other=$(property_root property-double)
rewrite='{ $at["price"] = sprintf("%.17g", $at["price"] * 2) }'
rewritten price "$other"/data/prices/*.csv
rewrite='$at["launch_price_usd"] != "" { $at["launch_price_usd"] = sprintf("%.17g", $at["launch_price_usd"] * 2) }'
rewritten launch_price_usd "$other/data/devices.csv"
mkdir -p "$work/property/double/data"
cp "$work/property/base/data/observations.csv" "$work/property/base/data/machines.csv" "$work/property/double/data/"
stages "$other" "$work/property/double" analyze
cut -d, -f 1-3,5-10 "$work/property/base/data/values.csv" >"$work/property/values"
card_rows() { awk -F, 'NR == 1 || $3 == "card"'; }
card_rows <"$work/property/values" >"$work/property/card"
cut -d, -f 1-3,5-10 "$work/property/double/data/values.csv" | card_rows | cmp -s - "$work/property/card" &&
	[ "$(grep -c ',yes,\|,no,' "$work/property/card")" -gt 100 ]
check $? "property: doubling every price changes no value, interval, rank or tie of the card lens ($(wc -l <"$work/property/card") lines)"
awk -F, 'NR == FNR { price[$1 "," $2] = $3; next } FNR > 1 && $2 == "card" { n++; if ($3 != 2 * price[$1 "," $2]) exit 1 } END { exit n < 50 }' \
	"$work/property/base/data/prices.csv" "$work/property/double/data/prices.csv"
check $? 'property: and every card price is double'

# 4. The same prices in another currency, at its rate. Of rows in several currencies an edition takes those in its own, so the
# few others are left out on both sides.
other=$(property_root property-currency)
rewrite='$at["currency"] != "USD" { next }'
rewritten price "$other"/data/prices/*.csv
mkdir -p "$work/property/dollars/data" "$work/property/currency/data"
cp "$work/property/base/data/observations.csv" "$work/property/base/data/machines.csv" "$work/property/dollars/data/"
cp "$work/property/base/data/observations.csv" "$work/property/base/data/machines.csv" "$work/property/currency/data/"
stages "$other" "$work/property/dollars" analyze
rewrite='{ $at["currency"] = "XTS"; $at["price"] = sprintf("%.17g", $at["price"] * 1.25) }'
rewritten price "$other"/data/prices/*.csv
echo '1990-01-01,XTS,0.8,a test currency' >>"$other/data/system/fx_to_usd.csv"
stages "$other" "$work/property/currency" analyze
ranks_of() { cut -d, -f 1-3,8,9,10 "$work/property/$1/data/values.csv" | card_rows; }
ranks_of dollars >"$work/property/ranks"
ranks_of currency | diff "$work/property/ranks" - >"$work/diff" && [ "$(wc -l <"$work/property/ranks")" -gt 100 ]
check $? 'property: prices in another currency, at its rate, leave every rank and tie'
head -n 4 "$work/diff" | sed 's/^/# /'

# 5. One machine less. Of every 45th machine in a series that makes scores; a 95 % interval may miss one in twenty.
other=$(property_root property-machine)
awk -F, 'NR == FNR { parts = split($13, part, " "); for (i = 1; i <= parts; i++) scores[part[i]] = 1; next }
	FNR > 1 && scores[$3] && n++ % 45 == 0 { print $2 "\t" $3 }' \
	"$work/property/base/data/scores.csv" "$work/property/base/data/machines.csv" >"$work/property/machines"
: >"$work/property/moved"
good=0
tab=$(printf '\t')
while IFS=$tab read -r machine series; do
	for file in $(grep -l -F "$machine," "$other/data/contributions/$series"/*.csv); do
		awk -F, -v machine="$machine" 'FNR == 1 || $1 != machine' "$file" >"$file.new" && mv "$file.new" "$file"
	done
	stages "$other" "$work/property/without" || good=1
	awk -F, -v machine="$machine" 'NR == FNR { score[$1 "," $2] = $3; low[$1 "," $2] = $4; high[$1 "," $2] = $5; origin[$1 "," $2] = $6; next }
		FNR > 1 && $6 == "measured" && origin[$1 "," $2] == "measured" && low[$1 "," $2] != "" && $3 != score[$1 "," $2] {
			k = $1 "," $2
			out = $3 < low[k] * (1 - 1e-9) || $3 > high[k] * (1 + 1e-9)
			print (out ? "out" : "in") "," machine "," $1 "," $2 "," score[k] "," low[k] "," high[k] "," $3
		}' "$work/property/base/data/scores.csv" "$work/property/without/data/scores.csv" >>"$work/property/moved"
	rm -rf "$other/data/contributions/$series"
	cp -R "data/contributions/$series" "$other/data/contributions/"
done <"$work/property/machines"
all=$(wc -l <"$work/property/moved") out=$(grep -c '^out' "$work/property/moved")
[ $good -eq 0 ] && [ "$all" -gt 20 ] && [ $((20 * out)) -le "$all" ]
check $? "property: a machine less moves a measured score within its interval ($(wc -l <"$work/property/machines") machines, $all scores moved, $out outside)"
grep '^out' "$work/property/moved" | head -n 5 | sed 's/^/# /'
