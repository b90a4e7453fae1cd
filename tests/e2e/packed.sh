# Compressed contributions and archives: read like the files they hold, refused with file, member and reason, kept in editions
# and brought in by fetch as they were sent.

packed_root=$(small_root packed)
plain=$packed_root/data/contributions/lab
packed=$work/packed-in/lab
mkdir -p "$packed"

# packed_collect OUT PATH...: a run, its words in $work/err.
packed_collect() {
	collected=$work/packed-$1
	shift
	rm -rf "$collected"
	gpuguide collect three --root "$packed_root" --out "$collected" "$@"
}

# same_as_plain 'name': the tables are those of the plain files, but for the names of files.
same_as_plain() {
	good=0
	for table in observations machines sources; do
		cmp "$work/packed-plain/data/$table.csv" "$collected/data/$table.csv" || good=1
	done
	for rejects in "$work/packed-plain" "$collected"; do
		cut -d, -f2- "$rejects/data/rejects.csv" >"$rejects/rejects"
	done
	cmp "$work/packed-plain/rejects" "$collected/rejects" || good=1
	check $good "packed: $1"
}

# packed_tar FILE ARGUMENT...: of the plain files, always the same bytes.
packed_tar() {
	tar -C "$plain" --sort=name --owner=0 --group=0 --mtime=@1556668800 -cf "$@"
}

packed_collect plain "$packed_root/data/contributions"
ended 1 'packed: the plain files' '3 files (0 refused), 14 rows: 13 accepted, 1 rejected'

for sort in gz zst; do
	rm -f "$packed"/*
	for file in "$plain"/*.csv; do
		case $sort in
		gz) gzip -9c "$file" ;;
		zst) zstd -qc "$file" ;;
		esac >"$packed/$(basename "$file").$sort"
	done
	packed_collect "$sort" "$work/packed-in"
	ended 1 "packed: .csv.$sort" '3 files (0 refused), 14 rows: 13 accepted, 1 rejected' "lab/c.csv.$sort:"
	same_as_plain "every .csv.$sort gives what the CSV gives"
done

for ending in tar tar.gz tar.zst; do
	rm -f "$packed"/*
	case $ending in
	tar) packed_tar - . ;;
	tar.gz) packed_tar - . | gzip -n ;;
	tar.zst) packed_tar - . | zstd -qc ;;
	esac >"$packed/all.$ending"
	packed_collect "$ending" "$work/packed-in"
	ended 1 "packed: .$ending" '3 files (0 refused), 14 rows: 13 accepted, 1 rejected' "lab/all.$ending:c.csv:"
	same_as_plain "all of them in one .$ending give the same"
done
packed_tar "$packed/all.tar" c.csv b.csv a.csv
rm "$packed/all.tar.zst"
packed_collect turned "$packed/all.tar"
ended 1 'packed: one archive given by its name, its members in another order' '3 files (0 refused)' 'lab/all.tar:c.csv:'
cmp "$work/packed-plain/data/observations.csv" "$collected/data/observations.csv" && cmp "$work/packed-plain/data/machines.csv" "$collected/data/machines.csv"
check $? 'packed: the order in an archive changes nothing'

# A decision of overrides.csv by the name of the member.
sed 's,^lab/c.csv,lab/all.tar:c.csv,' "$packed_root/data/overrides.csv" >"$work/overrides"
printf 'lab/all.tar:a.csv,2,reject,tests,by the name of a member\n' >>"$work/overrides"
cp "$packed_root/data/overrides.csv" "$work/overrides.before"
cp "$work/overrides" "$packed_root/data/overrides.csv"
packed_collect decided "$work/packed-in"
grep -q '^lab/all.tar:a.csv,2,value,override,.*by the name of a member' "$collected/data/rejects.csv"
check $? 'packed: overrides.csv names a row as archive:member'
cp "$work/overrides.before" "$packed_root/data/overrides.csv"

# The same bytes in whatever form, twice in a series, count once.
rm "$packed"/*
cp "$plain/a.csv" "$packed/1.csv"
gzip -c "$plain/a.csv" >"$packed/2.csv.gz"
packed_tar "$packed/3.tar" a.csv
packed_collect again "$work/packed-in"
ended 0 'packed: the same file in three forms' '3 files (0 refused)'
grep -q '^lab/2.csv.gz,1,1,duplicate,,the whole file has the same bytes as lab/1.csv: counted once' "$collected/data/rejects.csv" &&
	grep -q '^lab/3.tar:a.csv,1,1,duplicate,,the whole file has the same bytes as lab/1.csv: counted once' "$collected/data/rejects.csv"
check $? 'packed: is counted once'

# What is wrong with one is told; nothing of it counts, everything else does.
rm "$packed"/*
mkdir -p "$work/packed-hostile/sub"
cp "$plain/b.csv" "$work/packed-hostile/sub/b.csv"
(cd "$work/packed-hostile" && cp "$plain/c.csv" top.csv && gzip -c sub/b.csv >inner.csv.gz && ln -s /etc/passwd link.csv && mkfifo pipe.csv &&
	cp "$plain/a.csv" "$(printf 'o\033[2Jd.csv')" && echo x >notes.txt && cp "$plain/a.csv" ._a.csv)
(cd "$work/packed-hostile/sub" && tar -cPf "$packed/bad.tar" ../sub/b.csv "$work/packed-hostile/top.csv" && cd .. &&
	tar -rPf "$packed/bad.tar" --exclude=./sub . && tar -rPf "$packed/bad.tar" sub/b.csv)
cp "$plain/a.csv" "$packed/a.csv"
packed_tar - . | gzip >"$packed/whole.tar.gz"
head -c 200 "$packed/whole.tar.gz" >"$packed/cut.tar.gz"
head -c 100000000 /dev/zero | gzip >"$packed/bomb.csv.gz"
zip -q "$packed/x.zip" "$plain/a.csv" 2>/dev/null || cp "$plain/a.csv" "$packed/x.zip"
rm "$packed/whole.tar.gz"
packed_collect hostile "$work/packed-in"
ended 1 'packed: each fault by file and member' \
	"lab/bad.tar:../sub/b.csv:1:1: the file is refused: its name leads upwards with '..'" \
	'top.csv:1:1: the file is refused: its name is absolute' \
	'lab/bad.tar:inner.csv.gz:1:1: the file is refused: an archive or a compressed file within an archive is not opened' \
	'lab/bad.tar:link.csv:1:1: the file is refused: a link: only regular files are read' \
	'lab/bad.tar:pipe.csv:1:1: the file is refused: a device or a pipe: only regular files are read' \
	'lab/bad.tar:./o?[2Jd.csv:1:1: the file is refused: its name has control characters' \
	'lab/bad.tar: passed over in it: 1 hidden names' 'lab/bad.tar: passed over in it: 1 files that do not end in .csv' \
	'lab/cut.tar.gz:1:1: the file is refused: the gzip data ends too early; nothing of the archive is used' \
	'lab/bomb.csv.gz:1:1: the file is refused: the gzip data expands to more than 250 times its size, as a bomb does' \
	'lab/x.zip: passed over: only .csv, .csv.gz, .csv.zst, .tar, .tar.gz and .tar.zst are read' \
	'11 files (8 refused)'
[ "$(csv_get "$collected/data/sources.csv" accepted series=lab)" = 13 ]
check $? 'packed: the sound members and files beside them count'
! LC_ALL=C grep -q '[^ -~]' "$collected/data/rejects.csv"
check $? 'packed: nothing of a name goes out as it came'
packed_collect zip "$packed/x.zip"
ended 1 'packed: a .zip' 'lab/x.zip:1:1: the file is refused: only .csv, .csv.gz, .csv.zst, .tar, .tar.gz and .tar.zst are read'

# What was sent is what is signed: all in an archive stands or falls with its signature.
if have ssh-keygen; then
	rm "$packed"/*
	mkdir "$work/packed-keys" "$packed_root/data/contributors"
	ssh-keygen -q -t ed25519 -N '' -C alice -f "$work/packed-keys/alice" </dev/null
	echo "alice $(cat "$work/packed-keys/alice.pub")" >"$packed_root/data/contributors/allowed_signers"
	packed_tar - . | zstd -qc >"$packed/runs.tar.zst"
	gzip -nc "$plain/a.csv" >"$packed/more.csv.gz"
	for file in "$packed"/*; do
		ssh-keygen -q -Y sign -n gpuguide-contribution/lab -f "$work/packed-keys/alice" "$file" </dev/null 2>/dev/null
	done
	packed_collect signed "$work/packed-in"
	ended 1 'packed: signed' '4 files (0 refused), 14 rows: 13 accepted, 1 rejected'
	[ "$(csv_get "$collected/data/observations.csv" trust device='Card B' workload=resnet50)" = signed ]
	check $? 'packed: its members are of their signer'
	packed_tar - . | gzip -n >"$packed/runs.tar.gz"
	mv "$packed/runs.tar.zst.sig" "$packed/runs.tar.gz.sig"
	rm "$packed/runs.tar.zst"
	packed_collect forged "$work/packed-in"
	ended 1 'packed: a signature of other bytes' '4 files (3 refused), 9 rows: 9 accepted' \
		'lab/runs.tar.gz:c.csv:1:1: the file is refused: its signature is not of these bytes'
	rm -r "$packed_root/data/contributors"
fi

# An edition keeps them as they were sent, and is made again from them.
rm "$plain"/../../overrides.csv
packed_tar "$work/some.tar" b.csv c.csv
gzip -n "$plain/a.csv"
zstd -q "$work/some.tar" -o "$plain/some.tar.zst"
rm "$plain/b.csv" "$plain/c.csv"
printf 'PK' >"$plain/passed.zip"
gpuguide publish three --root "$packed_root" --out "$work/packed-site"
ended 0 'packed: publish'
kept=$work/packed-site/latest/inputs/data/contributions/lab
cmp "$kept/a.csv.gz" "$plain/a.csv.gz" && cmp "$kept/some.tar.zst" "$plain/some.tar.zst" && [ "$(ls "$kept" | tr '\n' ' ')" = 'a.csv.gz some.tar.zst ' ]
check $? 'packed: inputs are kept as they were sent, and only what was read'
gpuguide verify "$work/packed-site/latest"
ended 0 'packed: the edition is made again from them, byte for byte'
gpuguide publish three --root "$packed_root" --out "$work/packed-site"
tail -n 1 "$work/packed-site/publish.log" | grep -q ' unchanged '
check $? 'packed: the next night is unchanged'
gpuguide publish three --root "$packed_root" --out "$work/packed-cold" --date 2019-05-30
gpuguide publish three --root "$packed_root" --out "$work/packed-cold" --date 2019-05-31
cmp "$work/packed-cold/2019-05-31/data/observations.csv" "$work/packed-site/latest/data/observations.csv"
check $? 'packed: what is kept of them from one night to the next changes nothing'
rm -rf "$work/packed-spoilt"
cp -R "$work/packed-site/latest/" "$work/packed-spoilt"
chmod -R u+w "$work/packed-spoilt"
printf 'x' >>"$work/packed-spoilt/inputs/data/contributions/lab/some.tar.zst"
gpuguide verify "$work/packed-spoilt"
[ "$status" -eq 1 ] && cat "$work/out" "$work/err" | grep -q 'some.tar.zst'
check $? 'packed: one that was changed in the edition is found'

# fetch: accepted as they are where collect can use a row, held where it cannot.
drop=$work/packed-drop
mkdir "$drop"
cp "$work/some.tar" "$drop/runs.tar"
gzip -c "$here/three/data/contributions/lab/a.csv" >"$drop/a.csv.gz"
head -c 300 "$plain/some.tar.zst" >"$drop/cut.tar.zst"
echo 'not,a contribution' >"$work/packed-hostile/none.csv"
tar -C "$work/packed-hostile" -cf "$drop/none.tar" none.csv
printf 'PK' >"$drop/x.zip"
printf '[drop]\ntype = folder\npath = %s\nseries = drop\n' "$drop" >"$packed_root/data/sources.ini"
gpuguide fetch --root "$packed_root"
cat "$work/out" >>"$work/err"
ended 1 'packed: fetch' 'runs.tar: accepted as drop/runs.tar: ' 'a.csv.gz: accepted as drop/a.csv.gz: ' \
	'cut.tar.zst: held: line 1:1: the Zstandard data ends too early; nothing of the archive is used' \
	"none.tar: held: none.csv: line 1:1: columns 'machine', 'device'"
cmp "$drop/runs.tar" "$packed_root/data/contributions/drop/runs.tar" && [ "$(ls "$packed_root/data/contributions/drop" | tr '\n' ' ')" = 'a.csv.gz runs.tar ' ] &&
	ls "$packed_root/spool/held/drop" | grep -q -- '-cut.tar.zst$'
check $? 'packed: as they were sent'
packed_tar "$drop/runs.tar" c.csv 2>/dev/null || tar -C "$here/three/data/contributions/lab" -cf "$drop/runs.tar" c.csv
gpuguide fetch --root "$packed_root" --accept
cat "$work/out" >>"$work/err"
ended 1 'packed: fetch --accept of a changed archive' 'runs.tar: accepted as drop/runs-2.tar' 'spool/replaced/drop-runs.tar.csv has the lines'
grep -q '^drop/runs.tar:b.csv,2,reject,fetch,replaced by drop/runs-2.tar$' "$packed_root/spool/replaced/drop-runs.tar.csv" &&
	grep -q '^drop/runs.tar:c.csv,2,reject,' "$packed_root/spool/replaced/drop-runs.tar.csv"
check $? 'packed: the lines that set its rows aside name archive and member'
printf '[drop]\ntype = folder\npath = %s\nseries = drop\nfiles = .csv\n' "$drop" >"$packed_root/data/sources.ini"
gpuguide fetch --root "$packed_root"
cat "$work/out" >>"$work/err"
grep -q 'no longer at the source, kept here: a.csv.gz, runs.tar' "$work/err"
check $? 'packed: files = .csv takes no others'
