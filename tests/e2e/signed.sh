# Contributions that their contributor has signed: what counts as signed, what is refused and why, replays, and what of it an
# edition shows. The keys are made here.

if ! command -v ssh-keygen >/dev/null; then
	echo '# ssh-keygen is not there: signed contributions are not tried'
else

root=$(small_root signed)
lab=$root/data/contributions/lab
keys=$work/keys
header=machine,date,device,device_count,class,workload,precision,batch_size,metric,value,unit,framework,driver,repeat,source
mkdir -p "$keys" "$root/data/contributors"
sed -i '/,nan,/d' "$lab/c.csv"
for who in alice bob mallory; do
	ssh-keygen -q -t ed25519 -N '' -C "$who" -f "$keys/$who" </dev/null
done
signers=$root/data/contributors/allowed_signers
allow() { echo "$1 $2$(cat "$keys/$1.pub")" >>"$signers"; }

# signed KEY SERIES FILE: FILE.sig by that key for that series.
signed() {
	rm -f "$3.sig"
	ssh-keygen -q -Y sign -n "gpuguide-contribution/$2" -f "$keys/$1" "$3" </dev/null 2>/dev/null
}

# file NAME MACHINE VALUE [DATE]: a contribution of one row of card B.
file() {
	printf '%s\n%s\n' "$header" "$2,${4-2019-04-04},Card B,1,cnn,resnet50,fp16,64,throughput,$3,images/s,torch,418,1,lab" >"$lab/$1.csv"
}

collect_signed() {
	rm -rf "$work/collected"
	gpuguide collect "${1:-three}" --root "$root" --out "$work/collected" "$root/data/contributions"
	observations=$work/collected/data/observations.csv machines=$work/collected/data/machines.csv
}

# refused 'name' WORDS [CODE]: x.csv is refused for that reason, and no row of it counts.
refused() {
	collect_signed
	ended 1 "signed: $1" "lab/x.csv:1:1: the file is refused: $2"
	grep -q "^lab/x.csv,1,1,${3-signature},,.*,rejected\$" "$work/collected/data/rejects.csv" && ! grep -q ',x,lab,' "$machines"
	check $? "signed: $1: nothing of it counts"
}

tier() { csv_get "$observations" trust device='Card B' workload=resnet50; }

collect_signed
ended 0 'signed: without a file of signers all is as before'
[ "$(tier)" = known ] && [ "$(csv_get "$machines" trust machine=b1)" = known ]
check $? 'signed: unsigned rows of a series with an address are known'
sed 's,https://example.org/lab,,' "$root/data/series.csv" >"$work/series" && cp "$work/series" "$root/data/series.csv"
collect_signed
[ "$(tier)" = anonymous ]; check $? 'signed: without an address they are anonymous'

rm "$lab/b.csv"
echo '# who may sign' >"$signers"
allow alice ''
file x x 310
signed alice lab "$lab/x.csv"
collect_signed
ended 0 'signed: a good signature' '3 files (0 refused)'
[ "$(tier)" = signed ] && [ "$(csv_get "$machines" trust machine=x)/$(csv_get "$machines" signer machine=x)" = signed/alice ]
check $? 'signed: the value and its machine are signed, and by whom'
others=$(grep -c ',anonymous,$' "$machines")
[ "$(tail -n 1 "$work/collected/data/sources.csv" | grep -o ',[0-9]*,[0-9]*,[0-9]*$')" = ",1,0,$others" ]
check $? 'signed: counted in sources.csv'

# A median is of the tier that more than half of its machines have.
file y y 320; collect_signed; [ "$(tier)" = anonymous ]; check $? 'signed: one of two machines carries no median'
file z z 330; signed alice lab "$lab/z.csv"; collect_signed; [ "$(tier)" = signed ]; check $? 'signed: two of three do'
rm "$lab"/[yz].csv*

# What makes a signature fail.
sed -i 's/,310,/,319,/' "$lab/x.csv"
refused 'a changed byte' 'its signature is not of these bytes'
sed -i 's/,319,/,310,/' "$lab/x.csv"
cp "$lab/x.csv.sig" "$work/x.sig"
signed mallory lab "$lab/x.csv"
refused 'an unknown key' "its signature is by the key $(ssh-keygen -l -f "$keys/mallory.pub" | cut -d ' ' -f 2), which is not in contributors/allowed_signers"
signed alice other "$lab/x.csv"
refused 'a signature for another series' "its signature was made for the series 'other': signed rows count only there"
rm "$lab/x.csv.sig"; ssh-keygen -q -Y sign -n git -f "$keys/alice" "$lab/x.csv" </dev/null 2>/dev/null
refused 'a signature for something else' "its signature was made for 'git', not for 'gpuguide-contribution/lab'"
rm "$lab/x.csv.sig"; ssh-keygen -q -Y sign -n gpuguide-contribution -f "$keys/alice" "$lab/x.csv" </dev/null 2>/dev/null
refused 'a signature for no series' "its signature names no series; sign with ssh-keygen -Y sign -n 'gpuguide-contribution/lab'"
for type in rsa ecdsa; do
	ssh-keygen -q -t $type -N '' -f "$keys/$type" </dev/null
	signed $type lab "$lab/x.csv"
	refused "a key of type $type" 'its signature was made with a key of type '
done
head -c 100 "$work/x.sig" >"$lab/x.csv.sig"
refused 'half a signature' 'its signature is not an SSH signature: it does not end with'
head -c 20000 /dev/zero >"$lab/x.csv.sig"
refused 'an endless signature' 'its signature has more than 16384 bytes' limit
: >"$lab/x.csv.sig"
refused 'an empty signature' 'its signature is not an SSH signature: it does not begin with'
rm "$lab/x.csv.sig"; ln -s "$work/x.sig" "$lab/x.csv.sig"
collect_signed
ended 0 'signed: a link in its place is passed over' 'lab/x.csv: its signature is no regular file: passed over, the file counts as unsigned'
[ "$(tier)" = anonymous ]; check $? 'signed: and the file is unsigned'
rm "$lab/x.csv.sig"; cp "$work/x.sig" "$lab/x.csv.sig"
echo '# nobody' >"$signers"
refused 'the key was taken out' 'its signature is by the key SHA256:'

# Limits of a key: by series, and in time by the days of the rows.
: >"$signers"; allow alice 'namespaces="gpuguide-contribution/other*" '
refused 'a key for other series' "it is signed by 'alice', whose key may not sign for this series"
: >"$signers"; allow alice 'namespaces="git,gpuguide-contribution/*" '
collect_signed; [ "$(tier)" = signed ]; check $? 'signed: a pattern of series'
: >"$signers"; allow alice 'valid-before="20190403" '
refused 'a key that was over by then' "it is signed by 'alice', whose key is good until 2019-04-03, with rows of 2019-04-04 to 2019-04-04"
allow alice 'valid-after="20190404" '
collect_signed; [ "$(tier)" = signed ]; check $? 'signed: a key that was renewed'
: >"$signers"; allow alice 'valid-after="20190404",valid-before="20190404235959" '
collect_signed; [ "$(tier)" = signed ]; check $? 'signed: a key good on that day'
file x x 310 ''; signed alice lab "$lab/x.csv"
refused 'rows without a date under a key with a limit' "it is signed by 'alice', whose key is good from 2019-04-04 until 2019-04-04, but rows have no date"
: >"$signers"; allow alice ''
collect_signed; [ "$(tier)" = signed ]; check $? 'signed: under a key without a limit they are good'

: >"$signers"; allow alice 'valid-before="20190403" '
echo "$header" >"$lab/x.csv"; signed alice lab "$lab/x.csv"
collect_signed
ended 0 'signed: no row, nothing to hold against a key' 'lab/x.csv:1: no row below the header'
: >"$signers"; allow alice ''

# Replays.
file x x 310; signed alice lab "$lab/x.csv"
cp "$lab/x.csv" "$lab/a0.csv"; cp "$lab/x.csv.sig" "$lab/a0.csv.sig"
collect_signed
ended 0 'signed: the same under another name is counted once'
[ "$(tier)" = signed ] && [ "$(csv_get "$observations" runs device='Card B')" = 1 ]; check $? 'signed: and is the same evidence'
rm "$lab/a0.csv.sig"
collect_signed
[ "$(tier)" = signed ] && grep -q '^lab/a0.csv,1,1,duplicate' "$work/collected/data/rejects.csv"
check $? 'signed: an unsigned copy whose name sorts before does not put it out'
rm "$lab/a0.csv"
file x x 310.1234; signed alice lab "$lab/x.csv"
file a0 a0 310.1234
collect_signed
[ "$(tier)" = signed ] && [ "$(csv_get "$machines" trust machine=a0)" = '' ]
check $? 'signed: rows copied to another machine are the ones set aside'
rm "$lab/a0.csv"
mkdir "$root/data/contributions/other"; cp "$lab/x.csv" "$lab/x.csv.sig" "$root/data/contributions/other/"
collect_signed
ended 1 'signed: replayed in another series' "other/x.csv:1:1: the file is refused: its signature was made for the series 'lab'"
rm "$root/data/contributions/other/x.csv.sig"
collect_signed
[ "$(csv_get "$observations" trust device='Card B' series=other)/$(csv_get "$observations" trust device='Card B' series=lab)" = anonymous/signed ]
check $? 'signed: without the signature it is anonymous there'
rm -r "$root/data/contributions/other"
cp "$lab/x.csv.sig" "$lab/a.csv.sig"
collect_signed
ended 1 'signed: another file of the series under this signature' 'lab/a.csv:1:1: the file is refused: its signature is not of these bytes'
rm "$lab/a.csv.sig"

# Nobody adds runs to a machine that somebody else signed for.
file w x 1000
collect_signed
[ "$(csv_get "$machines" trust machine=x | tr '\n' ' ')" = 'anonymous signed ' ] && [ "$(csv_get "$observations" machines device='Card B')" = 2 ]
check $? 'signed: an unsigned file of the same machine name is another machine'
allow bob ''
signed bob lab "$lab/w.csv"
collect_signed
[ "$(csv_get "$machines" signer machine=x | tr '\n' ' ')" = 'alice bob ' ]; check $? 'signed: and so is that of another signer'
rm "$lab"/w.csv*

# What an edition leaves out.
least() { sed "/^reference/a trust_least = $1" "$root/editions/three.ini" >"$root/editions/least.ini"; }
least signed; collect_signed least
ended 0 'signed: an edition of signed rows only' "series 'lab': 2 files below the edition's trust_least = signed are left out" '1 files (0 refused)'
least known; collect_signed least
ended 0 'signed: an edition without anonymous rows' "series 'lab': 2 files below the edition's trust_least = known are left out"
least nobody; collect_signed least
ended 1 'signed: another word' "least.ini:" "trust_least: 'nobody' is none of signed, known, anonymous"
rm "$root/editions/least.ini"

# A catalogue that cannot be read stops the stage, with its line.
printf '# x\nalice,bob %s\n' "$(cat "$keys/alice.pub")" >"$signers"
collect_signed
ended 1 'signed: a line that is not one contributor' 'allowed_signers:2: the name is not of letters'
: >"$signers"; allow alice ''

# The report tells, and the edition can be made anew from what it keeps.
out=$work/signed-out
gpuguide report three --root "$root" --out "$out"
ended 0 'signed: an edition'
edition=$out/$(ls "$out" | head -n 1)
grep -q 'input:data/contributions/lab/x.csv.sig$' "$edition/MANIFEST" && grep -q 'input:data/contributors/allowed_signers$' "$edition/MANIFEST"
check $? 'signed: the signature and the signers are inputs'
gpuguide verify "$edition"
ended 0 'signed: made anew it has the same bytes'
html_text "$edition/index.html" >"$work/page.txt"
grep -q "^Of $((others + 1)) machines, 1 is in files that their contributor has signed, 0 in unsigned files of a series whose source is named, $others in files that anybody may have sent\.\$" "$work/page.txt"
check $? 'signed: the report counts the machines'
grep -q 'nothing better than anonymous contributions is behind the scores of Card A' "$work/page.txt"
check $? 'signed: and names the scores that nobody vouches for'
same_words "$edition" 'signed'
cp "$edition/inputs/data/contributions/lab/x.csv.sig" "$work/x.sig"
chmod u+w "$edition/inputs/data/contributions/lab/x.csv.sig"
head -c 100 "$work/x.sig" >"$edition/inputs/data/contributions/lab/x.csv.sig"
gpuguide verify "$edition"
[ "$status" -eq 1 ] && grep -q 'data/contributions/lab/x.csv.sig' "$work/out"
check $? 'signed: verify finds a changed signature'

# Signatures come with what is fetched, from a drop folder and from a repository.
drop=$work/signed-drop
mkdir -p "$drop" "$work/signed-git"
fetch_file() { # NAME VALUE
	printf '%s\n%s\n' "$header" "$1,2019-04-04,Card B,1,cnn,resnet50,fp16,64,throughput,$2,images/s,torch,418,1,lab" >"$drop/$1.csv"
}
fetch_file one 311; signed alice drop "$drop/one.csv"
fetch_file two 312; signed mallory drop "$drop/two.csv"
fetch_file three 313
fetch_file four 314; signed alice lab "$drop/four.csv"
sed 's/,311,/,315,/' "$drop/one.csv" | gzip -n >"$drop/five.csv.gz"; signed alice drop "$drop/five.csv.gz"
printf '[drop]\ntype = folder\npath = %s\nseries = drop\n' "$drop" >"$root/data/sources.ini"
gpuguide fetch --root "$root"
cat "$work/out" >>"$work/err"
ended 1 'signed: fetch' 'one.csv: accepted as drop/one.csv: 1 rows accepted, 0 refused, 0 set aside, signed' \
	'three.csv: accepted as drop/three.csv: 1 rows accepted, 0 refused, 0 set aside' 'five.csv.gz: accepted as drop/five.csv.gz: ' \
	'two.csv: held: line 1:1: its signature is by the key SHA256:' \
	"four.csv: held: line 1:1: its signature was made for the series 'lab'"
fetched=$root/data/contributions/drop
cmp "$drop/one.csv.sig" "$fetched/one.csv.sig" && cmp "$drop/five.csv.gz.sig" "$fetched/five.csv.gz.sig" &&
	[ "$(ls "$fetched" | tr '\n' ' ')" = 'five.csv.gz five.csv.gz.sig one.csv one.csv.sig three.csv ' ]
check $? 'signed: fetch: with their signatures, and nothing else'
collect_signed
[ "$(csv_get "$machines" signer series=drop machine=one)/$(csv_get "$machines" signer series=drop machine=three)" = alice/ ]
check $? 'signed: fetch: and counts as signed here'
signed alice drop "$drop/two.csv"
gpuguide fetch --root "$root"
cat "$work/out" >>"$work/err"
ended 0 'signed: fetch: signed anew it is asked about again' 'two.csv: accepted as drop/two.csv: 1 rows accepted, 0 refused, 0 set aside, signed'
# An unsigned copy that comes first takes nothing from the signed file.
fetch_file seven 317; cp "$drop/seven.csv" "$drop/copied.csv"; signed alice drop "$drop/seven.csv"
gpuguide fetch --root "$root"
cat "$work/out" >>"$work/err"
ended 0 'signed: fetch: behind its unsigned copy' 'copied.csv: accepted as drop/copied.csv: ' \
	'seven.csv: accepted as drop/seven.csv: 1 rows accepted, 0 refused, 0 set aside, signed'
collect_signed
[ "$(csv_get "$machines" signer series=drop machine=seven)" = alice ]; check $? 'signed: fetch: it is the signed one that counts'
gpuguide fetch --root "$root"
cat "$work/out" >>"$work/err"
ended 0 'signed: fetch: and is taken once'
! grep -q 'accepted as' "$work/err"; check $? 'signed: fetch: neither is taken again'
# A signature that comes later than its file is taken once it holds, and never replaced by another one.
printf 'of something else\n' >"$work/else"
signed alice drop "$work/else"; cp "$work/else.sig" "$drop/three.csv.sig"
gpuguide fetch --root "$root"
cat "$work/out" >>"$work/err"
ended 1 'signed: fetch: a later signature that does not hold' 'three.csv: held: line 1:1: its signature is not of these bytes'
[ ! -e "$fetched/three.csv.sig" ] && ls "$root/spool/held/drop" | grep -q -- '-three.csv.reason.txt$'
check $? 'signed: fetch: is held'
signed alice drop "$drop/three.csv"
gpuguide fetch --root "$root" --dry-run
cat "$work/out" >>"$work/err"
ended 0 'signed: fetch: a later signature, in a dry run' 'three.csv: accepted as drop/three.csv: a signature that came later: '
[ ! -e "$fetched/three.csv.sig" ]; check $? 'signed: fetch: is not taken'
cp "$root/data/accepted.csv" "$work/accepted.before"
gpuguide fetch --root "$root"
cat "$work/out" >>"$work/err"
ended 0 'signed: fetch: a later signature' \
	'three.csv: accepted as drop/three.csv: a signature that came later: 1 rows accepted, 0 refused, 0 set aside, signed'
cmp "$drop/three.csv.sig" "$fetched/three.csv.sig" && cmp "$drop/three.csv" "$fetched/three.csv" && [ ! -e "$fetched/three-2.csv" ] &&
	cmp "$work/accepted.before" "$root/data/accepted.csv"
check $? 'signed: fetch: lies beside its file, which stays as it was'
collect_signed
[ "$(csv_get "$machines" signer series=drop machine=three)" = alice ]; check $? 'signed: fetch: which counts as signed then'
gpuguide fetch --root "$root"
cat "$work/out" >>"$work/err"
ended 0 'signed: fetch: and is taken once'
! grep -q 'three.csv: ' "$work/err"; check $? 'signed: fetch: nothing more is said of it'
cp "$fetched/three.csv.sig" "$work/three.sig"
allow bob ''
signed bob drop "$drop/three.csv"
gpuguide fetch --root "$root"
cat "$work/out" >>"$work/err"
ended 1 'signed: fetch: another signature' \
	'three.csv: changed: its signature is another one than that of drop/three.csv, which stays'
cmp "$work/three.sig" "$fetched/three.csv.sig" && cmp "$drop/three.csv.sig" "$root"/spool/held/drop/*-three.csv.sig
check $? 'signed: fetch: is held, and the old one stays'
gpuguide fetch --root "$root" --accept
cmp "$work/three.sig" "$fetched/three.csv.sig" && [ ! -e "$fetched/three-2.csv" ] && cmp "$work/accepted.before" "$root/data/accepted.csv"
check $? 'signed: fetch --accept: and replaces it neither'
cp "$drop/three.csv" "$drop/again.csv"
signed bob drop "$drop/again.csv"
gpuguide fetch --root "$root"
cat "$work/out" >>"$work/err"
ended 1 'signed: fetch: another signature of the same bytes, under a name that is new' \
	'again.csv: changed: its signature is another one than that of drop/three.csv, which stays'
gpuguide fetch --root "$root"
ended 0 'signed: fetch: is told once'
rm "$drop/again.csv" "$drop/again.csv.sig"
# Nor does another source sign what this one gave.
mkdir -p "$work/signed-other"
fetch_file eight 318; cp "$drop/eight.csv" "$work/signed-other/eight.csv"
cp "$root/data/sources.ini" "$work/sources.before"
printf '[other]\ntype = folder\npath = %s\nseries = drop\n' "$work/signed-other" >>"$root/data/sources.ini"
gpuguide fetch --root "$root"
ended 0 'signed: fetch: the same unsigned bytes from two sources'
signed bob drop "$work/signed-other/eight.csv"
gpuguide fetch --root "$root"
cat "$work/out" >>"$work/err"
ended 1 'signed: fetch: which the second one signs later' \
	"eight.csv: changed: its signature came later, and drop/eight.csv came from the source 'drop'"
[ ! -e "$fetched/eight.csv.sig" ]; check $? 'signed: fetch: is held'
signed alice drop "$drop/eight.csv"
gpuguide fetch --root "$root"
cmp "$drop/eight.csv.sig" "$fetched/eight.csv.sig"; check $? 'signed: fetch: the first one still signs its own'
cp "$work/sources.before" "$root/data/sources.ini"
: >"$signers"; allow alice ''
rm "$fetched/three.csv" "$fetched/three.csv.sig"
gpuguide fetch --root "$root"
[ ! -e "$fetched/three.csv" ] && [ ! -e "$fetched/three.csv.sig" ]
check $? 'signed: fetch: of a file that a maintainer deleted none comes'
if have git; then
	git -C "$work/signed-git" init -q && cp "$drop/one.csv" "$work/signed-git/six.csv" && sed -i 's/^one,/six,/' "$work/signed-git/six.csv"
	signed alice repo "$work/signed-git/six.csv"
	git -C "$work/signed-git" add . && git -C "$work/signed-git" -c user.name=x -c user.email=x@example.org commit -qm x
	printf '[repo]\ntype = git\nurl = %s\nseries = repo\n' "$work/signed-git" >"$root/data/sources.ini"
	gpuguide fetch --root "$root"
	cat "$work/out" >>"$work/err"
	ended 0 'signed: fetch from a repository' 'six.csv: accepted as repo/six.csv: 1 rows accepted, 0 refused, 0 set aside, signed'
	cmp "$work/signed-git/six.csv.sig" "$root/data/contributions/repo/six.csv.sig"
	check $? 'signed: fetch: with its signature'
fi
rm -r "$root/data/contributions/drop" "$root/data/sources.ini"
rm -rf "$root/data/contributions/repo" "$root/data/accepted.csv" "$root/spool"

# A contributor with the benchmark program.
if [ -x "$build/gpuguide-bench" ]; then
	bench=$work/benched/gpuguide-bench-0.1.0
	GPUGUIDE_BENCH_NULL='device=Card B' "$build/gpuguide-bench" -b null -k -q -w resnet50 -p fp16 -o "$bench/m.csv" --sign "$keys/alice" >/dev/null 2>"$work/err" </dev/null
	check $? 'signed: gpuguide-bench --sign'
	printf 'gpuguide-bench-0.1.0,b,r,s,2026,MIT,yes,\n' >>"$root/data/series.csv"
	gpuguide collect three --root "$root" --out "$work/collected" "$work/benched"
	grep -q ',gpuguide-bench-0.1.0,.*,signed,alice$' "$work/collected/data/machines.csv"
	check $? 'signed: collect takes what gpuguide-bench has signed'
else
	echo '# gpuguide-bench is not built: its signature is not tried'
fi

fi
