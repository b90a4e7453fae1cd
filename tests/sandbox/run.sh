#!/bin/sh
# Somebody who has taken over the reading of contributions can do nothing but give wrong tables, or none.
#   sh tests/sandbox/run.sh BUILD
set -u
export LC_ALL=C TZ=UTC SOURCE_DATE_EPOCH=1559260800
build=$1
case $build in /*) ;; *) build=$(pwd)/$build ;; esac
program=$build/gpuguide
work=$(mktemp -d) || exit 1
trap '[ -n "${KEEP:-}" ] || { chmod -R u+rwX "$work"; rm -rf "$work"; }' EXIT
trap 'exit 1' HUP INT TERM
. tests/tap.sh

root=$work/root
cp -R tests/e2e/three "$root"
cp -R templates "$root/"
header=machine,date,device,device_count,class,workload,precision,batch_size,metric,value,unit,framework,driver,repeat,source
echo secret >"$work/secret"

# collect [OPTION...]: the stage on the three cards into $work/got
collect() {
	"$program" collect three --root "$root" -o "$work/got" "$@" "$root/data/contributions" \
		>"$work/out" 2>"$work/err" </dev/null
	status=$?
}
said() { grep -qF -e "$1" "$work/err"; }

# --- what it says, and the same bytes either way ---
collect --verbose
[ $status -le 1 ] && said 'collect: sandbox: '
check $? 'sandbox: with --verbose it says what the kernel grants'
state=$(sed -n 's/^collect: sandbox: //p' "$work/err")
echo "# $state"
case $state in 'no Landlock'*) landlock= ;; *) landlock=1 ;; esac
case $state in *'no seccomp'*) seccomp= ;; *) seccomp=1 ;; esac
wanted=$status
cp -R "$work/got" "$work/boxed"
sed '/sandbox/d; / s  peak /d' "$work/err" >"$work/boxed.err"
collect --no-sandbox --verbose
[ $status -eq $wanted ] && said 'collect: without its sandbox (--no-sandbox)'
check $? 'sandbox: --no-sandbox says that it does without'
sed '/sandbox/d; / s  peak /d' "$work/err" | diff - "$work/boxed.err" >/dev/null && diff -r "$work/got" "$work/boxed" >/dev/null
check $? 'sandbox: the same tables and the same words with and without'
collect
! said sandbox
check $? 'sandbox: without --verbose nothing of it is said'

# --- paths of all kinds ---
mkdir "$work/far"
cp -R "$root" "$work/linked"
mv "$work/linked/data/devices.csv" "$work/linked/data/contributions" "$work/far/"
ln -s "$work/far/devices.csv" "$work/linked/data/devices.csv"
ln -s "$work/far/contributions" "$work/linked/data/contributions"
"$program" collect three --root "$work/linked" -o "$work/linked-out" "$work/linked/data/contributions" 2>"$work/err"
diff -r "$work/linked-out" "$work/boxed" >/dev/null
check $? 'sandbox: a catalogue and contributions that are links'
"$program" collect three --root "$root" -o "$work/piped" - <"$root/data/contributions/lab/a.csv" 2>"$work/err"
[ -s "$work/piped/data/observations.csv" ] && said '1 files'
check $? 'sandbox: standard input'
ln -s "$root/data/contributions/lab/a.csv" "$work/alias.csv"
(cd "$root/data/contributions" && "$program" collect three --root ../.. -o "$work/relative" lab/a.csv "$work/alias.csv" 2>"$work/err")
[ -s "$work/relative/data/observations.csv" ] && said 'given twice'
check $? 'sandbox: a relative path, and a link to a file'
"$program" collect three --root "$root" -o "$work/none" "$work/nothing.csv" 2>"$work/err"
[ $? -eq 2 ] && said 'nothing.csv: No such file or directory'
check $? 'sandbox: a path that is not there is told as ever'
[ ! -e "$work/none/data/observations.csv" ]
check $? 'sandbox: and nothing is written'

# --- names are no file names ---
mkdir -p "$work/names/..series" "$work/names/lab"
printf '%s\n' "$header" '../../x1,2019-04-04,Card B,1,cnn,resnet50,fp16,64,throughput,301,images/s,../../x2,../x3,1,../../x4' \
	'/etc/cron.d/x5,2019-04-04,Card B,1,cnn,resnet50,fp16,64,throughput,302,images/s,t,d,1,s' >"$work/names/lab/a.csv"
"$program" collect three --root "$root" -o "$work/named" "$work/names" 2>"$work/err"
[ "$(cd "$work/named" && find . -type f | sort | tr '\n' ' ')" = \
	'./data/machines.csv ./data/observations.csv ./data/rejects.csv ./data/sources.csv ' ] &&
	grep -qF '../../x1' "$work/named/data/machines.csv" && ! find "$work" -name 'x[1-5]*' | grep -q .
check $? 'sandbox: machines, frameworks and sources called ../../x stay words in tables'

# --- intruders ---
if nm "$program" 2>/dev/null | grep -q __asan_init; then
	echo '# a library cannot be preloaded before a sanitizer: the rest is skipped'
	echo "1..$n"
	exit $bad
fi
${CC:-cc} -shared -fPIC -O1 -o "$work/intrude.so" tests/sandbox/intrude.c -ldl ||
	{ echo 'not ok 99 - the library of the intruder compiles'; exit 1; }

# intrude WHAT PATH [OPTION...]: a collect into an empty folder whose stage does WHAT
intrude() {
	what=$1 path=$2
	shift 2
	rm -rf "$work/got"
	INTRUDE=$what INTRUDE_PATH=$path LD_PRELOAD=$work/intrude.so collect "$@"
}
nothing_written() { [ -z "$(find "$work/got" -type f 2>/dev/null)" ]; }

# Each that only somebody else's code does ends the stage.
if [ -n "$seccomp" ]; then
	for what in exec fork kill ptrace socket; do
		intrude $what "$work/marker"
		[ $status -eq 2 ] && said 'collect: its process was ended by signal 31 (Bad system call), as it tried what its sandbox forbids' &&
			nothing_written && [ ! -e "$work/marker" ] && ! said LEAKED
		check $? "sandbox: $what ends the stage, exit 2, and does nothing"
	done
	rm -rf "$work/got"
	INTRUDE=exec INTRUDE_AT=input INTRUDE_PATH=$work/marker LD_PRELOAD=$work/intrude.so "$program" collect three --root "$root" \
		-o "$work/got" - <"$root/data/contributions/lab/a.csv" >"$work/out" 2>"$work/err"
	[ $? -eq 2 ] && said 'collect: its process was ended by signal 31' && nothing_written && [ ! -e "$work/marker" ]
	check $? 'sandbox: standard input is read in there too'
	intrude write "$work/marker"
	[ $status -eq $wanted ] && [ ! -e "$work/marker" ] && diff -r "$work/got" "$work/boxed" >/dev/null
	check $? 'sandbox: a file that it would make is not made, and the tables are those of every run'
	intrude write "$root/data/devices.csv"
	cmp -s "$root/data/devices.csv" tests/e2e/three/data/devices.csv
	check $? 'sandbox: the catalogue is not overwritten'
	intrude unlink "$root/data/contributions/lab/a.csv"
	[ -s "$root/data/contributions/lab/a.csv" ]
	check $? 'sandbox: no input is removed'
else
	echo '# no seccomp in this kernel: skipped'
fi
if [ -n "$landlock" ]; then
	intrude read "$work/secret"
	[ $status -eq $wanted ] && ! said LEAKED && ! grep -rq secret "$work/got"
	check $? 'sandbox: a file that is no input cannot be read'
	intrude read /etc/passwd
	! said LEAKED
	check $? 'sandbox: /etc/passwd neither'
	intrude read "$root/editions/three.ini"
	! said LEAKED
	check $? 'sandbox: the rest of the root neither'
	intrude read "$root/data/contributions/lab/a.csv"
	said 'LEAKED machine,'
	check $? 'sandbox: an input can (the intruder works)'
else
	echo '# no Landlock in this kernel: skipped'
fi
# Without the sandbox each of them works: the tests above could fail.
intrude write "$work/marker" --no-sandbox
[ -e "$work/marker" ]
check $? 'sandbox: --no-sandbox: the intruder makes a file'
rm -f "$work/marker"
intrude exec "$work/marker" --no-sandbox
[ -e "$work/marker" ]
check $? 'sandbox: --no-sandbox: it runs a program'
rm -f "$work/marker"
intrude read "$work/secret" --no-sandbox
said 'LEAKED secret'
check $? 'sandbox: --no-sandbox: it reads'

# --- ends ---
# ends WHAT 'text': exit 2 with that message, and no table
ends() {
	intrude "$1" /nowhere
	[ $status -eq 2 ] && said "$2" && nothing_written
	check $? "sandbox: $1: exit 2, said, nothing written"
}
ends segv 'collect: its process was ended by signal 11 (Segmentation fault); nothing of it was kept'
ends abort 'collect: its process was ended by signal 6 (Aborted); nothing of it was kept'
ends exit3 'collect: its process ended with status 3 before it was done; nothing of it was kept'
ends exit0 'collect: its process handed back what cannot be read'
ends talk 'nothing of it was kept; it said: ?]0;owned? the end is near'
! grep -qaP '[\x00-\x09\x0b-\x1f\x7f]' "$work/err"
check $? 'sandbox: nothing a terminal obeys comes through'
collect
cp -R "$work/got" "$work/before"
INTRUDE=segv LD_PRELOAD=$work/intrude.so collect
[ $status -eq 2 ] && diff -r "$work/got" "$work/before" >/dev/null
check $? 'sandbox: tables that were there stay as they were'

# What a stage hands back is a stranger's word too.
seed=0 good=0
while [ $seed -lt 60 ]; do
	seed=$((seed + 1))
	INTRUDE_SEED=$seed intrude garbage /nowhere
	{ [ $status -eq 2 ] && nothing_written; } || { [ $status -le 1 ] && ! said Sanitizer; } && continue
	good=1
	echo "# seed $seed: exit $status"
done
check $good "sandbox: $seed results of noise are refused"

# --- in the other commands ---
INTRUDE=segv LD_PRELOAD=$work/intrude.so "$program" report three --root "$root" --out "$work/editions" >"$work/out" 2>"$work/err" </dev/null
[ $? -eq 2 ] && said 'collect: its process was ended by signal 11' && [ -z "$(ls "$work/editions")" ]
check $? 'sandbox: report: exit 2, and no edition'
"$program" publish "$root/editions/three.ini" --root "$root" --out "$work/site" --quiet >"$work/out" 2>&1 </dev/null
edition=$(readlink "$work/site/latest")
sed 's/500.00/480.00/' "$root/data/prices/2019-05-20.csv" >"$work/new.csv" && cp "$work/new.csv" "$root/data/prices/2019-05-20.csv"
sed 's/torch/torch 2/' "$root/data/contributions/lab/a.csv" >"$work/new.csv" && cp "$work/new.csv" "$root/data/contributions/lab/a.csv"
INTRUDE=segv LD_PRELOAD=$work/intrude.so "$program" publish "$root/editions/three.ini" --root "$root" --out "$work/site" --quiet >"$work/out" 2>"$work/err" </dev/null
[ $? -eq 2 ] && [ "$(readlink "$work/site/latest")" = "$edition" ] && grep -q 'its process was ended by signal 11' "$work/site/failed.txt"
check $? 'sandbox: publish: exit 2, the last edition stays, failed.txt says why'
"$program" publish "$root/editions/three.ini" --root "$root" --out "$work/site" --quiet >"$work/out" 2>"$work/err" </dev/null &&
	"$program" verify --quiet "$work/site/latest"
check $? 'sandbox: and the next night makes an edition that verifies'
INTRUDE=segv LD_PRELOAD=$work/intrude.so "$program" verify "$work/site/latest" >"$work/out" 2>"$work/err"
[ $? -ge 1 ] && cat "$work/out" "$work/err" | grep -q 'its process was ended by signal 11'
check $? 'sandbox: verify says so'
"$program" verify --quiet --no-sandbox "$work/site/latest"
check $? 'sandbox: verify --no-sandbox: the same bytes'
mkdir "$work/drop"
cp "$root/data/contributions/lab/b.csv" "$work/drop/new.csv"
sed -i '2,$s/^/z/' "$work/drop/new.csv"
printf '[drop]\ntype = folder\npath = %s\nseries = drop\n' "$work/drop" >"$root/data/sources.ini"
INTRUDE=segv INTRUDE_BOXED=1 LD_PRELOAD=$work/intrude.so "$program" fetch --root "$root" >"$work/out" 2>"$work/err" </dev/null
[ $? -eq 1 ] && cat "$work/out" "$work/err" | grep -q 'new.csv: held.*its process was ended by signal 11' && [ ! -e "$root/data/contributions/drop" ]
check $? 'sandbox: fetch: a file that makes its reading crash is held, with the reason'
echo "1..$n"
exit $bad
