#!/bin/sh
# What a night costs: wall and processor seconds of `gpuguide publish` on the shipped data, each the median of several runs, and
# as a part of the full build in the same run, so that the figures mean something on another machine.
#   tests/bench_publish.sh BUILD [RUNS]
# Every run starts from the same two editions: a copy of what was published before, with or without its cache.
set -eu
export LC_ALL=C
program=$(cd "$1" && pwd)/gpuguide
runs=${2:-5}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
root=$work/root
mkdir "$root"
cp -R data editions templates "$root/"

# price DATE DOLLARS: a price file with one row.
price() {
	head -n 1 data/prices/2025-06-30.csv >"$root/data/prices/$1.csv"
	echo "$1,RTX 2070,amazon,new,USD,$2.00,unit,,,bench" >>"$root/data/prices/$1.csv"
}

# One contribution, its machine renamed: new rows of devices that are known.
contribution() {
	from=$(find data/contributions/lambda-pytorch-v1 -name '*.csv' | sort | head -n 1)
	awk -F, -v OFS=, 'FNR > 1 { $1 = "bench-" $1; if ($10 + 0 > 0) $10 = sprintf("%.8g", $10 * 1.01) } { print }' "$from" \
		>"$root/data/contributions/lambda-pytorch-v1/bench.csv"
}

reset() {
	rm -rf "$root/data"
	cp -R "$work/data" "$root/data"
	rm -rf "$work/out"
	cp -a "$work/start" "$work/out"
}

# What is to do in each night, after reset; the rest of the line is what the table says.
night_full() { rm -rf "$work/out"; }
night_deleted() { price 2025-07-04 444; rm -rf "$work/out/.cache"; }
night_price() { price 2025-07-04 444; }
night_contribution() { contribution; }
night_nothing() { :; }

# seconds NAME: adds to NAME.wall and NAME.cpu; the shell counts its children's processor time, user and system.
seconds() {
	start=$(date +%s.%N)
	(
		"$program" publish --quiet --root "$root" --out "$work/out" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
		times >"$work/cpu"
	)
	echo "$start $(date +%s.%N)" | awk '{ printf "%.3f\n", $2 - $1 }' >>"$work/$1.wall"
	awk 'NR == 2 { gsub(/s/, ""); split($1, u, "m"); split($2, s, "m"); printf "%.3f\n", 60 * (u[1] + s[1]) + u[2] + s[2] }' \
		"$work/cpu" >>"$work/$1.cpu"
}

median() {
	sort -n | awk '{ v[NR] = $1 } END { print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2 }'
}

# Two nights before, so that every edition that is measured has one to be compared with.
price 2025-07-02 412
"$program" publish --quiet --root "$root" --out "$work/start" >"$work/log" 2>&1
price 2025-07-03 420
"$program" publish --quiet --root "$root" --out "$work/start" >"$work/log" 2>&1
cp -R "$root/data" "$work/data"

nights='full deleted price contribution nothing'
i=0
while [ $i -lt "$runs" ]; do # in turn, so that a slow minute of the machine meets all alike
	for night in $nights; do
		reset
		"night_$night"
		seconds "$night"
	done
	i=$((i + 1))
done
printf '%-44s %9s %8s %9s %8s\n' "a night with ($runs runs)" seconds 'of full' 'CPU s' 'of full'
for night in $nights; do
	case $night in
	full) name='everything new: no edition and no cache' ;;
	deleted) name='one new price file, the cache deleted' ;;
	price) name='one new price file' ;;
	contribution) name='one new contribution' ;;
	nothing) name='nothing new' ;;
	esac
	echo "$(median <"$work/$night.wall") $(median <"$work/full.wall") $(median <"$work/$night.cpu") $(median <"$work/full.cpu")" |
		awk -v name="$name" '{ printf "%-44s %9.3f %7.0f%% %9.3f %7.0f%%\n", name, $1, 100 * $1 / $2, $3, 100 * $3 / $4 }'
done
printf '%-44s %9s\n' 'the cache on the disk, MB' "$(du -sk "$work/start/.cache" | awk '{ printf "%.1f", $1 / 1024 }')"
