#!/bin/sh
# Runs every unit test program and every tests/*/run.sh but that of the browser; ends with "N passed, N failed".
#   tests/run.sh BUILD [PREFIX [NAME...]]   PREFIX: e.g. valgrind; NAMEs: only tests that begin so
set -u
build=$1 prefix=${2:-}
[ $# -gt 0 ] && shift
[ $# -gt 0 ] && shift
log=$build/test-logs${prefix:+-prefix} # both kinds of run may go at once
mkdir -p "$log"
passed=0 failed=0

wanted() {
	[ $# -eq 1 ] && return 0
	name=$1
	shift
	for n in "$@"; do case $name in "$n"*) return 0 ;; esac; done
	return 1
}

# A program that dies without a "not ok" counts as one failure more.
count() {
	name=$1 status=$2
	ok=$(grep -c '^ok ' "$log/$name")
	bad=$(grep -c '^not ok ' "$log/$name")
	[ "$status" -ne 0 ] && [ "$bad" -eq 0 ] && bad=1
	[ "$ok" -eq 0 ] && [ "$bad" -eq 0 ] && bad=1
	passed=$((passed + ok)) failed=$((failed + bad))
	printf '%-24s %5d ok %3d failed\n' "$name" "$ok" "$bad"
	if [ "$bad" -ne 0 ]; then
		grep -v '^ok ' "$log/$name" | head -n 40
		tail -n 20 "$log/$name.err"
	fi
}

for program in "$build"/tests/*_test; do
	name=$(basename "$program" _test)
	wanted "$name" "$@" || continue
	$prefix "$program" >"$log/$name" 2>"$log/$name.err" </dev/null
	count "$name" $?
done
if [ -z "$prefix" ]; then
	for script in tests/*/run.sh; do
		[ -e "$script" ] || continue
		name=$(basename "$(dirname "$script")")
		[ "$name" = web ] && continue # make check-web
		case " ${SKIP_SCRIPTS:-} " in *" $name "*) continue ;; esac
		sh "$script" "$build" >"$log/$name.sh" 2>"$log/$name.sh.err" </dev/null
		count "$name.sh" $?
	done
fi
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
