# The same inputs give the same bytes: elsewhere, in another language and time zone, with other garbage in fresh memory. $shipped
# is the shipped default edition, for the parts after this one.

gpuguide report --out "$work/one"
shipped=$(echo "$work"/one/2*)
ended 0 'same: the shipped edition is made'
[ -s "$shipped/index.html" ] && [ -s "$shipped/report.pdf" ] && [ -s "$shipped/report.json" ] && [ -s "$shipped/MANIFEST" ]
check $? "same: $(basename "$shipped") has page, PDF, JSON and manifest"
[ -s "$shipped/MANIFEST" ] || return 0 # what follows could only fail again
other=$(locale -a 2>/dev/null | grep -im 1 '^de_DE' || echo C.UTF-8)
mkdir "$work/elsewhere"
(
	cd "$work/elsewhere" || exit 9
	export LC_ALL="$other" LANG=de_DE.UTF-8 LC_NUMERIC=de_DE.UTF-8 TZ=Pacific/Kiritimati HOME=/nonexistent MALLOC_PERTURB_=165
	umask 077
	"$program" report --root "$repo" --out deep/two --verbose >"$work/out" 2>"$work/err" </dev/null
)
status=$?
ended 0 "same: made again from another folder, LC_ALL=$other, TZ=Pacific/Kiritimati"
diff -r "$work/one" "$work/elsewhere/deep/two" >"$work/diff" 2>&1
check $? 'same: every byte is the same'
head -n 5 "$work/diff" | cut -c 1-200 | sed 's/^/# /'
[ "$(find "$work/one" -name '*.part' -o -name '.building' | wc -l)" -eq 0 ]
check $? 'same: nothing half-written is left'

ls -lR --time-style=full-iso "$work/one/" >"$work/before"
gpuguide report --out "$work/one"
ended 0 'same: a second run says that nothing changed' 'nothing changed: the edition is there already'
ls -lR --time-style=full-iso "$work/one/" | diff "$work/before" - >"$work/diff"
check $? 'same: a second run touches nothing but its lock'
# MANIFEST: "checksum  bytes  name"; inputs are named "input:path" and lie in the root.
awk '!sub(/input:/, "") { print $1 "  " $3 }' "$shipped/MANIFEST" >"$work/sums"
awk 'sub(/input:/, "") { print $1 "  " $3 }' "$shipped/MANIFEST" >"$work/input-sums"
(cd "$shipped" && find . -type f ! -name MANIFEST ! -path './inputs/*' | sed 's/^..//' | sort) >"$work/files"
awk '{ print $2 }' "$work/sums" | sort | diff "$work/files" - >"$work/diff" &&
	(cd "$shipped" && sha256sum --check --quiet --strict "$work/sums") >>"$work/diff" 2>&1
check $? 'same: MANIFEST has the checksum of every file of the edition'
[ -s "$work/input-sums" ] && sha256sum --check --quiet --strict "$work/input-sums" >>"$work/diff" 2>&1
check $? "same: and of every input ($(wc -l <"$work/input-sums"))"
(cd "$shipped/inputs" && find . -type f | sed 's/^..//' | sort) >"$work/files"
awk '{ print $2 }' "$work/input-sums" | sort | diff "$work/files" - >>"$work/diff" &&
	(cd "$shipped/inputs" && sha256sum --check --quiet --strict "$work/input-sums") >>"$work/diff" 2>&1
check $? 'same: which are kept in inputs/, and nothing else'
head -n 3 "$work/diff" | sed 's/^/# /'

# An edition never changes: other inputs make another revision.
root=$(small_root revised)
gpuguide report three --root "$root" --out "$work/revisions"
cp -R "$work/revisions/2019-05-31" "$work/kept"
sed 's/500\.00/501.00/' "$here/three/data/prices/2019-05-20.csv" >"$root/data/prices/2019-05-20.csv"
gpuguide report three --root "$root" --out "$work/revisions"
ended 0 'same: another price makes a new revision'
[ -d "$work/revisions/2019-05-31-r2" ] && diff -r "$work/kept" "$work/revisions/2019-05-31" >"$work/diff"
check $? 'same: DATE-r2 stands beside the first, which is untouched'
gpuguide report three --root "$root" --out "$work/revisions"
[ "$status" -eq 0 ] && grep -q 'nothing changed' "$work/err" && [ "$(echo $(ls "$work/revisions"))" = '2019-05-31 2019-05-31-r2' ]
check $? 'same: a third run finds the revision again'

# The edition before, of the same name and folder, is what a new one is compared with.
gpuguide report three --root "$root" --out "$work/revisions" --date 2019-06-30
ended 0 'same: a later edition'
[ -s "$work/revisions/2019-06-30/data/changes.csv" ] && grep -q '^previous_date,2019-05-31,' "$work/revisions/2019-06-30/data/edition.csv"
check $? 'same: says what moved since the one before'
gpuguide report three --root "$root" --out "$work/revisions" --date 2019-06-30 --previous none
[ "$status" -eq 0 ] && [ -d "$work/revisions/2019-06-30-r2" ] && [ ! -e "$work/revisions/2019-06-30-r2/data/changes.csv" ]
check $? 'same: or not, when asked so'
mkdir "$work/elsewhere/moved"
gpuguide report three --root "$root" --out "$work/elsewhere/moved" --date 2019-06-30 --previous "$work/revisions/2019-05-31-r2/"
diff -r "$work/revisions/2019-06-30" "$work/elsewhere/moved/2019-06-30" >"$work/diff"
check $? 'same: no byte depends on where the folders lie'
head -n 3 "$work/diff" | sed 's/^/# /'
