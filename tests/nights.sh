#!/bin/sh
# A year of nights: one publish a day, with the price files coming in on their days. Not part of `make check`: it takes minutes.
#   sh tests/nights.sh BUILD OUT [FIRST [LAST]]        default: all of 2023
# Prints the time of each kind of night, the disk used, the check of the feed, and verify of ten editions.
set -eu
export LC_ALL=C TZ=UTC
build=$1 out=$2 first=${3:-2023-01-01} last=${4:-2023-12-31}
case $build in /*) ;; *) build=$(pwd)/$build ;; esac
program=$build/gpuguide
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
root=$work/root
mkdir "$root"
cp -R data editions templates "$root/"
mkdir "$work/prices"
for f in "$root"/data/prices/20??-??-??*.csv; do
	case $(basename "$f") in ????-??-??*) day=$(basename "$f" | cut -c 1-10) ;; esac
	[ "$(echo "$day" | tr -d -)" -ge "$(echo "$first" | tr -d -)" ] && mv "$f" "$work/prices/"
done
mv "$root/data/prices/amazon-series.csv" "$work/amazon.csv" # it has a line a day and card: each night gets those of its day
seconds() { awk -v a="$1" -v b="$2" 'BEGIN { printf "%.3f", (b - a) / 1e9 }'; }
mkdir -p "$out"
: >"$work/times"
day=$first nights=0
while [ "$(echo "$day" | tr -d -)" -le "$(echo "$last" | tr -d -)" ]; do
	new=0
	for f in "$work"/prices/"$day"*.csv; do
		[ -e "$f" ] && mv "$f" "$root/data/prices/" && new=$((new + 1))
	done
	awk -F, -v day="$day" 'NR == 1 || $1 <= day' "$work/amazon.csv" >"$root/data/prices/amazon-series.csv"
	[ "$(grep -c "^$day" "$root/data/prices/amazon-series.csv")" -eq 0 ] || new=$((new + 1))
	start=$(date +%s%N)
	"$program" publish --root "$root" --out "$out" --date "$day" --quiet >"$work/said" 2>&1 || { cat "$work/said"; echo "night of $day failed"; exit 1; }
	end=$(date +%s%N)
	echo "$day $new $(seconds "$start" "$end") $(du -sm "$out" | cut -f 1)" >>"$work/times"
	nights=$((nights + 1))
	day=$(date -d "$day + 1 day" +%F)
done
cp "$work/times" "$out/../nights.txt"
median() { sort -n | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'; }
echo "$nights nights, $(ls -d "$out"/20* | wc -l) editions"
echo "seconds a night, median: with new prices $(awk '$2 > 0 { print $3 }' "$work/times" | median), without $(awk '$2 == 0 { print $3 }' "$work/times" | median); longest $(awk '{ print $3 }' "$work/times" | sort -n | tail -1)"
echo "disk: $(du -sm "$out" | cut -f 1) MB, without links $(du -sml "$out" | cut -f 1) MB; cache $(du -sm "$out/.cache" 2>/dev/null | cut -f 1) MB"
xmllint --noout "$out/feed.xml" && echo "feed.xml reads; $(grep -c '<entry>' "$out/feed.xml") entries"
echo "index.html: $(wc -c <"$out/index.html") bytes"
start=$(date +%s%N)
"$program" publish --root "$root" --out "$out" --date "$last" --quiet
echo "the last night once more: $(seconds "$start" "$(date +%s%N)") s"
bad=0
for d in $(ls -d "$out"/20* | awk '{ v[NR] = $0 } END { for (i = 1; i <= 10; i++) print v[1 + (i * 7919) % NR] }'); do
	"$program" verify --quiet "$d" || { bad=$((bad + 1)); echo "$d does not verify"; }
done
echo "verify of ten: $((10 - bad)) identical"
[ "$bad" -eq 0 ]
