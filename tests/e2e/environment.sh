# What goes wrong around the program. Each ends in 2 with one clear line and no edition under a final name; then it works again.

root=$(small_root environment)
out=$work/environment-out

# failed 'name' [text...]: exit 2, one line of the program itself, nothing but hidden names in the output folder.
failed() {
	name=$1
	shift
	ended 2 "$name" "$@"
	[ "$(grep -c '^gpuguide: ' "$work/err")" -eq 1 ] && [ -z "$(ls "$out" 2>/dev/null)" ] && [ ! -e "$out/.building" ]
	check $? "$name: one line says why, no edition is left"
}

report_small() {
	gpuguide report three --root "$root" --out "$out" "$@"
}

mkdir "$work/nothing"
report_small --contributions "$work/nothing"
failed 'environment: an empty folder of contributions' "no contributions found in $work/nothing"
report_small --contributions "$work/nowhere"
failed 'environment: no folder of contributions' "$work/nowhere: No such file or directory"
report_small --root "$work/nowhere"
failed 'environment: no root' "$work/nowhere/data/devices.csv: No such file or directory"
gpuguide report other --root "$root" --out "$out"
failed 'environment: no such edition' "$root/editions/other.ini: No such file or directory"
report_small --date 2019-02-30
failed 'environment: a date that is none' "'2019-02-30' is not a date"
report_small --colour
failed 'environment: an unknown option' '--colour'
report_small one two
failed 'environment: one argument too many' 'one argument too many'
(SOURCE_DATE_EPOCH=soon && export SOURCE_DATE_EPOCH && report_small; echo "$status" >"$work/status")
status=$(cat "$work/status")
failed 'environment: SOURCE_DATE_EPOCH is no count' "SOURCE_DATE_EPOCH: 'soon'"

# A gnuplot that is not there, fails, or says something else than a picture.
tool() {
	printf '#!/bin/sh\n%s\n' "$2" >"$work/$1"
	chmod +x "$work/$1"
}
tool fails 'echo "line 7: cannot open terminal" >&2; exit 1'
tool garbage 'echo "this is no picture" | tee /dev/stderr; for f in *; do :; done; exit 0'
tool silent 'exit 0'
tool dies 'kill -9 $$'
report_small --gnuplot /nonexistent
failed 'environment: no gnuplot' '/nonexistent'
for kind in fails garbage silent; do
	report_small --gnuplot "$work/$kind"
	failed "environment: a gnuplot that $kind" 'figure-performance'
done
report_small --gnuplot "$work/dies"
failed 'environment: a gnuplot that is killed while it is asked for its version' 'dies: killed by signal 9'
tool draws-and-dies '[ "$1" = --version ] && exec gnuplot --version; kill -9 $$'
report_small --gnuplot "$work/draws-and-dies"
failed 'environment: a gnuplot that is killed while it draws' 'figure-performance'
report_small
ended 0 'environment: then it works'

# The output folder is a file, or cannot be written in.
rm -rf "$out"
echo kept >"$out"
report_small
ended 2 'environment: the output folder is a file' "$out"
[ "$(cat "$out")" = kept ]
check $? 'environment: the file is kept'
rm "$out"
mkdir "$out" "$work/target"
echo kept >"$work/target/file"
ln -s "$work/target" "$out/.building"
report_small
[ "$status" -eq 0 ] && [ "$(cat "$work/target/file")" = kept ] && [ ! -e "$out/.building" ]
check $? 'environment: a link where the edition is built is taken away, not followed'
rm -rf "$out/2019-05-31"
if [ "$(id -u)" -ne 0 ]; then
	chmod 555 "$out"
	report_small
	failed 'environment: a read-only output folder' 'Permission denied'
	chmod 755 "$out"
	chmod 000 "$root/data/contributions/lab/b.csv"
	report_small
	failed 'environment: an unreadable contribution' 'b.csv: Permission denied'
	chmod 644 "$root/data/contributions/lab/b.csv"
fi
"$program" report three --root "$root" --out "$out" --quiet <&- >&- 2>&-
[ $? -eq 0 ] && [ -s "$out/2019-05-31/MANIFEST" ] && [ ! -s "$out/.lock" ]
check $? 'environment: closed standard streams are nobody else'"'"'s files'
for words in "report three --root $root --out $out" "pick --class cnn --root $root --out $out" \
	"pick --budget 1 --root $root --out $out" "memory --root ." --version; do
	# shellcheck disable=SC2086
	"$program" $words >&- 2>"$work/err"
	status=$?
	ended 2 "environment: a closed standard output is told: ${words%% *}" 'gpuguide: standard output: '
done
"$program" report three --root "$root" --out "$out" >/dev/full 2>"$work/err"
status=$?
ended 2 'environment: a full device for standard output is told' 'standard output: '

# Full disk: files may have so many blocks of 512 bytes, so the stages fail one after the other.
: >"$work/stages"
for blocks in 0 1 2 3 4 6 8 12 16 32 48; do
	rm -rf "$out"
	( # the words go into a pipe: the limit is not for them
		trap '' XFSZ
		ulimit -f "$blocks"
		"$program" report three --root "$root" --out "$out" 2>&1 >/dev/null </dev/null
		echo "exit $?"
	) | cat >"$work/err"
	status=$(sed -n 's/^exit //p' "$work/err")
	[ "$status" -eq 0 ] && break
	sed -n "s,^gpuguide: $out/.building/\([^:]*\): .*,\1,p" "$work/err" >>"$work/stages"
	sed -n 's/^gpuguide: .*gnuplot wrote a broken picture.*/gnuplot/p' "$work/err" >>"$work/stages"
	[ "$status" -eq 2 ] && [ "$(grep -c '^gpuguide: ' "$work/err")" -eq 1 ] && [ -z "$(ls "$out")" ] && [ ! -e "$out/.building" ]
	whole=$?
	said=$(sed -n 's/^gpuguide: //p' "$work/err" | sed "s,$out/.building/,,g" | cut -c 1-70)
	check $whole "environment: no file over $blocks blocks: exit 2, $said"
done
[ "$(sort -u "$work/stages" | wc -l)" -ge 4 ]
check $? "environment: it failed at $(sort -u "$work/stages" | tr '\n' ' ')"
# Each stage alone, with no room at all: what an earlier run left there stays as it was.
dir=$work/by-stage
for stage in collect analyze render; do
	set -- "$stage" three --root "$root" --out "$dir"
	[ "$stage" = collect ] && set -- "$@" "$root/data/contributions"
	"$program" "$@" >/dev/null 2>&1
done
find "$dir" -type f -exec sha256sum {} + | sort >"$work/before"
for stage in collect analyze render; do
	set -- "$stage" three --root "$root" --out "$dir"
	[ "$stage" = collect ] && set -- "$@" "$root/data/contributions"
	(
		trap '' XFSZ
		ulimit -f 0
		"$program" "$@" 2>&1 >/dev/null </dev/null
		echo "exit $?"
	) | cat >"$work/err"
	find "$dir" -type f -exec sha256sum {} + | sort >"$work/after"
	grep -qx 'exit 2' "$work/err" && grep -q "^gpuguide: \($dir/\|collect: \).*: File too large" "$work/err" &&
		[ -z "$(comm -13 "$work/before" "$work/after")" ]
	check $? "environment: $stage has no room: exit 2, no file is half-written"
done
mkdir -p "$work/disk"
for size in 4k 40k 280k; do
	mount -t tmpfs -o size=$size tmpfs "$work/disk" 2>/dev/null || break
	gpuguide report three --root "$root" --out "$work/disk"
	left=$(ls -A "$work/disk")
	umount "$work/disk"
	[ "$left" = .lock ]
	check $? "environment: a disk of $size: only the lock is left"
	ended 2 "environment: a disk of $size is full" 'No space left on device'
done

# Two runs at a time, and a run that is killed: a gnuplot that waits holds the first in the middle.
tool waits "echo \$\$ >>'$work/waiting'; while [ ! -e '$work/go' ]; do sleep 0.02; done; exec gnuplot \"\$@\""
start_waiting() {
	rm -rf "$out" "$work/waiting" "$work/go"
	"$program" report three --root "$root" --out "$out" --gnuplot "$work/waits" >/dev/null 2>&1 &
	first=$!
	tries=0
	while [ ! -e "$work/waiting" ] && [ $tries -lt 500 ]; do
		sleep 0.02
		tries=$((tries + 1))
	done
}
start_waiting
report_small
ended 3 'environment: another run holds the lock' "$out/.lock: another run holds the lock"
[ "$(ls -A "$out" | sort | tr '\n' ' ')" = '.building .lock ' ]
check $? 'environment: while it runs only hidden names are there'
: >"$work/go"
wait "$first"
[ $? -eq 0 ] && [ "$(ls "$out")" = 2019-05-31 ]
check $? 'environment: the first is not disturbed'
cp -R "$out/2019-05-31" "$work/whole"
for signal in KILL TERM INT; do
	start_waiting
	kill -$signal "$first"
	[ $signal = INT ] && kill -TERM "$first" # a shell's background job ignores INT
	wait "$first" 2>/dev/null
	[ $? -gt 128 ] && [ -z "$(ls "$out")" ]
	check $? "environment: killed in the middle by $signal: no edition"
	: >"$work/go"
	report_small
	ended 0 "environment: the run after $signal succeeds"
	diff -r "$out/2019-05-31" "$work/whole" >"$work/diff" && [ "$(ls -A "$out" | sort | tr '\n' ' ')" = '.lock 2019-05-31 ' ]
	check $? "environment: and makes the same bytes"
done
