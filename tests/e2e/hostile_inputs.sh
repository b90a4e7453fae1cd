#!/bin/sh
# What strangers may send to `collect`, each with its exact outcome: tests/hostile_inputs/cases.ini is the table.
#   sh tests/e2e/hostile_inputs.sh BUILD [--big] [--table FILE] [CASE...]
# --big    also those marked big: a gigabyte of disk, a minute each
# --table  writes the cases with what came of them, as markdown
# Beside the odd file lies a sound one: it must be accepted whole, whatever its neighbour is. Processor time and peak memory of each
# run are bounded; no run leaves anything but its four tables, none says anything that a terminal obeys.
set -u
export LC_ALL=C TZ=UTC
build=$(cd "$1" && pwd)
shift
program=$build/gpuguide here=tests/hostile_inputs cases=tests/hostile_inputs/cases.ini
big=${HOSTILE_BIG:-} table='' only=''
# What the program can do; a case that needs something else is named and passed over.
#   chunks    files are read in parts of a few MB, to 16 GB
#   limits    quotas of columns, machines, names
#   rejects   refused cells of a file are listed up to a limit
#   names     hidden characters in names are refused
#   pack      .gz, .zst, .tar
#   trust     signatures
can=${HOSTILE_CAN-chunks limits rejects names pack trust}
while [ $# -gt 0 ]; do
	case $1 in
	--big) big=yes ;;
	--table) table=$2; shift ;;
	*) only="$only $1" ;;
	esac
	shift
done
work=$(mktemp -d) || exit 1
trap '[ -n "${KEEP:-}" ] || { chmod -R u+rwX "$work"; rm -rf "$work"; }' EXIT
trap 'exit 1' HUP INT TERM
. tests/tap.sh
chmod 755 "$work"

compile() { ${CC:-cc} -std=c11 -D_POSIX_C_SOURCE=200809L -O1 "$@" || { echo "not ok 1 - the helpers compile"; exit 1; }; }
compile -o "$work/odd" "$here/odd.c"
compile -o "$work/measure" tests/bench_collect/measure.c
compile -shared -fPIC -o "$work/race.so" "$here/race.c" -ldl
odd=$work/odd
sanitized=
if nm "$program" 2>/dev/null | grep -q __asan_init; then sanitized=yes; fi

root=$work/root
cp -R tests/e2e/three "$root"
cp -R templates "$root/"
header=machine,date,device,device_count,class,workload,precision,batch_size,metric,value,unit,framework,driver,repeat,source
# Keys for the signed ones: alice may sign, mallory is unknown.
case " $can " in *' trust '*)
	mkdir -p "$work/keys" "$root/data/contributors"
	for who in alice mallory; do
		ssh-keygen -q -t ed25519 -N '' -C "$who" -f "$work/keys/$who" </dev/null || exit 1
	done
	echo "alice $(cat "$work/keys/alice.pub")" >"$root/data/contributors/allowed_signers" ;;
esac
sound=x,2019-04-04,Card\ B,1,cnn,resnet50,fp16,64,throughput,300.5,images/s,torch,418,1,lab
[ -z "$table" ] || printf '| case | what is sent | exit | what is said | CPU s | MB |\n| --- | --- | --- | --- | ---: | ---: |\n' >"$table"

# --- what a case may call to make its file, in the folder of the odd file ---

# row [COLUMN TEXT]...: the sound row with other cells; the text as printf wants it, % excepted. To x.csv.
row() {
	row=$sound
	while [ $# -ge 2 ]; do
		row=$(printf '%s\n' "$row" | COLUMN=$1 TEXT=$2 HEADER=$header awk -F, -v OFS=, '{
			n = split(ENVIRON["HEADER"], name, ",")
			for (i = 1; i <= n; i++) if (name[i] == ENVIRON["COLUMN"]) $i = ENVIRON["TEXT"]
			print }')
		shift 2
	done
	# shellcheck disable=SC2059
	printf -- "$(printf '%s' "$row" | sed 's/%/%%/g')\n" >>x.csv
}
rows_of() { # N: so many sound rows of one machine, numbered values
	awk -v n="$1" 'BEGIN { for (i = 0; i < n; i++) printf "x,2019-04-04,Card B,1,cnn,resnet50,fp16,64,throughput,%d.%06d,images/s,torch,418,1,lab\n", 300 + i % 10, i }'
}
filled() { head -c "$1" /dev/zero | tr '\0' x; } # BYTES of x
# sign KEY SERIES FILE: FILE.sig
sign() { ssh-keygen -q -Y sign -n "gpuguide-contribution/$2" -f "$work/keys/$1" "$3" </dev/null 2>/dev/null; }
contribution() { echo "$header"; printf '%s\n' "$sound"; }

# --- one case ---

begin_case() {
	name= what= needs= make= race= race_bytes=1 race_file=/x.csv args= want=0 good=whole seconds=10 mb=300 user= wide=
	rm -rf "$work/case"
	mkdir -p "$work/case/in/hostile" "$work/case/cwd"
	: >"$work/case/said.want"
	: >"$work/case/reject.want"
	: >"$work/case/table.want"
	: >"$work/case/cells"
	: >"$work/case/text"
}

passed_over() {
	for need in $needs; do
		case $need in
		big) [ -n "$big" ] || { why='only with --big'; return 0; } ;;
		root) [ "$(id -u)" = 0 ] || { why='only as root'; return 0; } ;;
		preload) [ -z "$sanitized" ] || { why='a library cannot be preloaded before a sanitizer'; return 0; } ;;
		real) [ -z "$sanitized" ] || { why='not under a sanitizer'; return 0; } ;;
		cmd:*) command -v "${need#cmd:}" >/dev/null || { why="no ${need#cmd:} here"; return 0; } ;;
		*) case " $can " in *" $need "*) ;; *) why="the program has no part '$need' yet"; return 0 ;; esac ;;
		esac
	done
	return 1
}

# In a shell of its own: a case may use what names it likes.
make_files() (
	cd "$work/case/in/hostile" || exit 1
	{
		echo "$header"
		echo 'good,2019-04-04,Card B,1,cnn,resnet50,fp16,64,throughput,310.25,images/s,torch,418,1,lab'
		echo 'good,2019-04-04,Card B,1,cnn,vgg16,fp16,64,time,40.5,ms,torch,418,1,lab'
	} >good.csv
	if [ -s "$work/case/text" ]; then
		# shellcheck disable=SC2059
		printf -- "$(sed -e 's/%/%%/g' -e "s|@H|$header|g" -e "s|@R|$sound|g" "$work/case/text")" >x.csv
	elif [ -s "$work/case/cells" ]; then
		echo "$header" >x.csv
		while IFS= read -r cell; do
			row "${cell%% *}" "${cell#* }"
		done <"$work/case/cells"
	fi
	[ -z "$make" ] || eval "$make"
)

# The run; with a race somebody acts while it waits in the middle of the file.
run_program() {
	set -- collect three --root "$root" -o "$work/case/out"
	if [ -n "$args" ]; then
		eval "set -- \"\$@\" $args"
	else
		set -- "$@" "$work/case/in"
	fi
	prefix= preload=
	[ -z "$user" ] || { chmod 777 "$work/case" "$work/case/cwd"; prefix="setpriv --reuid=65534 --regid=65534 --clear-groups"; }
	if [ -n "$race" ]; then
		preload="env LD_PRELOAD=$work/race.so RACE_PAGE=$work/case/page RACE_FILE=$race_file RACE_BYTES=$race_bytes"
		printf 00 >"$work/case/page"
		(
			cd "$work/case/in/hostile" || exit 1
			until [ "$(head -c 1 "$work/case/page")" = 1 ]; do sleep 0.01; done
			eval "$race" && : >"$work/case/raced"
			printf 11 | dd of="$work/case/page" conv=notrunc 2>/dev/null
		) &
		companion=$!
	fi
	(
		cd "$work/case/cwd" || exit 1
		# shellcheck disable=SC2086 # lists of words on purpose
		exec timeout -s KILL 600 "$work/measure" "$work/case/took" $prefix $preload "$program" "$@" \
			>"$work/case/stdout" 2>"$work/case/err" </dev/null
	)
	status=$?
	if [ -n "$race" ]; then
		kill "$companion" 2>/dev/null
		wait "$companion" 2>/dev/null
	fi
}

fail() {
	echo "# $name: $1"
	bad_case=1
}

judge_words() {
	while IFS= read -r text; do
		grep -qF -e "$text" "$work/case/err" || fail "not said: $text"
	done <"$work/case/said.want"
	while IFS= read -r text; do
		grep -qF -e "$text" "$work/case/out/data/rejects.csv" 2>/dev/null || fail "rejects.csv has no $text"
	done <"$work/case/reject.want"
	while IFS= read -r text; do
		grep -qF -e "${text#* }" "$work/case/out/data/${text%% *}" 2>/dev/null || fail "${text%% *} has no ${text#* }"
	done <"$work/case/table.want"
	if grep -qaE 'Sanitizer|runtime error:' "$work/case/err"; then
		fail 'a sanitizer reports'
		grep -aE -A 8 'Sanitizer|runtime error:' "$work/case/err" | sed 's/^/# /'
	fi
	for file in "$work/case/err" "$work/case/out/data"/*.csv; do
		[ -e "$file" ] || continue
		! grep -qaP '[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]|\xe2\x80[\x8e\x8f\xa8-\xae]|\xe2\x81[\xa6-\xa9]|\xd8\x9c' "$file" ||
			fail "$(basename "$file") has characters that a terminal obeys"
		iconv -f UTF-8 -t UTF-8 "$file" >/dev/null 2>&1 || fail "$(basename "$file") is not UTF-8"
	done
	grep -qE '^.{1500}' "$work/case/err" && fail 'a message of more than 1,500 bytes'
	[ "$(wc -l <"$work/case/err")" -le 10100 ] || fail "$(wc -l <"$work/case/err") lines are said"
}

judge_files() {
	[ -z "$(ls -A "$work/case/cwd")" ] || fail "left in the working folder: $(ls -A "$work/case/cwd" | head -n 3)"
	extra=$(cd "$work/case/out" 2>/dev/null && find . -type f | grep -vxE '\./data/(observations|rejects|machines|sources)\.csv' | head -n 3)
	[ -z "$extra" ] || fail "more than the four tables: $extra"
	# machines.csv: id,machine,series,first_date,last_date,rows,...
	accepted=$(grep -cE '^[0-9]+,good,hostile,2019-04-04,2019-04-04,2,' "$work/case/out/data/machines.csv" 2>/dev/null)
	case $good in
	whole) [ "$accepted" = 1 ] || fail 'the sound file beside it is not accepted whole' ;;
	none) [ ! -e "$work/case/out/data/observations.csv" ] || fail 'there are tables' ;;
	esac
}

judge_cost() {
	read -r _ user_s system_s kb _ <"$work/case/took" || { user_s=0 system_s=0 kb=0; fail 'it was killed'; }
	peak=$((kb / 1024))
	took=$(echo "$user_s $system_s" | awk '{ printf "%.2f", $1 + $2 }') # a busy machine does not make it more
	[ -z "$sanitized" ] || return 0
	awk -v a="$took" -v b="$seconds" 'BEGIN { exit !(a <= b) }' || fail "took $took s, at most $seconds"
	[ "$peak" -le "$mb" ] || fail "took $peak MB, at most $mb"
}

end_case() {
	[ -n "$name" ] || return 0
	case " $only " in '  ' | *" $name "*) ;; *) return 0 ;; esac
	if passed_over; then
		echo "# $name: passed over, $why"
		return 0
	fi
	bad_case=0
	make_files || fail 'its files cannot be made'
	run_program
	[ "$status" -eq "$want" ] || fail "exit $status, wanted $want"
	judge_words
	judge_files
	judge_cost
	[ -z "$race" ] || [ -e "$work/case/raced" ] || fail 'the run never stopped in the file'
	if [ $bad_case -ne 0 ]; then
		tail -n 5 "$work/case/err" | cat -v | cut -c 1-300 | sed 's/^/# said: /'
		head -n 3 "$work/case/out/data/rejects.csv" 2>/dev/null | cut -c 1-300 | sed 's/^/# rejected: /'
	fi
	check $bad_case "$name: $what"
	[ -z "$table" ] || {
		said=$(head -n 1 "$work/case/said.want" | sed 's/|/\\|/g')
		[ -n "$said" ] && said="\`$said\`" || said='accepted'
		printf '| %s | %s | %d | %s | %.2f | %d |\n' "$name" "$(echo "$what" | sed 's/|/\\|/g')" "$status" "$said" "$took" "$peak" >>"$table"
	}
}

begin_case
while IFS= read -r line; do
	value=${line#*= }
	case $line in
	'' | '#'*) ;;
	\[*) end_case; begin_case; name=${line#\[}; name=${name%\]} ;;
	'what = '*) what=$value ;;
	'needs = '*) needs=$value ;;
	'cell = '*) printf '%s\n' "$value" >>"$work/case/cells" ;;
	'text = '*) printf '%s' "$value" >>"$work/case/text" ;;
	'make = '*) make=$value ;;
	'race = '*) race=$value ;;
	'race_bytes = '*) race_bytes=$value ;;
	'args = '*) args=$value ;;
	'user = '*) user=$value ;;
	'exit = '*) want=$value ;;
	'said = '*) printf '%s\n' "$value" >>"$work/case/said.want" ;;
	'reject = '*) printf '%s\n' "$value" >>"$work/case/reject.want" ;;
	'has = '*) printf '%s\n' "$value" >>"$work/case/table.want" ;;
	'race_file = '*) race_file=$value ;;
	'good = '*) good=$value ;;
	'seconds = '*) seconds=$value ;;
	'mb = '*) mb=$value ;;
	*) echo "not ok - $cases: '$line' is no line of a case"; bad=1 ;;
	esac
done <"$cases"
end_case
[ $n -gt 0 ] || { echo 'not ok 1 - no case was tried'; exit 1; }
echo "1..$n"
exit $bad
