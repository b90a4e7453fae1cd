#!/bin/sh
# What a publish leaves behind when it dies, or when the disk gives out, at any of its calls.
#   sh tests/crash/run.sh BUILD [EVERY [RANDOM]]
# EVERY: each EVERY-th call that changes the disk is tried (1: all of them); RANDOM: moments in time tried besides.
# After each: OUT/latest leads to an edition whose verify passes, and the next publish ends well with one that does too.
set -u
export LC_ALL=C TZ=UTC SOURCE_DATE_EPOCH=1559260800
build=$1 every=${2:-59} random=${3:-4}
case $build in /*) ;; *) build=$(pwd)/$build ;; esac
program=$build/gpuguide
work=$(mktemp -d) || exit 1
trap '[ -n "${KEEP:-}" ] || { chmod -R u+rwX "$work"; rm -rf "$work"; }' EXIT
trap 'exit 1' HUP INT TERM
. tests/tap.sh

# A sanitizer wants to be the first library, and its leak report at a death would be about the death.
case $(ldd "$program" 2>/dev/null) in
*libasan* | *libclang_rt*) echo "ok 1 - # skipped: a library cannot be preloaded before a sanitizer"; exit 0 ;;
esac
if nm "$program" 2>/dev/null | grep -q __asan_init; then
	echo "ok 1 - # skipped: a library cannot be preloaded before a sanitizer"
	exit 0
fi
${CC:-cc} -shared -fPIC -O1 -o "$work/fault.so" tests/crash/fault.c -ldl || { echo "not ok 1 - the fault library compiles"; exit 1; }

# Three invented cards, a first edition that stands, and a night on which a price has changed.
root=$work/root out=$work/out
cp -R tests/e2e/three "$root"
cp -R templates "$root/"
edition=$root/editions/three.ini
publish() {
	"$program" publish "$edition" --root "$root" --out "$out" --quiet "$@" >"$work/said" 2>&1 </dev/null
}
publish --date 2019-05-30
check $? 'crash: the first edition is published'
cp -R "$root" "$work/root-before"
sed 's/500.00/480.00/' "$root/data/prices/2019-05-20.csv" >"$work/new.csv" && cp "$work/new.csv" "$root/data/prices/2019-05-20.csv"
cp -a "$out" "$work/out-before"
reset() {
	chmod -R u+rwX "$out"
	rm -rf "$out"
	cp -a "$work/out-before" "$out"
}
FAULT_COUNT=$work/count LD_PRELOAD=$work/fault.so publish
total=$(cat "$work/count")
[ "${total:-0}" -gt 20 ]
check $? "crash: a publish changes the disk by $total calls"
folder=$(readlink "$out/latest")
[ "$folder" = 2019-05-31 ] && diff -r "$out/latest" "$out/2019-05-31" >/dev/null
check $? 'crash: undisturbed it points latest to the new edition'
cp -R "$out/2019-05-31" "$work/wanted"

verifies() {
	"$program" verify --quiet "$1" >"$work/verify" 2>&1
}
# The state after a disturbed run; why says what is wrong.
sound() {
	why=
	verifies "$out/latest" || { why="latest does not verify: $(tail -n 1 "$work/verify")"; return 1; }
	for d in "$out"/2*; do
		[ -s "$d/MANIFEST" ] && [ -s "$d/report.pdf" ] || { why="$d is not whole"; return 1; }
	done
	xmllint --noout "$out/feed.xml" 2>/dev/null || { why='feed.xml does not read'; return 1; }
	grep -q '</html>' "$out/index.html" || { why='index.html is cut'; return 1; }
}
recovers() {
	why=
	publish || { why="the next run ends with $?: $(tail -n 1 "$work/said")"; return 1; }
	[ "$(readlink "$out/latest")" = 2019-05-31 ] || { why='latest is not the new edition'; return 1; }
	diff -r "$work/wanted" "$out/2019-05-31" >/dev/null || { why='the new edition has other bytes'; return 1; }
	[ -z "$(find "$out" -maxdepth 1 \( -name '.building*' -o -name '.removing*' -o -name '*.part' \))" ] ||
		{ why="left behind: $(cd "$out" && ls -A)"; return 1; }
	[ ! -e "$out/failed.txt" ] || { why='the banner stays'; return 1; }
	sound
}

# each KIND EXIT_WANTED: the calls one after another.
each() {
	kind=$1 tried=0 wrong=0
	i=$2
	while [ "$i" -le "$total" ]; do
		reset
		FAULT_AT=$i FAULT_KIND=$kind LD_PRELOAD=$work/fault.so publish
		status=$?
		tried=$((tried + 1))
		if ! { sound && recovers; }; then
			wrong=$((wrong + 1))
			[ "$wrong" -le 5 ] && echo "# call $i, $kind (exit $status): $why"
		fi
		i=$((i + every))
	done
	[ "$wrong" -eq 0 ] && [ "$tried" -gt 0 ]
	check $? "crash: $kind at $tried of $total calls: latest verifies and the next run succeeds"
}
each kill 1
each torn $((every > 1 ? 8 : 1))
every=$((every > 1 ? every : 3)) # an errno stays until the end, so that neighbours are much alike
each 28 2 # ENOSPC
each 30 3 # EROFS

# Moments in time, drawn from a fixed list so that a failure can be tried again: the k-th is k x 7919 us modulo the length of a run.
start=$(date +%s%N)
reset
publish
length=$((($(date +%s%N) - start) / 1000))
k=1 wrong=0
while [ "$k" -le "$random" ]; do
	reset
	moment=$((k * 7919 * 13 % length))
	"$program" publish "$edition" --root "$root" --out "$out" --quiet >"$work/said" 2>&1 </dev/null &
	pid=$!
	sleep "$(awk -v us="$moment" 'BEGIN { printf "%.6f", us / 1e6 }')"
	kill -9 "$pid" 2>/dev/null
	wait "$pid" 2>/dev/null
	if ! { sound && recovers; }; then
		wrong=$((wrong + 1))
		[ "$wrong" -le 5 ] && echo "# after $moment us: $why"
	fi
	k=$((k + 1))
done
[ "$wrong" -eq 0 ]
check $? "crash: killed at $random moments of a run of $((length / 1000)) ms: latest verifies and the next run succeeds"
echo "1..$n"
exit $bad
