#!/bin/sh
# Time and peak memory of each stage at 1x, 10x and 100x of the shipped rows, each stage a process of its own, and beside
# it a peer that only adds up one column of the same files (awk), so that the figures mean something on another machine.
#   tests/bench_report.sh BUILD [SCALE...]
# A copy K of a contribution has other machine names and values moved by K/10000: new machines of the same devices.
set -eu
export LC_ALL=C
program=$(cd "$1" && pwd)/gpuguide
shift
[ $# -gt 0 ] || set -- 1 10 100
root=$(pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

multiply() {
	scale=$1
	k=0
	while [ "$k" -lt "$scale" ]; do
		for series in "$root"/data/contributions/*/; do
			to=$work/in-$scale/$(basename "$series")
			mkdir -p "$to"
			# One awk a series; a machine name is quoted nowhere in the shipped files.
			awk -F, -v OFS=, -v k="$k" -v to="$to" '
				FNR == 1 { if (out) close(out); n = split(FILENAME, part, "/"); out = to "/c" k "-" part[n]; print > out; next }
				k > 0 { $1 = "c" k "-" $1; if ($10 + 0 > 0) $10 = sprintf("%.8g", $10 * (1 + k / 10000)) }
				{ print > out }' "$series"*.csv
		done
		k=$((k + 1))
	done
}

seconds() { # runs the rest, prints its wall seconds
	start=$(date +%s.%N)
	"$@" >/dev/null 2>&1 || true
	echo "$start $(date +%s.%N)" | awk '{ printf "%.3f", $2 - $1 }'
}

stage() { # name, then the command; the program says its own time and peak
	name=$1
	shift
	"$@" --verbose --quiet >/dev/null 2>"$work/err" || true
	awk -v name="$name" '$1 == name && $3 == "s" { print $2, $5 }' "$work/err" | tail -n 1
}

printf '%6s %9s  %-8s %9s %9s %12s %8s\n' scale rows stage seconds 'peak MB' 'us per row' 'x peer'
for scale in "$@"; do
	multiply "$scale"
	rows=$(find "$work/in-$scale" -name '*.csv' -exec cat {} + | wc -l)
	peer=$(seconds find "$work/in-$scale" -name '*.csv' -exec awk -F, '{ s += $10 } END { print s }' {} +)
	for name in collect analyze render; do
		case $name in
		collect) figures=$(stage collect "$program" collect -o "$work/out-$scale" "$work/in-$scale") ;;
		*) figures=$(stage $name "$program" $name -o "$work/out-$scale") ;;
		esac
		echo "$figures" | awk -v scale="$scale" -v rows="$rows" -v name="$name" -v peer="$peer" \
			'{ printf "%6d %9d  %-8s %9.3f %9.1f %12.2f %8.2f\n", scale, rows, name, $1, $2, $1 * 1e6 / rows, $1 / peer }'
	done
	rm -rf "$work/in-$scale" "$work/out-$scale"
done
