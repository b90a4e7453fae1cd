# Contributions from real servers on this machine: a git repository, an rsync daemon, an https server, an ssh server and a
# drop folder; what is wrong with each is told, the rest goes on, and nothing that was accepted changes.

root=$(small_root fetching)
servers=
trap 'stop_servers; exit 1' HUP INT TERM

stop_servers() {
	for server in $servers; do
		kill -CONT "$server" 2>/dev/null
		kill "$server" 2>/dev/null
	done
	servers=
}

# start NAME COMMAND...: a server that ends by itself should this script be killed; its words in $work/NAME.log.
start() {
	log=$1
	shift
	timeout 120 "$@" >"$work/$log.log" 2>&1 </dev/null &
	servers="$servers $!"
}

# A port that nobody listens on, another one every time.
next_port=$((20000 + $$ % 10000 * 4))
free_port() {
	while port=$(printf '%04X' "$next_port") && cat /proc/net/tcp /proc/net/tcp6 2>/dev/null | grep -q ":$port "; do
		next_port=$((next_port + 1))
	done
	port=$next_port
	next_port=$((next_port + 1))
}

# Until somebody listens there, 5 s at most.
wait_for_port() {
	i=0
	while [ $i -lt 100 ] && ! grep -q ":$(printf '%04X' "$1") [0:]* 0A" /proc/net/tcp; do
		sleep 0.05
		i=$((i + 1))
	done
}

# sound MACHINE VALUE: a whole file with one sound row.
sound_file() {
	echo machine,date,device,device_count,class,workload,precision,batch_size,metric,value,unit,framework,driver,repeat,source
	echo "$1,2019-04-04,Card B,1,cnn,resnet50,fp16,64,throughput,$2,images/s,torch,418,1,lab"
}

# sources TEXT: data/sources.ini; fetch [ARG...]: a run, its words of both kinds in $work/err.
sources() {
	printf '%s\n' "$1" >"$root/data/sources.ini"
}

fetch() {
	gpuguide fetch --root "$root" "$@"
	cat "$work/err" >>"$work/out"
	cp "$work/out" "$work/err"
}

# The counts of a source: new accepted held changed same vanished failed.
counts() {
	set -- "$1" "$2" "$(awk -v s="$1" '$1 == s && NF == 8 { print $2, $3, $4, $5, $6, $7, $8; exit }' "$work/err")" "$3"
	[ "$3" = "$2" ]
	check $? "$4"
	[ "$3" = "$2" ] || { echo "# $1: $3, wanted $2"; sed 's/^/# /' "$work/err"; }
}

accepted=$root/data/contributions
ledger_rows() { [ -e "$root/data/accepted.csv" ] && echo $(($(wc -l <"$root/data/accepted.csv") - 1)); }

# --- sources.ini itself
gpuguide fetch --root "$root"
ended 2 'fetch: without data/sources.ini' 'data/sources.ini: No such file or directory'
sources '; nothing yet'
fetch
ended 0 'fetch: no source described' 'No source is described in data/sources.ini.'
sources '[x]
type = folder
pth = drop'
fetch
ended 1 'fetch: an unknown key' "data/sources.ini:3: unknown key 'pth' of [x]"
for address in --upload-pack=touch "ext::sh -c touch" -oProxyCommand=touch "file:///etc" "http://x/y" "git://x/y" "ssh://-oProxyCommand=x/y" "-x:y"; do
	sources "[x]
type = git
series = x
url = $address"
	fetch
	ended 1 "fetch: git address $address" 'data/sources.ini:4: url: '
done

# --- drop folder
drop=$work/drop
mkdir -p "$drop/inner"
sound_file one 300.5 >"$drop/one.csv"
sound_file two 301.5 >"$drop/inner/two.csv"
sound_file ready 302.5 >"$drop/unready.csv.part"
echo 'not, a contribution' >"$drop/other.csv"
printf 'PK\003\004\000\001\377' >"$drop/binary.csv"
printf 'a,b\n"never closed' >"$drop/quote.csv"
head -c 30000 /dev/zero | tr '\0' x >"$drop/large.csv"
ln -s /etc/passwd "$drop/link.csv"
ln -s "$root/data" "$drop/linked"
mkfifo "$drop/pipe.csv"
sound_file 'odd name' 303.5 >"$drop/$(printf 'o;d$(d)\n\033[2J name.csv')"
sources "[drop]
type = folder
path = $drop
series = drop
max_file_mb = 0.02"
fetch --dry-run
ended 1 'fetch: a dry run says what would be' 'Nothing was accepted: this was a dry run.' 'one.csv: accepted as drop/one.csv'
[ ! -e "$accepted/drop" ] && [ ! -e "$root/data/accepted.csv" ] && [ ! -e "$root/spool/held" ]
check $? 'fetch: and does nothing'
fetch
ended 1 'fetch: a drop folder' 'one.csv: accepted as drop/one.csv: 1 rows accepted' 'inner/two.csv: accepted as drop/two.csv' \
	"other.csv: held: line 1:1: columns 'machine', 'device'" 'large.csv: held: 30,000 bytes, more than 0.02 MB (max_file_mb)' \
	'link.csv: held: a symbolic link' 'pipe.csv: held: not a regular file' \
	'o;d$(d)??[2J name.csv: accepted as drop/o-d-d-2J-name.csv' 'quote.csv: held: line 2:1: the quote that opens here is never closed' 'binary.csv: held: line 1:'
counts drop '9 3 6 0 0 0 0' 'fetch: 3 of 9 files are accepted'
[ "$(ls -A "$accepted/drop" | tr '\n' ' ')" = 'o-d-d-2J-name.csv one.csv two.csv ' ] && [ "$(ledger_rows)" = 3 ] &&
	cmp -s "$drop/one.csv" "$accepted/drop/one.csv" && [ "$(ls -A "$accepted" | tr '\n' ' ')" = 'drop lab ' ]
check $? 'fetch: the three and nothing else lie there, as they were sent'
[ "$(ls "$root/spool/held/drop" | grep -c 'reason.txt$')" = 6 ] && grep -q '^reason: a symbolic link' "$root"/spool/held/drop/*link.csv.reason.txt
check $? 'fetch: what was held lies in the spool with its reason'
fetch
ended 0 'fetch: the next night nothing is offered again' '6 more held before'
counts drop '0 0 0 0 9 0 0' 'fetch: all the same'
fetch --quiet
[ "$status" -eq 0 ] && [ ! -s "$work/err" ]
check $? 'fetch: --quiet says nothing then'

# --- changes
sound_file one 310.5 >"$drop/one.csv"
rm "$drop/inner/two.csv"
fetch
ended 1 'fetch: a changed file is held, a vanished one told' 'one.csv: changed: changed at the source since it was accepted as drop/one.csv' \
	'no longer at the source, kept here: inner/two.csv'
counts drop '1 0 0 1 7 1 0' 'fetch: one changed, one vanished'
grep -q ',300.5,' "$accepted/drop/one.csv" && [ -e "$accepted/drop/two.csv" ]
check $? 'fetch: what was accepted stays as it was'
fetch --accept
ended 1 'fetch --accept: it is taken beside the old one' 'one.csv: accepted as drop/one-2.csv' 'spool/replaced/drop-one.csv has the lines for data/overrides.csv'
grep -q ',310.5,' "$accepted/drop/one-2.csv" && grep -q ',300.5,' "$accepted/drop/one.csv"
check $? 'fetch --accept: both lie there'
cat "$root/spool/replaced/drop-one.csv" >>"$root/data/overrides.csv"
gpuguide collect three --root "$root" -o "$work/fetched" "$accepted"
grep -q '^drop/one.csv,2,.*replaced by drop/one-2.csv' "$work/fetched/data/rejects.csv"
check $? 'fetch --accept: the lines for overrides.csv set the old rows aside'
sound_file one 311.5 >"$drop/one.csv"
fetch --accept
ended 1 'fetch --accept: and a third' 'one.csv: accepted as drop/one-3.csv'
rm "$accepted/drop/two.csv"
sound_file two 301.5 >"$drop/inner/two.csv"
fetch
[ ! -e "$accepted/drop/two.csv" ]
check $? 'fetch: what a maintainer deleted does not come back'

# --- several sources, names that collide, the same bytes twice
mkdir "$work/drop2" "$work/drop3"
sound_file else 320.5 >"$work/drop2/ONE.csv"
sound_file one 300.5 >"$work/drop2/copy.csv"
sound_file new 321.5 >"$work/drop3/good.csv"
sources "[second]
type = folder
path = $work/drop2
series = drop
[gone]
type = folder
path = $work/no-such-folder
series = gone
[third]
type = folder
path = $work/drop3
series = third"
fetch
ended 1 'fetch: a source that fails does not stop the next' 'gone: failed: ' 'No such file or directory' 'good.csv: accepted as third/good.csv' \
	'copy.csv: same as drop/one.csv: the same bytes are there already: taken once'
sum=$(sha256sum <"$work/drop2/ONE.csv" | cut -c 1-8)
[ -e "$accepted/drop/ONE-$sum.csv" ] && grep -q ',300.5,' "$accepted/drop/one.csv"
check $? 'fetch: a name that is taken in another case gets 8 digits of its sum'
fetch --source third
counts third '0 0 0 0 1 0 0' 'fetch --source: only this one'
! grep -q '^gone' "$work/err"
check $? 'fetch --source: and no other'
fetch --source none
ended 2 'fetch --source: one that is not there' "--source: there is no 'none' in data/sources.ini; there are second, gone, third"
fetch --format csv
grep -qx 'gone,folder,0,0,0,0,0,0,1,.*No such file or directory' "$work/err"
check $? 'fetch --format csv'
fetch --format json
have python3 && { python3 -c 'import json, sys; s = json.load(open(sys.argv[1]))["sources"]; sys.exit(not (len(s) == 3 and s[1]["failed"] == 1))' "$work/err"; check $? 'fetch --format json'; }
i=0
while [ $i -lt 12 ]; do
	i=$((i + 1))
	sound_file "m$i" "3$((i + 10)).5" >"$work/drop3/many$i.csv"
done
sources "[third]
type = folder
path = $work/drop3
series = third
max_files = 12"
fetch
ended 1 'fetch: too many files' '13 files, more than 12 (max_files): nothing is taken'
[ "$(ls "$accepted/third")" = good.csv ]
check $? 'fetch: and none is taken'
sources "[third]
type = folder
path = $work/drop3
series = third
max_total_mb = 0.002"
fetch
ended 1 'fetch: too large together' 'more than 0.002 MB (max_total_mb): nothing is taken'
mkdir -p "$accepted/by hand/deeper" "$work/drop6"
sound_file byhand 330.5 >"$accepted/byhand.csv"
sound_file byhand2 331.5 >"$accepted/by hand/deeper/x y.csv"
cp "$accepted/byhand.csv" "$work/drop6/one.csv"
cp "$accepted/by hand/deeper/x y.csv" "$work/drop6/two.csv"
sources "[byhand]
type = folder
path = $work/drop6
series = byhand"
fetch
ended 0 'fetch: bytes that lie beside the series, or in a folder of one' 'one.csv: same as byhand.csv' 'two.csv: same as by hand/deeper/x y.csv'
fetch
ended 0 'fetch: the ledger is read back the next night'
counts byhand '0 0 0 0 2 0 0' 'fetch: both the same'
sound_file byhand 332.5 >"$work/drop6/one.csv"
sound_file byhand2 333.5 >"$work/drop6/two.csv"
fetch
ended 1 'fetch: and changed at the source' 'changed at the source since it was accepted as byhand.csv on ' 'as by hand/deeper/x y.csv on '
fetch --accept
ended 0 'fetch --accept: they go to the series of the source' 'one.csv: accepted as byhand/byhand-2.csv' 'two.csv: accepted as byhand/x-y-2.csv' \
	'spool/replaced/byhand.csv has the lines' 'spool/replaced/by hand-deeper-x y.csv has the lines'
rm -r "$accepted/byhand" "$accepted/by hand" "$accepted/byhand.csv"
ln -s "$work" "$accepted/elsewhere"
sources "[elsewhere]
type = folder
path = $work/drop5
series = elsewhere"
mkdir -p "$work/drop5"
sound_file elsewhere 334.5 >"$work/drop5/elsewhere.csv"
fetch
ended 1 'fetch: a series that is a link' 'elsewhere: failed: ' 'a symbolic link: collect would pass over what is put there'
[ ! -e "$work/elsewhere.csv" ]
check $? 'fetch: and nothing goes through it'
rm -r "$accepted/elsewhere" "$work/drop5"
(i=0; while [ $i -lt 40 ]; do i=$((i + 1)); echo "$i" >>"$work/drop3/growing.csv"; sleep 0.05; done) &
sources "[third]
type = folder
path = $work/drop3
series = third"
sleep 0.2
fetch
ended 0 'fetch: a file still being written waits' 'growing.csv: waits: still being written'
wait $!
rm "$work/drop3/growing.csv"

# --- two at once, killed in between
mkdir "$work/drop4"
i=0
while [ $i -lt 40 ]; do
	i=$((i + 1))
	sound_file "k$i" "4$((i + 10)).5" >"$work/drop4/k$i.csv"
done
sources "[fourth]
type = folder
path = $work/drop4
series = fourth"
"$program" fetch --root "$root" >"$work/first" 2>&1 </dev/null &
first=$!
i=0
while [ $i -lt 100 ] && [ ! -e "$accepted/fourth/k1.csv" ]; do sleep 0.02; i=$((i + 1)); done
fetch
ended 3 'fetch: two at once' 'data/.lock: another run holds the lock'
kill -9 "$first"
wait "$first" 2>/dev/null
taken=$(ls "$accepted/fourth" | wc -l)
[ "$taken" -ge 1 ] && [ "$taken" -lt 40 ]
check $? "fetch: killed after $taken of 40"
bad_files=0
for file in "$accepted"/fourth/*.csv; do cmp -s "$file" "$work/drop4/${file##*/}" || bad_files=1; done
check $bad_files 'fetch: each of them is whole'
fetch
ended 0 'fetch: the next run takes the rest'
[ "$(ls "$accepted/fourth" | wc -l)" = 40 ] && diff -r "$work/drop4" "$accepted/fourth" >/dev/null && [ "$(grep -c ',fourth,' "$root/data/accepted.csv")" = 40 ]
check $? 'fetch: 40 files, each entered once'

# --- a ledger that cannot be written: what was accepted before that is found by its bytes
mkdir "$work/drop5" "$root/data/accepted.csv.part"
sound_file ledger 420.5 >"$work/drop5/ledger.csv"
sources "[fifth]
type = folder
path = $work/drop5
series = fifth
[sixth]
type = folder
path = $work/drop4
series = sixth"
touch "$accepted/.accepting"
fetch
ended 2 'fetch: the ledger cannot be written' 'data/accepted.csv: Is a directory' 'ledger.csv: accepted as fifth/ledger.csv'
counts sixth '0 0 0 0 0 0 1' 'fetch: the source that was not tried counts as failed'
rmdir "$root/data/accepted.csv.part"
fetch --source fifth
ended 0 'fetch: the next run enters it' 'ledger.csv: same as fifth/ledger.csv'
[ "$(grep -c ',fifth,ledger.csv,fifth,ledger.csv,' "$root/data/accepted.csv")" = 1 ] && [ ! -e "$accepted/.accepting" ] && [ "$(ls "$accepted/fifth")" = ledger.csv ]
check $? 'fetch: once, and nothing is left aside'

# --- git
if have git; then
	git_in() { git -C "$work/tree" -c user.name=t -c user.email=t@example.org "$@" >"$work/git.log" 2>&1; }
	git init -q --bare -b main "$work/bare.git"
	git init -q -b main "$work/tree"
	mkdir -p "$work/tree/results/deep"
	sound_file g1 340.5 >"$work/tree/results/g1.csv"
	sound_file g2 341.5 >"$work/tree/results/deep/g2.csv"
	sound_file outside 342.5 >"$work/tree/outside.csv"
	ln -s /etc/passwd "$work/tree/results/link.csv"
	head -c 30000 /dev/zero >"$work/tree/results/large.csv"
	echo '*.csv filter=evil' >"$work/tree/.gitattributes"
	git_in add -A && git_in commit -qm one && git_in push -q "$work/bare.git" main
	printf '#!/bin/sh\ntouch %s/hooked\n' "$work" >"$work/bare.git/hooks/post-upload-pack"
	chmod +x "$work/bare.git/hooks/post-upload-pack"
	git_source="[git]
type = git
url = $work/bare.git
subfolder = results
series = git
max_file_mb = 0.02"
	sources "$git_source"
	fetch
	ended 1 'fetch: a git repository' 'g1.csv: accepted as git/g1.csv' 'deep/g2.csv: accepted as git/g2.csv' 'link.csv: held: a symbolic link' \
		'large.csv: held: 30,000 bytes, more than 0.02 MB'
	counts git '4 2 2 0 0 0 0' 'fetch: two of its files are accepted'
	cmp -s "$work/tree/results/deep/g2.csv" "$accepted/git/g2.csv" && [ ! -e "$work/hooked" ]
	check $? 'fetch: as they are in the repository'
	sound_file g1 345.5 >"$work/tree/results/g1.csv"
	sound_file g3 346.5 >"$work/tree/results/g3.csv"
	git_in rm -q results/deep/g2.csv && git_in add -A && git_in commit -q --amend -m two && git_in push -q --force "$work/bare.git" main
	touch "$root/spool/git/git.git/shallow.lock"
	fetch
	ended 1 'fetch: a rewritten history, after a run that was killed' 'g1.csv: changed: ' 'g3.csv: accepted as git/g3.csv' 'kept here: deep/g2.csv'
	counts git '2 1 0 1 2 1 0' 'fetch: one new, one changed, one vanished'
	sources "$git_source
branch = no-such-branch"
	fetch
	ended 1 'fetch: a branch that is not there' "git: failed: git: status 128: fatal: couldn't find remote ref refs/heads/no-such-branch"
	sources "$git_source
branch = --upload-pack=x"
	fetch
	ended 1 'fetch: a branch that is an option' "data/sources.ini:7: branch: '--upload-pack=x' is not the plain name of a branch"
	printf 'version https://git-lfs.github.com/spec/v1\noid sha256:%064d\nsize 12345\n' 7 >"$work/tree/results/lfs.csv"
	deep=results
	while [ ${#deep} -lt 1100 ]; do deep=$deep/$deep; [ ${#deep} -gt 200 ] && deep=$deep/dddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddd; done
	mkdir -p "$work/tree/$deep" && sound_file deep 347.5 >"$work/tree/$deep/x.csv"
	git_in add -A && git_in commit -qm lfs && git_in push -q "$work/bare.git" main
	sources "$git_source"
	# as a hook of another repository would call it, and with what would switch the checks off
	export GIT_DIR=/nowhere GIT_QUARANTINE_PATH=/nowhere GIT_NAMESPACE=none GIT_TRACE="$work/traced"
	fetch
	unset GIT_DIR GIT_QUARANTINE_PATH GIT_NAMESPACE GIT_TRACE
	ended 1 'fetch: git, whatever the environment says of it' 'lfs.csv: held: a pointer to a file of Git LFS, not the file itself' 'held: its path is longer than 1000 bytes'
	[ ! -e "$work/traced" ] && [ ! -e "$work/tree/.git/refs/gpuguide" ]
	check $? 'fetch: git, nothing is left elsewhere'
	git_in rm -rq "${deep%%/*}/${deep#*/}" results/lfs.csv && git_in commit -qm less && git_in push -q "$work/bare.git" main
	free_port
	sources "[git]
type = git
url = https://127.0.0.1:$port/x.git
series = git
$(echo "$git_source" | sed 's/^\[git\]/[after]/')"
	fetch
	ended 1 'fetch: git, a dead host' 'git: failed: git: status 128: fatal: unable to access' 'after: '
	mkdir "$work/without-git"
	for tool in sh ls; do ln -s "$(command -v $tool)" "$work/without-git/$tool"; done
	PATH="$work/without-git" "$program" fetch --root "$root" --source git >"$work/err" 2>&1
	status=$?
	ended 1 'fetch: without git' 'git: failed: git: not found: install git'
fi

# --- rsync
if have rsync; then
	mkdir -p "$work/module/sub"
	sound_file r1 350.5 >"$work/module/r1.csv"
	sound_file r2 351.5 >"$work/module/sub/r 2.csv"
	head -c 30000 /dev/zero >"$work/module/large.csv"
	ln -s /etc/passwd "$work/module/link.csv"
	echo no >"$work/module/readme.txt"
	free_port
	rsync_port=$port
	printf 'use chroot = no\nlog file = %s/rsyncd.log\n[data]\npath = %s/module\nread only = yes\n' "$work" "$work" >"$work/rsyncd.conf"
	start rsyncd rsync --daemon --no-detach --address=127.0.0.1 --port="$port" --config="$work/rsyncd.conf"
	rsyncd=${servers##* }
	wait_for_port "$port"
	rsync_source="[rsync]
type = rsync
url = rsync://127.0.0.1:$port/data
series = rsync
max_file_mb = 0.02
timeout_s = 2"
	sources "$rsync_source"
	fetch
	ended 1 'fetch: an rsync daemon' 'r1.csv: accepted as rsync/r1.csv' 'sub/r 2.csv: accepted as rsync/r-2.csv' \
		'large.csv: held: 30,000 bytes, more than 0.02 MB' 'link.csv: held: a symbolic link'
	counts rsync '4 2 2 0 0 0 0' 'fetch: two of its files are accepted'
	sound_file r1 352.5 >"$work/module/r1.csv"
	rm "$work/module/sub/r 2.csv"
	fetch
	ended 1 'fetch: rsync, a file changed without growing' 'r1.csv: changed: ' 'kept here: sub/r 2.csv'
	grep -q ',350.5,' "$accepted/rsync/r1.csv" && [ -e "$accepted/rsync/r-2.csv" ]
	check $? 'fetch: rsync, what was accepted stays'
	sources "$rsync_source
max_files = 2"
	fetch
	ended 1 'fetch: rsync, too many files' '3 files, more than 2 (max_files)'
	sources "$(echo "$rsync_source" | sed 's,/data,/nothing,')"
	fetch
	ended 1 'fetch: rsync, no such module' "rsync: failed: rsync: status 5: @ERROR: Unknown module 'nothing'"
	mkdir "$work/precious"
	echo mine >"$work/precious/thesis.txt"
	mv "$root/spool/rsync/rsync" "$work/mirror" && ln -s "$work/precious" "$root/spool/rsync/rsync"
	sources "$rsync_source"
	fetch
	ended 1 'fetch: rsync, the mirror is a link' 'rsync: failed: ' 'spool/rsync/rsync/: a symbolic link: the mirror has to be a folder'
	[ -e "$work/precious/thesis.txt" ]
	check $? 'fetch: rsync, and nothing behind it is deleted'
	rm "$root/spool/rsync/rsync" && mv "$work/mirror" "$root/spool/rsync/rsync"
	export RSYNC_CONNECT_PROG="touch $work/connected" RSYNC_ICONV=none
	fetch
	unset RSYNC_CONNECT_PROG RSYNC_ICONV
	ended 0 'fetch: rsync, whatever the environment says of it'
	[ ! -e "$work/connected" ]
	check $? 'fetch: rsync, and no program of the environment runs'
	sound_file r9 353.5 >"$work/module/r9.csv"
	echo 'no signature' >"$work/module/r9.csv.sig"
	fetch
	ended 1 'fetch: rsync, a signature comes with its file' 'r9.csv: held: line 1:1: its signature is not an SSH signature'
	pkill -STOP -P "$rsyncd"
	sources "$rsync_source"
	fetch
	ended 1 'fetch: rsync, a host that says nothing' 'rsync: failed: rsync: stopped after 2 s'
	pkill -CONT -P "$rsyncd"
	pkill -P "$rsyncd"
	wait "$rsyncd" 2>/dev/null
	fetch
	ended 1 'fetch: rsync, a dead host' 'rsync: failed: rsync: status 10: '
fi

# --- https: each answer is a file with its head, as openssl s_server -HTTP sends it
if have openssl && have curl; then
	web=$work/web
	mkdir -p "$web/sub"
	new_certificate() { # NAME SUBJECT_ALT_NAME
		openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj "/CN=$1" -addext "subjectAltName=$2" \
			-keyout "$work/$1.key" -out "$work/$1.pem" >"$work/openssl.log" 2>&1
	}
	answer() { # PATH HEAD: the body from standard input
		{ printf 'HTTP/1.0 %b\r\n\r\n' "$2"; cat; } >"$web/$1"
	}
	new_certificate right IP:127.0.0.1
	new_certificate wrong IP:127.0.0.1
	free_port
	https_port=$port
	start https sh -c "cd '$web' && exec openssl s_server -accept 127.0.0.1:$port -cert '$work/right.pem' -key '$work/right.key' -HTTP"
	wait_for_port "$port"
	sound_file w1 360.5 | answer w1.csv '200 OK'
	sound_file w2 361.5 | answer sub/w2.csv '200 OK'
	echo '<html>' | answer page.csv '200 OK'
	: | answer absent.csv '404 Not Found'
	: | answer moved.csv "302 Found\r\nLocation: http://127.0.0.1:$port/w1.csv"
	{ printf 'HTTP/1.0 200 OK\r\n\r\n'; head -c 3000000 /dev/zero; } >"$web/endless.csv"
	printf '# our files\nw1.csv\r\nsub/w2.csv\nw1.csv\n\npage.csv\nabsent.csv\nmoved.csv\nendless.csv\nreadme.txt\n../../etc/x.csv\n/etc/x.csv\nhttps://other/x.csv\n-o.csv\n' | answer files.txt '200 OK'
	https_source="[https]
type = https
url = https://127.0.0.1:$port/files.txt
series = https
cafile = $work/right.pem
max_file_mb = 0.02"
	sources "$https_source"
	fetch
	ended 1 'fetch: an https server' 'w1.csv: accepted as https/w1.csv' 'sub/w2.csv: accepted as https/w2.csv' 'page.csv: held: ' \
		'absent.csv: failed: curl: status 22: ' 'endless.csv: held: more than 0.02 MB (max_file_mb)' \
		'moved.csv: failed: curl: status 1: ' '../../etc/x.csv: held: line 11 of the list is no plain relative name' \
		'/etc/x.csv: held: line 12 of the list' 'https://other/x.csv: held: line 13' '-o.csv: held: line 14'
	[ "$(ls "$accepted/https" | tr '\n' ' ')" = 'w1.csv w2.csv ' ] && cmp -s "$accepted/https/w1.csv" - <<END
$(sound_file w1 360.5)
END
	check $? 'fetch: https, two files, as they were sent'
	sound_file w9 363.5 | answer w9.csv '200 OK'
	echo 'no signature' | answer w9.csv.sig '200 OK'
	printf 'w9.csv\nw9.csv.sig\n' | answer signed.txt '200 OK'
	sources "$(echo "$https_source" | sed 's/files.txt/signed.txt/; s/^\[https\]/[websigned]/')"
	fetch
	ended 1 'fetch: https, a signature that is listed comes with its file' 'w9.csv: held: line 1:1: its signature is not an SSH signature'
	sources "$https_source"
	sound_file w1 365.5 | answer w1.csv '200 OK'
	sources "$(echo "$https_source" | sed 's,files.txt,w1.csv,')"
	fetch
	ended 1 'fetch: https, a single file that changed' 'w1.csv: changed: ' 'no longer at the source, kept here: sub/w2.csv'
	sources "$(echo "$https_source" | sed 's,right.pem,wrong.pem,')"
	fetch
	ended 1 'fetch: https, the wrong certificate' 'https: failed: curl: status 60: '
	sources "$(echo "$https_source" | sed 's,right.pem,absent.pem,')"
	fetch
	ended 1 'fetch: https, no such cafile' 'https: failed: curl: status 77: '
	sources "$(echo "$https_source" | sed 's,files.txt,page.csv?list,; s,page.csv,page.txt,')"
	echo '<html><a href="/x">' | answer 'page.txt?list' '200 OK'
	fetch
	ended 1 'fetch: https, a page in place of a list' "https: failed: the list holds no plain relative name, but '<html><a href="
	free_port
	sources "$(echo "$https_source" | sed "s,:$https_port,:$port,")"
	fetch
	ended 1 'fetch: https, a dead host' 'https: failed: curl: status 7: '
fi

# --- ssh: rsync through it, and git
if have rsync && have ssh && [ -x /usr/sbin/sshd ]; then
	ssh-keygen -q -t ed25519 -N '' -f "$work/host_key" && ssh-keygen -q -t ed25519 -N '' -f "$work/other_key" && ssh-keygen -q -t ed25519 -N '' -f "$work/user key"
	cp "$work/user key.pub" "$work/authorized"
	free_port
	printf '%s\n' "Port $port" 'ListenAddress 127.0.0.1' "HostKey $work/host_key" "AuthorizedKeysFile $work/authorized" 'StrictModes no' \
		'UsePAM no' 'PidFile none' 'PasswordAuthentication no' 'PermitRootLogin yes' >"$work/sshd_config"
	[ "$(id -u)" != 0 ] || mkdir -p /run/sshd
	start sshd /usr/sbin/sshd -D -e -f "$work/sshd_config"
	wait_for_port "$port"
	echo "[127.0.0.1]:$port $(cut -d ' ' -f 1,2 "$work/host_key.pub")" >"$work/known"
	echo "[127.0.0.1]:$port $(cut -d ' ' -f 1,2 "$work/other_key.pub")" >"$work/known-other"
	mkdir "$work/by-ssh"
	sound_file s1 370.5 >"$work/by-ssh/s1.csv"
	ssh_source="[ssh]
type = ssh
url = ssh://127.0.0.1:$port$work/by-ssh
known_hosts = $work/known
ssh_key = $work/user key
series = ssh"
	sources "$ssh_source"
	fetch
	ended 0 'fetch: rsync through ssh' 's1.csv: accepted as ssh/s1.csv'
	sources "$(echo "$ssh_source" | sed 's,/known,/known-other,')"
	fetch
	ended 1 'fetch: ssh, the wrong host key' 'ssh: failed: rsync: ' 'HOST IDENTIFICATION HAS CHANGED'
	sources "$(echo "$ssh_source" | sed 's,/known,/authorized,')"
	fetch
	ended 1 'fetch: ssh, an unknown host' 'ssh: failed: rsync: ' 'No ED25519 host key is known for [127.0.0.1]'
	: >"$work/authorized"
	sources "$ssh_source"
	fetch
	ended 1 'fetch: ssh, a key that is not let in' 'ssh: failed: rsync: ' 'Permission denied'
	cp "$work/user key.pub" "$work/authorized"
	sources "$(echo "$ssh_source" | sed "s,^type.*,type = git,; s,/by-ssh,/bare.git,; s,= ssh\$,= ssh-git,")"
	fetch
	ended 1 'fetch: git through ssh' 'outside.csv: accepted as ssh-git/outside.csv' 'results/g3.csv: same as git/g3.csv: the same bytes are there already'
fi
stop_servers
trap 'exit 1' HUP INT TERM

# --- what came in is what a report is made from
gpuguide collect three --root "$root" -o "$work/fetched" "$accepted"
ended 1 'fetch: collect reads all of it, but the row that was replaced and one of the laboratory' '(0 refused)' ' 2 rejected'
