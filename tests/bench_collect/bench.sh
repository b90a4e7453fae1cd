#!/bin/sh
# collect against its peers on generated contributions, all in one run, so that the figures mean something on another machine.
#   [SIZE=1G] [RUNS=3] [CASES='plain quoted files'] [PEERS='...'] sh tests/bench_collect/bench.sh BUILD
# CASES  plain: one file of SIZE; quoted: one of which every tenth row has quoted cells; kinds: the same rows
#        without quotes, for the names they bring make more kinds of rows than plain has; files: SIZE in files of 100 kB; bad: one
#        of which every hundredth row is refused; lean: one of rows half as long as those that people send; where: the functions that collect spends its time in (perf, or its own -v).
#        SIZE=10G is for the peak memory: one file, and the peers that are done within minutes.
# PEERS  ours scan libcsv wc duckdb miller sqlite awk; those that are not installed are named and passed over. DuckDB is the program
#        `duckdb`, or node with the package @duckdb/node-api where NODE_PATH finds it.
# Files are made in $TMPDIR or BUILD and removed. Each figure is the median of RUNS, taken in turn with the others; files are in
# memory ("warm") unless the line says cold. MB is 1e6 bytes; peak is ru_maxrss of the largest process.
# All but `wc` and `libcsv, parsing only` compute count, sum and max of value by (device, workload, metric), and the median where
# the column says so. Ours is the whole stage: every cell checked, medians by machine, outliers, copies, tables written. The
# common figures must agree: with libcsv's to 1e-9, and observations.csv with medians of medians computed by libcsv's peer.
set -eu
# shellcheck disable=SC2046,SC2086 # commands and lists of files are meant to be split
export LC_ALL=C
build=$(cd "$1" && pwd)
program=$build/gpuguide tools=$build/tests/bench_collect here=tests/bench_collect
size=${SIZE:-1G} runs=${RUNS:-3}
case $size in
*0G) : "${CASES:=plain}" "${PEERS:=ours scan libcsv wc duckdb}" ;;
*) : "${CASES:=plain quoted files where}" "${PEERS:=ours scan libcsv wc duckdb miller sqlite awk}" ;;
esac
work=$(mktemp -d "${TMPDIR:-$build}/bench-collect.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
in=$work/in/rows
mkdir "$work/in" "$work/logs"

# A list of the folder's files for programs that take names; ten thousand of them fit a command line.
files() { find "$in" -name '*.csv' | sort; }

bytes_of() {
	case $1 in
	*K) echo "${1%K}000" ;;
	*M) echo "${1%M}000000" ;;
	*G) echo "${1%G}000000000" ;;
	*) echo "$1" ;;
	esac
}

# --- the runners: NAME THREADS; each writes its lines to $work/NAME.THREADS, in the format of peer_libcsv where it has them ---

# The program takes as many threads as it may use processors; where it has an option, that says it.
ours_command() {
	if "$program" collect --help | grep -q -e '--threads'; then
		echo "$program collect --quiet --threads $1"
	elif command -v taskset >/dev/null; then
		echo "taskset -c 0-$(($1 - 1)) $program collect --quiet"
	else
		echo "$program collect --quiet"
	fi
}

run_ours() { $measure $(ours_command "$1") -o "$work/out.$1" "$in" >/dev/null 2>"$work/err"; }
run_ours_cold() {
	for f in $(files); do dd if="$f" iflag=nocache count=0 2>/dev/null; done
	run_ours "$1"
}
run_libcsv() { $measure "$tools/peer_libcsv" --threads "$1" $(files) >"$work/libcsv.$1"; }
run_libcsv_parse() { $measure "$tools/peer_libcsv" --parse --threads "$1" $(files) >"$work/libcsv_parse.$1"; }
run_scan() { $measure "$tools/scan" --threads "$1" $(files) >"$work/scan.$1"; }
run_wc() { $measure wc -l $(files) >/dev/null; }
run_duckdb_bare() { duckdb_run "$1" bare; }
run_duckdb() { duckdb_run "$1" groups; }
run_miller() {
	$measure mlr --icsv --ocsv --headerless-csv-output stats1 -i -a count,sum,max,median -f value -g device,workload,metric \
		$(files) >"$work/miller.$1"
}
run_sqlite() {
	rm -f "$work/db"
	first=$(files | head -n 1)
	{
		echo '.mode csv'
		echo "create table rows ($(head -n 1 "$first" | tr -d '\r' | sed 's/,/ text, /g; s/value text/value real/') text);"
		files | sed 's/.*/.import --skip 1 "&" rows/'
		echo 'select device, workload, metric, count(*), printf("%.17g", sum(value)), printf("%.17g", max(value)) from rows group by 1, 2, 3;'
	} >"$work/import.sql"
	$measure sqlite3 -batch "$work/db" ".read $work/import.sql" >"$work/sqlite.$1"
	rm -f "$work/db"
}
run_awk() {
	$measure awk -F, 'FNR > 1 { k = $3 "," $6 "," $9; n[k]++; s[k] += $10; if (!(k in m) || $10 + 0 > m[k]) m[k] = $10 + 0 }
		END { for (k in n) printf "%s,%d,%.17g,%.17g\n", k, n[k], s[k], m[k] }' $(files) >"$work/awk.$1"
}

duckdb_here() {
	command -v duckdb >/dev/null || NODE_PATH="${NODE_PATH:-}" node -e 'require("@duckdb/node-api")' 2>/dev/null
}
duckdb_run() {
	if command -v duckdb >/dev/null; then
		{
			echo "set threads = $1;"
			sed -n -e "s/^\t$2: \`\(.*\)\`,\$/\1;/p" "$here/duckdb.cjs" | sed "s|\${from}|read_csv('$in/*.csv', header = true)|"
		} >"$work/query.sql"
		$measure duckdb -csv -noheader <"$work/query.sql" >"$work/duckdb_$2.$1"
	else
		$measure node "$here/duckdb.cjs" "$1" "$2" "$in" >"$work/duckdb_$2.$1"
	fi
	[ "$2" = bare ] || mv "$work/duckdb_$2.$1" "$work/duckdb.$1"
}

# The rows of the table, in its order: runner, threads, peer, what it computes, its name.
table() {
	cat <<'END'
ours|1|ours|whole stage|gpuguide collect, 1 CPU
ours|2|ours|whole stage|gpuguide collect, 2 CPUs
ours_cold|2|ours|whole stage|gpuguide collect, 2 CPUs, cold
scan|1|scan|nothing|our scan of the cells alone
scan|2|scan|nothing|our scan alone, 2 threads
libcsv_parse|1|libcsv|nothing|libcsv, parsing only
libcsv_parse|2|libcsv|nothing|libcsv, parsing only, 2 threads
libcsv|1|libcsv|with median|libcsv
libcsv|2|libcsv|with median|libcsv, 2 threads
duckdb_bare|1|duckdb|one group|DuckDB, bare aggregate
duckdb_bare|2|duckdb|one group|DuckDB, bare aggregate, 2 threads
duckdb|1|duckdb|with median|DuckDB
duckdb|2|duckdb|with median|DuckDB, 2 threads
miller|1|miller|with median|Miller
sqlite|1|sqlite|no median|sqlite3 .import, then the query
awk|1|awk|no median|awk
wc|1|wc|nothing|wc -l
END
}

# Whether the peer is asked for, there, and able to read the case.
wanted() {
	case " $PEERS " in *" $1 "*) ;; *) return 1 ;; esac
	case $1 in
	scan) [ -x "$tools/scan" ] || return 1 ;;
	duckdb) duckdb_here || { note "$1: not here"; return 1; } ;;
	miller) command -v mlr >/dev/null || { note "$1: not here"; return 1; } ;;
	sqlite) command -v sqlite3 >/dev/null || { note "$1: not here"; return 1; } ;;
	awk) [ "$2" != quoted ] || { note "$1: knows no quotes"; return 1; } ;;
	esac
	case $2 in bad) [ "$1" = ours ] || [ "$1" = wc ] ;; esac
}
note() { grep -qxF "$1" "$work/notes" 2>/dev/null || echo "$1" >>"$work/notes"; }

# median N LOG: the median of column N of the measured runs.
median() {
	awk -v c="$1" '{ print $c }' "$2" | sort -n | awk '{ v[NR] = $1 } END { print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2 }'
}

# agree FILE REFERENCE: lines "key..., count, sum, max[, median]" in any order and any spelling of numbers; says yes, or what differs.
agree() {
	awk -F, 'function near(a, b, d) { d = a - b; if (d < 0) d = -d; return d <= 1e-9 * (b < 0 ? -b : b) }
		{ gsub(/["\r]/, "") }
		NR == FNR { key = $1 "," $2 "," $3; n[key] = $4; sum[key] = $5; most[key] = $6; half[key] = $7; left++; next }
		{
			key = $1 "," $2 "," $3
			if (!(key in n) || n[key] != $4 || !near($5, sum[key]) || !near($6, most[key]) || (NF > 6 && !near($7, half[key]))) {
				wrong++
				if (wrong == 1) first = $0
			}
			left--
		}
		END { if (wrong || left) print "NO (" wrong + 0 " groups, first " first ")"; else print "yes" }' "$2" "$1"
}

# observations.csv against the medians of medians: device,workload,metric,precision,device_count -> runs, value.
agree_ours() {
	awk -F, 'function near(a, b, d) { d = a - b; if (d < 0) d = -d; return d <= 1e-11 * b }
		NR == FNR { key = $1 "," $2 "," $3 "," $4 "," $5; runs[key] = $6; value[key] = $7; left++; next }
		FNR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		{
			key = $at["device"] "," $at["workload"] "," $(NF - 3) "," $at["precision"] "," $at["device_count"]
			if (!(key in runs) || runs[key] != $at["runs"] || !near($at["value"], value[key])) { wrong++; if (wrong == 1) first = key }
			left--
		}
		END { if (wrong || left) print "NO (" wrong + 0 " cells, first " first ", " left " missing)"; else print "yes" }' \
		"$work/cells" "$1/data/observations.csv"
}

agrees() { # runner threads
	case $1 in
	ours*) [ -s "$work/cells" ] && agree_ours "$work/out.$2" || echo - ;;
	libcsv | duckdb | miller | sqlite | awk) agree "$work/$1.$2" "$work/reference" ;;
	scan) # as many rows and cells as libcsv, the header too
		awk -F '[= ]' 'NR == 1 { rows = $2; cells = $4; next } { print $2 - rows == files && $4 - cells == 0 ? "yes" : "NO (" $0 ")" }' \
			files="$(files | wc -l)" "$work/libcsv_parse.1" "$work/scan.$2" ;;
	duckdb_bare)
		awk -F, 'NR == FNR { n += $4; s += $5; if (FNR == 1 || $6 > m) m = $6; next }
			{ d = $2 / s - 1; good = $1 == n && d < 1e-9 && d > -1e-9 && $3 + 0 == m + 0; print good ? "yes" : "NO (" $0 ")" }' "$work/reference" "$work/duckdb_bare.$2" ;;
	*) echo - ;;
	esac
}

make_rows() {
	rm -rf "$in"
	bytes=$(bytes_of "$size")
	case $1 in
	plain | where) made=$("$tools/gen" --bytes "$bytes" "$in") ;;
	quoted) made=$("$tools/gen" --bytes "$bytes" --quoted 10 "$in") ;;
	kinds) made=$("$tools/gen" --bytes "$bytes" --quoted 10 --bare "$in") ;;
	bad) made=$("$tools/gen" --bytes "$bytes" --bad 1 "$in") ;;
	lean) made=$("$tools/gen" --bytes "$bytes" --lean "$in") ;;
	files) made=$("$tools/gen" --bytes 100K --files $((bytes / 100000)) --machine-rows 0 "$in") ;;
	*) echo "no case '$1'" >&2; exit 2 ;;
	esac
	bytes=$(echo "$made" | sed 's/.*bytes=//')
}

case_table() {
	rm -f "$work"/logs/* "$work/notes" "$work/cells" "$work/reference"
	make_rows "$1"
	case $1 in
	plain) title="one file" ;;
	quoted) title="one file, every tenth row with quotes" ;;
	kinds) title="one file, the same rows without quotes" ;;
	lean) title="one file of short rows" ;;
	bad) title="one file, every hundredth row refused" ;;
	files) title="files of 100 kB" ;;
	esac
	echo "== $title: $made"
	if [ "$1" != bad ]; then
		files | xargs cat >/dev/null # into memory, for those that come first too
		"$tools/peer_libcsv" --threads 2 $(files) >"$work/reference"
		"$tools/peer_libcsv" --threads 2 --cells $(files) >"$work/cells"
	fi
	i=0
	while [ $i -lt "$runs" ]; do # in turn, so that a slow minute of the machine meets all alike
		table | while IFS='|' read -r runner threads peer what name; do
			wanted "$peer" "$1" || continue
			measure="$tools/measure $work/logs/$runner.$threads"
			"run_$runner" "$threads" || { [ "$1" = bad ] && [ "$peer" = ours ]; } || {
				echo "# $name failed"
				[ ! -s "$work/err" ] || tail -n 3 "$work/err"
			}
		done
		i=$((i + 1))
	done
	wall_ours=$(median 1 "$work/logs/ours.2" 2>/dev/null || echo 0)
	printf '%-36s %-12s %9s %8s %10s %9s  %s\n' "$1 ($runs runs)" computes MB/s seconds 'ours is' 'peak MB' agrees
	table | while IFS='|' read -r runner threads peer what name; do
		log=$work/logs/$runner.$threads
		[ -s "$log" ] || continue
		echo "$(median 1 "$log") $(awk '$4 > m { m = $4 } END { print m }' "$log")" |
			awk -v name="$name" -v what="$what" -v bytes="$bytes" -v ours="$wall_ours" -v agrees="$(agrees "$runner" "$threads")" '{
				printf "%-36s %-12s %9.0f %8.2f %9.2fx %9.0f  %s\n", name, what, bytes / $1 / 1e6, $1, ours ? $1 / ours : 0, $2 / 1024, agrees }'
	done
	[ ! -e "$work/notes" ] || sed 's/^/# /' "$work/notes"
	echo
}

# The functions that collect is in, most first; and what the program itself says of its stage.
where_time_goes() {
	make_rows where
	echo "== where the time goes: $made"
	"$program" collect --quiet --verbose -o "$work/out" "$in" 2>&1 >/dev/null | grep -v 'not described' || true
	if command -v perf >/dev/null && perf record -q -F 999 -o "$work/perf" "$program" collect --quiet -o "$work/out" "$in" >/dev/null 2>&1; then
		perf report -i "$work/perf" --no-children --stdio -s dso,symbol 2>/dev/null | grep -v '^#' | grep '%' | head -n 25
	else
		echo '# no perf here that may count'
	fi
	echo
}

grep -m 1 'model name' /proc/cpuinfo 2>/dev/null | sed 's/.*: /CPU: /' || true
echo "processors: $(getconf _NPROCESSORS_ONLN); load before: $(cut -d ' ' -f 1 /proc/loadavg 2>/dev/null || echo '?')"
for case in $CASES; do
	case $case in
	where) where_time_goes ;;
	*) case_table "$case" ;;
	esac
done
