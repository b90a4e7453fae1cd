# Contributions as people send them: every accepted dialect, and each fault told with its place while the rest still counts.

root=$(small_root contributed)
lab=$root/data/contributions/lab
header=machine,date,device,device_count,class,workload,precision,batch_size,metric,value,unit,framework,driver,repeat,source

# contributed NAME FORMAT [ARG...]: a file of that text (printf) in the laboratory's folder.
contributed() {
	name=$1
	shift
	# shellcheck disable=SC2059
	printf "$@" >"$lab/$name.csv"
}

# A sound row of card B from a machine of its own: sound MACHINE VALUE.
sound() {
	echo "$1,2019-04-04,Card B,1,cnn,resnet50,fp16,64,throughput,$2,images/s,torch,418,1,lab"
}

collect_lab() {
	rm -rf "$work/collected"
	gpuguide collect three --root "$root" --out "$work/collected" "$root/data/contributions"
}

rm "$lab"/*.csv
contributed bom '\357\273\277%s\n%s\n' "$header" "$(sound bom 300.5)"
contributed crlf '%s\r\n%s\r\n' "$header" "$(sound crlf 301.5)"
contributed cr '%s\r%s\r' "$header" "$(sound cr 302.5)"
contributed noend '%s\n%s' "$header" "$(sound noend 303.5)"
contributed semicolon '%s\n%s\n' "$(echo "$header" | tr , ';')" "$(sound semicolon 304.5 | tr , ';' | tr . ,)"
contributed tab '%s\n%s\n' "$(echo "$header" | tr , '\t')" "$(sound tab 305.5 | tr , '\t')"
contributed quoted '%s\n"two, and a ""word""",%s,"torch\nin two lines",%s\n' "$header" "$(sound x 306.5 | cut -d, -f2-11)" "$(sound x 306.5 | cut -d, -f13-)"
contributed both '\357\273\277%s\r\n%s\r\n' "$(echo "$header" | tr , ';')" "$(sound both 307@25 | tr ,@ ';,')"
collect_lab
ended 0 'contributions: BOM, CRLF, CR, no last line end, semicolons with decimal commas, tabs, quoted line ends are all read' \
	'8 files (0 refused), 8 rows: 8 accepted, 0 rejected, 0 set aside'
values=$(csv_get "$work/collected/data/observations.csv" machine_values device='Card B')
[ "$(echo "$values" | tr ' ' '\n' | sed 's/.*=//' | sort | tr '\n' ' ')" = '300.5 301.5 302.5 303.5 304.5 305.5 306.5 307.25 ' ]
check $? 'contributions: each dialect gives its exact value'
cat "$lab"/crlf.csv | "$program" collect three --root "$root" -o "$work/piped" - >"$work/out" 2>"$work/err"
status=$?
ended 0 'contributions: one from standard input' '1 files (0 refused), 1 rows: 1 accepted'

# One fault each; the sound row beside each of them counts.
contributed unclosed '%s\n%s\n"open,%s\n' "$header" "$(sound u1 310)" "$(sound u2 311)"
contributed missing '%s\n%s\n' "$(echo "$header" | sed 's/,value,/,speed,/')" "$(sound m1 312)"
contributed thousands '%s\n%s\n%s\n%s\n' "$header" "$(sound t1 1,234.5)" "$(sound t2 '"1,234.5"')" "$(sound t3 313)"
contributed nan '%s\n%s\n%s\n%s\n%s\n' "$header" "$(sound n1 nan)" "$(sound n2 0x1p8)" \
	"$(sound n3 '300 images/s')" "$(sound n4 314)"
contributed unknown '%s\n%s\n%s\n' "$header" "$(sound d1 315 | sed 's/Card B/Crad B/')" "$(sound d2 316)"
contributed empty ''
contributed binary '%s\n%s\377\376\n' "$header" "$(sound b1 317)"
contributed nul '%s\nx\000y,%s\n' "$header" "$(sound b1 318)"
collect_lab
ended 1 'contributions: faults end in 1, each with file, line and column; the sound rows count' \
	'lab/unclosed.csv:3:1: the file is refused: ' 'lab/missing.csv:1:1: the file is refused: column '"'value' missing" \
	'lab/thousands.csv:2:85: 16 cells where the header has 15' 'lab/thousands.csv:3:56: value: '"'1,234.5' is not a number" \
	'lab/nan.csv:2:56: value: '"'nan' is not a number" 'lab/nan.csv:3:56: value: '"'0x1p8' is not a number" \
	'lab/nan.csv:4:56: value: '"'300 images/s' is not a number" \
	'lab/unknown.csv:2:15: device: device '"'Crad B' is not in the catalogue; nearest: Card B, Card A, Card C" \
	'lab/empty.csv:1:1: the file is refused: ' 'lab/binary.csv:2:' 'lab/nul.csv:2:2: the file is refused: ' \
	'16 files (5 refused), 17 rows: 11 accepted, 6 rejected, 0 set aside'
good=0
while read -r want; do
	grep -q -e "$want" "$work/collected/data/rejects.csv" || { echo "# rejects.csv lacks $want"; good=1; }
done <<'END'
^lab/unclosed\.csv,3,1,syntax,,.*,rejected$
^lab/missing\.csv,1,1,column,,the file is refused: column 'value' missing,rejected$
^lab/thousands\.csv,2,.*,syntax,,16 cells where the header has 15,rejected$
^lab/thousands\.csv,3,value,number,"1,234\.5","'1,234\.5' is not a number.*",rejected$
^lab/nan\.csv,2,value,number,nan,
^lab/unknown\.csv,2,device,device-unknown,Crad B,"device 'Crad B' is not in the catalogue; nearest: Card B, Card A, Card C"
END
check $good 'contributions: rejects.csv has each with its code'
gpuguide report three --root "$root" --out "$work/contributed-out" --contributions "$root/data/contributions"
ended 1 'contributions: without a single row of the reference there is no edition' 'Card A'
