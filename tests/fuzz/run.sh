# Part of `make check`: every fuzz harness goes over its seeds and over what was found before.
#   tests/fuzz/run.sh BUILD
set -u
build=$1
. tests/tap.sh

sh tests/fuzz/seeds.sh "$build/fuzz-seeds"
check $? 'the seeds can be made'
for source in tests/fuzz/*.c; do
	name=$(basename "$source" .c)
	[ "$name" = replay ] && continue
	said=$("$build/tests/fuzz/$name" "$build/fuzz-seeds/$name" "tests/fuzz/found/$name" 2>"$build/fuzz-seeds/$name.err")
	status=$?
	case $said in ''|'0 inputs') status=1 ;; esac
	check $status "$name: $said"
	[ $status -eq 0 ] || tail -n 3 "$build/fuzz-seeds/$name.err"
done
echo "1..$n"
exit $bad
