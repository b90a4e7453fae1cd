#!/bin/sh
# Runs fuzz harnesses one after the other, a line each; ends with 1 when one found something.
#   tests/fuzz/fuzz.sh BUILD SECONDS HARNESS...
# New inputs go to BUILD/corpus/HARNESS and are started from the next time; what crashes, hangs or leaks is kept in
# BUILD/crashes/HARNESS-*, with the log beside the harness' name in BUILD/logs.
set -u
build=$1 seconds=$2
shift 2
found=0
mkdir -p "$build/crashes" "$build/logs"
sh tests/fuzz/seeds.sh "$build/seeds" || exit 2

stat() {
	sed -n "s/^stat::$1: *//p" "$build/logs/$name"
}

printf '%-14s %12s %10s %8s %8s %8s\n' harness executions exec/s edges corpus findings
for name in "$@"; do
	mkdir -p "$build/corpus/$name" "$build/seeds/$name" "tests/fuzz/found/$name"
	before=$(find "$build/crashes" -name "$name-*" | wc -l)
	dict=
	[ -e "tests/fuzz/$name.dict" ] && dict=-dict=tests/fuzz/$name.dict
	"$build/tests/fuzz/$name-fuzz" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -print_final_stats=1 \
		$dict -artifact_prefix="$build/crashes/$name-" "$build/corpus/$name" "$build/seeds/$name" \
		"tests/fuzz/found/$name" >"$build/logs/$name" 2>&1
	status=$?
	rmdir "tests/fuzz/found/$name" 2>/dev/null
	after=$(find "$build/crashes" -name "$name-*" | wc -l)
	edges=$(grep -o 'cov: [0-9]*' "$build/logs/$name" | tail -n 1)
	corpus=$(find "$build/corpus/$name" -type f | wc -l)
	printf '%-14s %12s %10s %8s %8s %8s\n' "$name" "$(stat number_of_executed_units)" "$(stat average_exec_per_sec)" \
		"${edges#cov: }" "$corpus" $((after - before))
	if [ "$status" -ne 0 ]; then
		found=1
		grep -E 'does not hold|ERROR: |runtime error|SUMMARY|Test unit written' "$build/logs/$name" | head -n 8
	fi
done
exit $found
