# The nightly job on the three invented cards: new, unchanged, changed and failed nights; what stands around the editions.

root=$(small_root publish)
site=$work/site

publish() {
	gpuguide publish three --root "$root" --out "$site" "$@"
}

# stands FOLDER 'name': latest points there, and the edition is made again from its own inputs, byte for byte.
stands() {
	[ "$(readlink "$site/latest")" = "$1" ] || echo "# latest: $(readlink "$site/latest")"
	gpuguide verify "$site/latest"
	[ "$status" -eq 0 ] && [ "$(readlink "$site/latest")" = "$1" ]
	check $? "$2"
	[ "$status" -eq 0 ] || cat "$work/out" "$work/err" | head -n 8 | sed 's/^/# /'
}

# The last line of the log has each of the texts.
logged() {
	name=$1 good=0
	shift
	for text in "$@"; do
		tail -n 1 "$site/publish.log" | grep -qF -e "$text" || { echo "# not logged: $text"; good=1; }
	done
	[ $good -eq 0 ] || tail -n 1 "$site/publish.log" | sed 's/^/# /'
	check $good "$name"
}

# Everything but the logs, the cache and the lock: names, bytes, times.
state() {
	(cd "$site" && find . -path ./.cache -prune -o ! -name 'publish.*' ! -name . -printf '%p %y %i %m %T@ %s %l\n' | sort)
}

editions() {
	[ "$(cd "$site" && echo 2*)" = "$1" ]
	check $? "$2"
	[ "$(cd "$site" && echo 2*)" = "$1" ] || ls "$site" | tr '\n' ' ' | sed 's/^/# /'
}

publish --dry-run
ended 0 'publish: a dry run'
grep -q "would make an edition of 2019-05-31 in $site: the first edition; compared with none" "$work/out" && [ ! -e "$site" ]
check $? 'publish: it says what it would do and writes nothing'
publish
ended 0 'publish: the first night'
stands 2019-05-31 'publish: latest is made anew from what is kept in it, byte for byte'
[ -s "$site/index.html" ] && [ -s "$site/feed.xml" ] && [ ! -e "$site/failed.txt" ] && [ ! -e "$site/.building" ]
check $? 'publish: archive page and feed stand beside it, no banner, nothing half-written'
logged 'publish: a line for people' ' published 2019-05-31 in ' ': the first edition; id 2019-05-31-' '; 3 files, 0 refused; rows: 13 accepted, 1 rejected, 0 set aside; 3 devices; prices refused: 0'
tail -n 1 "$site/publish.jsonl" | grep -q '^{"time":"20[0-9-]*T[0-9:]*Z","result":"published","folder":"2019-05-31","id":"2019-05-31-[0-9a-f]\{12\}","seconds":[0-9.]*,"changed":"the first edition","reason":null,"files":3,"files_refused":0,"rows_accepted":13,.*}$'
check $? 'publish: and one for programs'
[ -z "$(find "$site/2019-05-31" -type f -perm /222)" ]
check $? 'publish: nobody may write to a file of the edition'

state >"$work/before"
publish
ended 0 'publish: the second night'
logged 'publish: is unchanged' ' unchanged 2019-05-31 in 0.0'
state | diff "$work/before" - >"$work/diff"
check $? 'publish: and touches nothing but the log'
head -n 5 "$work/diff" | sed 's/^/# /'
rm -rf "$site/.cache"
publish --quiet
ended 0 'publish: without its cache'
state | diff "$work/before" - >"$work/diff"
[ $? -eq 0 ] && [ ! -s "$work/out" ] && [ ! -s "$work/err" ]
check $? 'publish: it is unchanged too, and quiet'
cat "$work/diff" "$work/err" | head -n 5 | sed 's/^/# /'
rm "$site/latest" "$site/feed.xml"
echo spoilt >"$site/index.html"
publish
[ "$(readlink "$site/latest")" = 2019-05-31 ] && [ -s "$site/feed.xml" ] && ! grep -q spoilt "$site/index.html"
check $? 'publish: an unchanged night mends what stands around the editions'
publish --dry-run
[ "$status" -eq 0 ] && grep -q "^unchanged: $site/2019-05-31 is made from the same" "$work/out"
check $? 'publish: a dry run sees that nothing changed'

# New inputs.
sed 's/500\.00/510.00/' "$here/three/data/prices/2019-05-20.csv" >"$root/data/prices/2019-05-20.csv"
publish
ended 0 'publish: a price is corrected'
stands 2019-05-31-r2 'publish: another revision of the date'
logged 'publish: with what changed' 'published 2019-05-31-r2 in ' ': 1 price file changed; id '
[ ! -e "$site/2019-05-31-r2/data/changes.csv" ] && ! grep -q '^previous' "$site/2019-05-31-r2/data/edition.csv"
check $? 'publish: a revision is not compared with the one before it'
[ "$(stat -c %h "$site/2019-05-31-r2/inputs/data/devices.csv")" -eq 2 ] && [ "$(stat -c %h "$site/2019-05-31-r2/inputs/data/prices/2019-05-20.csv")" -eq 1 ] &&
	[ "$(stat -c %h "$site/2019-05-31-r2/data/memory.csv")" -eq 2 ]
check $? 'publish: equal files have two names, changed ones their own'
publish --date 2019-06-30
ended 0 'publish: a month later'
stands 2019-06-30 'publish: an edition with a predecessor is made again too'
[ -s "$site/2019-06-30/data/changes.csv" ] && grep -q '^previous_date,2019-05-31,' "$site/2019-06-30/data/edition.csv" &&
	grep -q "^previous_id,2019-05-31-[0-9a-f]*," "$site/2019-06-30/data/edition.csv" &&
	[ "$(csv_get "$site/2019-06-30/data/changes.csv" new_rank device='Card B' class=cnn)" = 1 ]
check $? 'publish: it says what moved since then'
gpuguide diff --format csv "$site/2019-05-31-r2" "$site/2019-06-30"
diff "$work/out" "$site/2019-06-30/data/changes.csv" >"$work/diff"
check $? 'publish: as gpuguide diff says it'
head -n 3 "$work/diff" | sed 's/^/# /'
gpuguide diff --format json "$site/2019-05-31-r2" "$site/2019-06-30"
! grep -q 'previous' "$work/out"
check $? 'publish: what the two were themselves compared with is no change'
(cd "$site/2019-06-30/inputs" && find previous -type f | sort | tr '\n' ' ') >"$work/found"
[ "$(cat "$work/found")" = 'previous/data/edition.csv previous/data/inputs.csv previous/data/prices.csv previous/data/scores.csv previous/data/values.csv previous/summary.json ' ]
check $? 'publish: the small files of the predecessor are kept'
[ "$site/2019-06-30/inputs/previous/data/values.csv" -ef "$site/2019-05-31-r2/data/values.csv" ]
check $? 'publish: and cost no room'
grep -q "$(sed -n 's/^ *"id": "\(.*\)",$/\1/p' "$site/2019-05-31-r2/summary.json")" "$site/2019-06-30/summary.json"
check $? 'publish: and named'
publish --date 2019-06-30
logged 'publish: the night after is unchanged' ' unchanged 2019-06-30 in 0.0'
publish --date 2019-05-31
logged 'publish: an older date finds its edition' ' unchanged 2019-05-31-r2 in '
[ "$(readlink "$site/latest")" = 2019-06-30 ]
check $? 'publish: latest stays with the newest date'
publish --date 2019-06-15
[ "$status" -eq 0 ] && [ -d "$site/2019-06-15" ] && [ "$(readlink "$site/latest")" = 2019-06-30 ]
check $? 'publish: also when a date between is made'
echo '/* another look */' >>"$root/templates/report.css"
publish --date 2019-06-30 --previous "$site/2019-05-31-r2"
ended 0 'publish: another template'
stands 2019-06-30-r2 'publish: makes a revision'
logged 'publish: for that reason' ': 1 template changed; id '
publish --date 2019-06-30 --previous none
[ "$status" -eq 0 ] && [ -d "$site/2019-06-30-r3" ] && [ ! -e "$site/2019-06-30-r3/data/changes.csv" ] && [ ! -e "$site/2019-06-30-r3/inputs/previous" ]
check $? 'publish: --previous none compares with none'
publish --date 2019-06-30 --previous "$work/nowhere"
ended 2 'publish: a predecessor that is none' "$work/nowhere: not a folder, so no edition"
publish --date 2019-06-30 --previous none
editions '2019-05-31 2019-05-31-r2 2019-06-15 2019-06-30 2019-06-30-r2 2019-06-30-r3' 'publish: no more editions than that'
echo '/* archive */' >>"$root/templates/archive.css"
echo '# names and keys' >"$root/data/sources.ini"
publish --date 2019-06-30 --previous none
logged 'publish: neither the archive page nor configuration makes an edition' ' unchanged 2019-06-30-r3'

# Nights that fail.
sums() {
	(cd "$site" && find 2* -type f -exec sha256sum {} + | sort)
}
sums >"$work/before"
cp "$root/data/devices.csv" "$work/devices.csv"
echo 'Card A,broken' >>"$root/data/devices.csv"
publish --date 2019-06-30 --previous none
ended 1 'publish: a broken catalogue' "$root/data/devices.csv:"
logged 'publish: the log says why and where' ' failed in ' "$root/data/devices.csv:5:"
tail -n 1 "$site/publish.jsonl" | grep -q '"result":"failed","folder":null,.*"reason":".*devices.csv:5:'
check $? 'publish: so does the other'
grep -q "^Reason: data/devices.csv:5:" "$site/failed.txt" && grep -q 'The last good edition is 2019-06-30-r3' "$site/failed.txt"
check $? 'publish: a banner says so'
grep -q 'devices.csv:5:' "$site/index.html"
check $? 'publish: on the archive page'
sums | diff -q "$work/before" - >/dev/null && [ "$(readlink "$site/latest")" = 2019-06-30-r3 ] && [ ! -e "$site/.building" ]
check $? 'publish: every edition is as it was'
cp "$work/devices.csv" "$root/data/devices.csv"
publish --date 2019-06-30 --previous none
[ "$status" -eq 0 ] && [ ! -e "$site/failed.txt" ] && ! grep -q 'devices.csv:5:' "$site/index.html"
check $? 'publish: the next good night, though unchanged, takes it away'
publish --date 2019-07-31 --gnuplot /nonexistent
ended 2 'publish: no gnuplot' '/nonexistent'
[ -s "$site/failed.txt" ] && [ ! -e "$site/2019-07-31" ] && [ ! -e "$site/.building" ]
check $? 'publish: no edition, but a banner'
printf '[publish]\nkeep_days = soon\n' >"$root/publish.ini"
publish
ended 1 'publish: a broken publish.ini' "$root/publish.ini:2: keep_days: 'soon' is not a whole number of days"
logged 'publish: is in the log' "$root/publish.ini:2: keep_days"
rm "$root/publish.ini"
publish --config "$work/nowhere.ini"
ended 2 'publish: no such configuration' "$work/nowhere.ini: No such file or directory"
mv "$root/templates/archive.html" "$work/archive.html"
publish --date 2019-06-30 --previous none
ended 2 'publish: no template of the archive page' 'archive.html'
mv "$work/archive.html" "$root/templates/archive.html"
mkdir "$site/.building" "$site/.building-x"
echo half >"$site/.building/half"
publish --date 2019-06-30 --previous none
[ "$status" -eq 0 ] && [ ! -e "$site/.building" ] && [ ! -e "$site/.building-x" ] && [ ! -e "$site/failed.txt" ]
check $? 'publish: what a killed run left goes away'
mv "$site/publish.jsonl" "$work/jsonl"
mkdir "$site/publish.jsonl"
publish --date 2019-06-30 --previous none
ended 2 'publish: a log that cannot be written' "$site/publish.jsonl: Is a directory"
rmdir "$site/publish.jsonl"
mv "$work/jsonl" "$site/publish.jsonl"
( # the words go into a pipe: the limit is not for them
	trap '' XFSZ
	ulimit -f 48
	"$program" publish three --root "$root" --out "$site" --date 2019-07-31 2>&1 >/dev/null </dev/null
	echo "exit $?"
) | cat >"$work/err"
[ "$(sed -n 's/^exit //p' "$work/err")" = 2 ] && [ ! -e "$site/2019-07-31" ] && [ ! -e "$site/.building" ] && sums | diff -q "$work/before" - >/dev/null
check $? 'publish: a full disk costs no edition'
mkdir -p "$work/small-disk"
if mount -t tmpfs -o size=100k tmpfs "$work/small-disk" 2>/dev/null; then
	gpuguide publish three --root "$root" --out "$work/small-disk/site"
	grep -q 'No space left on device' "$work/small-disk/site/failed.txt" "$work/small-disk/site/publish.log" && [ ! -e "$work/small-disk/site/.building" ]
	told=$?
	umount "$work/small-disk"
	ended 2 'publish: a small disk' 'No space left on device'
	check $told 'publish: banner and log say so, what was half-written is gone'
fi
if [ "$(id -u)" -ne 0 ]; then
	chmod 555 "$site"
	publish --date 2019-07-31
	ended 2 'publish: a read-only folder' 'Permission denied'
	chmod 755 "$site"
fi

# Two at once: the first waits in its gnuplot until the second has been told.
cat >"$work/slow" <<'SLOW'
#!/bin/sh
[ "${1:-}" = --version ] || { touch "$WAIT.there"; i=0; while [ ! -e "$WAIT.go" ] && [ $i -lt 300 ]; do sleep 0.1; i=$((i + 1)); done; }
exec gnuplot "$@"
SLOW
chmod +x "$work/slow"
(WAIT=$work/wait && export WAIT && "$program" publish three --root "$root" --out "$site" --date 2019-07-31 --gnuplot "$work/slow" --quiet >"$work/first" 2>&1 </dev/null
	echo $? >"$work/first.status") &
i=0
while [ ! -e "$work/wait.there" ] && [ $i -lt 300 ]; do sleep 0.1; i=$((i + 1)); done
publish --date 2019-07-31
ended 3 'publish: two at once' "$site/.lock: another run holds the lock"
logged 'publish: the second one says so' ' locked in '
touch "$work/wait.go"
wait
[ "$(cat "$work/first.status")" = 0 ] && [ "$(readlink "$site/latest")" = 2019-07-31 ]
check $? 'publish: the first one gets through'

# Killed while it builds.
rm -f "$work/wait.there" "$work/wait.go"
WAIT=$work/wait "$program" publish three --root "$root" --out "$site" --date 2019-08-31 --gnuplot "$work/slow" --quiet >/dev/null 2>&1 </dev/null &
pid=$!
i=0
while [ ! -e "$work/wait.there" ] && [ $i -lt 300 ]; do sleep 0.1; i=$((i + 1)); done
kill -9 "$pid"
wait "$pid" 2>/dev/null
[ -d "$site/.building" ] && [ ! -e "$site/2019-08-31" ]
check $? 'publish: killed while it builds'
touch "$work/wait.go"
stands 2019-07-31 'publish: the last good edition stands'
publish --date 2019-08-31
ended 0 'publish: the next run'
stands 2019-08-31 'publish: makes it, and nothing half is left'
[ ! -e "$site/.building" ]
check $? 'publish: nor hidden'

# A predecessor of an older program, and one that was cut.
chmod u+w "$site/2019-08-31/data/scores.csv"
cp "$site/2019-08-31/data/scores.csv" "$work/scores.csv"
rm -f "$site/2019-08-31/data/scores.csv"
head -n 2 "$work/scores.csv" >"$site/2019-08-31/data/scores.csv"
publish --date 2019-09-30
ended 0 'publish: a predecessor that was cut is passed over' 'so '"$site"'/2019-08-31 is not compared with'
grep -q '^previous_date,2019-07-31,' "$site/2019-09-30/data/edition.csv"
check $? 'publish: the one before it serves'

# Retention: the last of each month stays, so does what publish.ini names.
printf '[publish]\nedition = three\nout = %s\nkeep_days = 30\nkeep = 2019-05-31\ntitle = Cards by hand\nbase_url = https://gpu.example.org/\n' "$site" >"$root/publish.ini"
gpuguide publish --root "$root" --date 2019-09-30 --dry-run
[ "$status" -eq 0 ] && grep -q "would remove $site/2019-06-15" "$work/out" && [ -e "$site/2019-06-15" ]
check $? 'publish: a dry run says what goes'
gpuguide publish --root "$root" --date 2019-09-30
ended 0 'publish: retention'
editions '2019-05-31 2019-05-31-r2 2019-06-30-r3 2019-07-31 2019-08-31 2019-09-30' 'publish: old ones go, the last of a month and the named stay'
[ "$(cut -d, -f1 "$site/removed.csv" | tr '\n' ' ')" = 'folder 2019-06-15 2019-06-30 2019-06-30-r2 ' ]
check $? 'publish: and are listed'
logged 'publish: and counted' '; old editions removed: 3'
grep -q '2019-06-30-r2' "$site/index.html" && grep -q 'Cards by hand' "$site/index.html" && grep -q 'https://gpu.example.org/' "$site/feed.xml"
check $? 'publish: the archive page goes on naming them; title and address are in page and feed'
xmllint --noout "$site/feed.xml" 2>"$work/err"
check $? 'publish: the feed is XML'
state >"$work/before"
gpuguide publish --root "$root" --date 2019-09-30
state | diff "$work/before" - >"$work/diff"
check $? 'publish: another night finds nothing to do'
head -n 5 "$work/diff" | sed 's/^/# /'
sed -i 's/keep = .*/keep = 2019-06-30/' "$root/publish.ini"
publish --date 2019-06-30 --previous none
publish --date 2019-06-30
[ "$status" -eq 0 ] && [ -d "$site/2019-06-30-r4" ]
check $? 'publish: the name of a removed edition is never given again'

# Signed, where there is ssh-keygen.
if command -v ssh-keygen >/dev/null 2>&1; then
	ssh-keygen -q -t ed25519 -N '' -C publisher -f "$work/key" </dev/null
	printf '[sign]\ntool = ssh\nkey = %s\n' "$work/key" >"$root/publish.ini"
	publish --date 2019-10-31
	ended 0 'publish: signed'
	printf 'publisher namespaces="gpuguide-edition" %s\n' "$(cut -d' ' -f1,2 "$work/key.pub")" >"$work/signers"
	gpuguide verify --quick --signers "$work/signers" "$site/2019-10-31"
	[ "$status" -eq 0 ] && [ -s "$site/2019-10-31/MANIFEST.sig" ]
	check $? 'publish: the signature holds'
	publish --date 2019-10-31
	logged 'publish: a signed night is unchanged all the same' ' unchanged 2019-10-31 in 0.0'
	printf '[sign]\ntool = ssh\nkey = %s\n' "$work/nokey" >"$root/publish.ini"
	publish --date 2019-11-30
	ended 2 'publish: a key that is not there' "nokey"
	[ ! -e "$site/2019-11-30" ] && [ ! -e "$site/.building" ]
	check $? 'publish: then there is no edition'
else
	echo '# no ssh-keygen: signing passed over'
fi
rm -f "$root/publish.ini"

# A slip in the list of what was removed, which PUBLISHING.md tells to edit by hand.
rm -rf "$site"
publish
printf 'folder,id\n2019-01-31,"x\n' >"$site/removed.csv"
sed -i 's/,500\.00,/,501.00,/' "$root/data/prices/2019-05-20.csv"
publish
ended 1 'publish: a removed.csv with a slip' "$site/removed.csv:2:12: the quote that opens here is never closed"
grep -q 'removed.csv:2:12: the quote that opens here is never closed' "$site/index.html" && [ -e "$site/failed.txt" ]
check $? 'publish: the archive page says so'
stands 2019-05-31 'publish: the last good edition stands beside it'
rm "$site/removed.csv"
publish
ended 0 'publish: without the slip'
! grep -q 'never closed' "$site/index.html" && [ ! -e "$site/failed.txt" ]
check $? 'publish: the page is as before'

# Somebody writes to the data while a gnuplot draws.
meddle() {
	printf '#!/bin/sh\n[ "$1" = --version ] || { %s; }\nexec gnuplot "$@"\n' "$2" >"$work/meddles"
	chmod +x "$work/meddles"
	rm -rf "$site"
	publish --gnuplot "$work/meddles"
	ended 1 "publish: $1" "$3: changed while the edition was made"
	[ "$(ls "$site")" = "$(printf '%s\n' failed.txt feed.xml index.html publish.jsonl publish.log)" ]
	check $? "publish: $1: no edition"
}
prices=$root/data/prices/2019-05-20.csv
meddle 'a contribution comes in' "mkdir -p '$root/data/contributions/early'; cp '$root/data/contributions/lab/a.csv' '$root/data/contributions/early/'" \
	data/contributions/early/a.csv
rm -r "$root/data/contributions/early"
cp "$prices" "$work/prices-were"
meddle 'prices are changed' "echo >>'$prices'" data/prices/2019-05-20.csv
meddle 'prices are changed and changed back' "sleep 0.02; echo >>'$prices'; cp '$work/prices-were' '$prices'" data/prices/2019-05-20.csv
rm "$work/meddles"
publish
ended 0 'publish: undisturbed it succeeds'
stands 2019-05-31 'publish: and stands'
