# What can lie in a folder of contributions: links, pipes, folders called like files, thousands of files. Nothing hangs.

root=$(small_root folders)
contributions=$root/data/contributions
lab=$contributions/lab

# Runs the program for at most a minute.
bounded() {
	timeout 60 "$program" "$@" >"$work/out" 2>"$work/err" </dev/null
	status=$?
}

echo 'machine,device,workload,metric,value,unit' >"$work/secret.csv"
echo 'secret,Card B,resnet50,throughput,400,images/s' >>"$work/secret.csv"
ln -s "$work/secret.csv" "$lab/link.csv"
ln -s /dev/zero "$lab/zero.csv"
ln -s nowhere "$lab/dangling.csv"
ln -s .. "$lab/up"
ln -s . "$contributions/loop.csv"
mkfifo "$lab/pipe.csv"
mkdir "$lab/x.csv" "$contributions/empty"
mkdir -p "$contributions/..."
cp "$work/secret.csv" "$lab/.hidden.csv"
bounded collect three --root "$root" --out "$work/folders-out" "$contributions"
ended 1 'folders: links, a pipe and hidden names are passed over, each with a message' \
	'lab/link.csv: passed over: a symbolic link' 'lab/zero.csv: passed over: a symbolic link' \
	'lab/dangling.csv: passed over: a symbolic link' 'loop.csv: passed over: a symbolic link' \
	'lab/pipe.csv: passed over: not a regular file' 'lab/.hidden.csv: passed over: a hidden name' \
	'...: passed over: a hidden name' '3 files (0 refused), 14 rows: 13 accepted, 1 rejected, 0 set aside'
! grep -q secret "$work/folders-out/data/observations.csv" "$work/folders-out/data/machines.csv"
check $? 'folders: no link was followed'
for path in "$lab/pipe.csv" "$lab/zero.csv" "$lab/dangling.csv" /dev/zero /nonexistent ''; do
	bounded collect three --root "$root" --out "$work/folders-out" "$path"
	ended 2 "folders: '$(basename "$path")' named outright is refused" "$path: "
done
bounded report three --root "$root" --out "$work/folders-edition"
ended 0 'folders: the edition is made beside them' 'passed over'

root=$(small_root many)
awk -v dir="$root/data/contributions/lab" 'BEGIN {
	for (i = 0; i < 5000; i++) {
		file = sprintf("%s/m%04d.csv", dir, i)
		print "machine,device,workload,metric,value,unit,precision" >file
		printf "m%04d,Card B,resnet50,throughput,%.3f,images/s,fp16\n", i, 300 + i / 1000 >file
		close(file)
	}
}'
bounded report three --root "$root" --out "$work/many"
ended 0 'folders: 5,000 files' '5003 files, 5014 rows: '
[ "$(csv_get "$work/many/2019-05-31/data/observations.csv" machines device='Card B' workload=resnet50 | head -n 1)" -ge 5000 ]
check $? 'folders: 5,001 machines stand behind one figure'
