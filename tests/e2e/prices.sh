# Prices checked, shown and fetched, as a maintainer meets it: the small root, commands of its own and a https server
# on the loopback. Nothing but what a person accepts, and nothing half read, reaches data/prices.

day() { SOURCE_DATE_EPOCH=$(($(date -u -d "$1" +%s))) && export SOURCE_DATE_EPOCH; }
old_epoch=$SOURCE_DATE_EPOCH
root=$(small_root prices)
cp "$root/editions/three.ini" "$root/editions/current.ini"
mkdir -p "$root/data/price_maps" "$root/tools"
printf '[columns]\nname = card\n[values]\ncurrency = USD\n[prices]\nnew = price\n' >"$root/data/price_maps/plain.ini"
printf '[columns]\nname = card\ndate = day\n[values]\ncurrency = USD\ndate = iso\n[prices]\nnew = price\n' >"$root/data/price_maps/dated.ini"
printf '#!/bin/sh\ncat "tools/$1"\n' >"$root/tools/get"
chmod +x "$root/tools/get"
printf 'card,price\nCard A,1000\nCard B,700\nCard C,300\nCard Z,3\n' >"$root/tools/a.csv"
sources() { cat >"$root/data/price_sources.ini"; }
sources <<'EOF'
[mine]
command = tools/get a.csv
map = plain
market = shop
EOF

# fetched 'name' STATUS [text...]: fetches; each text is in what it says.
fetched() {
	name=$1 want=$2
	shift 2
	gpuguide prices fetch --root "$root" ${fetch_options:-}
	good=0
	[ "$status" -eq "$want" ] || { echo "# exit $status, wanted $want"; good=1; }
	for text in "$@"; do
		grep -qF -e "$text" "$work/out" "$work/err" || { echo "# not said: $text"; good=1; }
	done
	if grep -qE 'Sanitizer|runtime error:' "$work/err"; then good=1; fi
	[ $good -eq 0 ] || cat "$work/out" "$work/err" | cat -v | cut -c 1-300 | sed 's/^/# /'
	check $good "prices: $name"
}

day 2019-05-31
fetch_options=--dry-run fetched 'fetch: a dry run says what would be run' 0 'mine: planned: ' '/tools/get a.csv'
[ ! -e "$root/spool" ] && [ ! -e "$root/data/.lock" ]
check $? 'prices: fetch: and touches nothing'
fetched 'fetch: a first listing is taken' 0 'mine: taken data/prices/2019-05-31-mine.csv, 3 rows, 1 price of the listing not used'
printf '%s\n' date,device,market,condition,currency,price,quantity,stat,n,source '2019-05-31,Card A,shop,new,USD,1000,unit,,,mine' \
	'2019-05-31,Card B,shop,new,USD,700,unit,,,mine' '2019-05-31,Card C,shop,new,USD,300,unit,,,mine' |
	cmp -s - "$root/data/prices/2019-05-31-mine.csv"
check $? 'prices: fetch: the rows, with the day they were seen'
cmp -s "$root/tools/a.csv" "$root/spool/prices/mine-2019-05-31.raw"
check $? 'prices: fetch: what came is kept as it came'
sum=$(sha256sum <"$root/data/prices/2019-05-31-mine.csv")
sed -i 's/1000/1010/' "$root/tools/a.csv"
fetched 'fetch: once a day' 0 "it has today's prices already"
[ "$sum" = "$(sha256sum <"$root/data/prices/2019-05-31-mine.csv")" ]
check $? 'prices: fetch: what is there is not written again'
day 2019-06-01
sed -i 's/1010/1500/' "$root/tools/a.csv"
fetched 'fetch: a jump is held' 1 'mine: held spool/prices/2019-06-01-mine.csv' '1 price jumped by more than 30 %' \
	'Card A, shop: 1000.00 USD on 2019-05-31, 1500.00 USD on 2019-06-01 (+50 %)'
[ ! -e "$root/data/prices/2019-06-01-mine.csv" ] && [ -s "$root/spool/prices/2019-06-01-mine.csv" ]
check $? 'prices: fetch: it waits in the spool'
gpuguide prices check "$root/spool/prices/2019-06-01-mine.csv" --root "$root"
ended 1 'prices: check: a file that waits'
tr -s ' \n' ' ' <"$work/out" | grep -qF '2019-06-01-mine.csv:2: Card A, shop new: 1,000.00 USD on 2019-05-31'
check $? 'prices: check: names the row'
gpuguide prices check "$root/spool/prices/2019-06-01-mine.csv" --root "$root" --accept --source 'seen, "really"'
ended 0 'prices: check: accepted'
gpuguide prices check "$root/spool/prices/2019-06-01-mine.csv" --root "$root" -q
ended 0 'prices: check: an accepted jump is no matter any more'
[ ! -s "$work/out" ]
check $? 'prices: check: quiet where nothing is wrong'
[ "$(tail -n 1 "$root/data/price_accepted.csv")" = "2019-06-01,Card A,shop,new,1500,$(id -un),\"seen, \"\"really\"\"\"" ]
check $? 'prices: check: the decision is kept, with who and why'
fetched 'fetch: what was accepted is taken' 0 'mine: taken data/prices/2019-06-01-mine.csv, 3 rows'
day 2019-06-02
printf 'card,price\nCard A,1500\n' >"$root/tools/a.csv"
fetched 'fetch: less than half of the rows are held' 1 '1 rows, less than half of the 3 of 2019-06-01-mine.csv'
day 2019-06-03
printf 'card,price\nCard A,1500\nCard B,700\nCard C,900\n' >"$root/tools/a.csv"
fetched 'fetch: what was held before is looked at again' 1 'held spool/prices/2019-06-02-mine.csv' 'held spool/prices/2019-06-03-mine.csv'
fetch_options=--accept fetched 'fetch: --accept takes what was held' 0 'taken data/prices/2019-06-02-mine.csv' 'taken data/prices/2019-06-03-mine.csv'
grep -q '^2019-06-03,Card C,shop,new,900,' "$root/data/price_accepted.csv"
check $? 'prices: fetch: its jump is kept as a decision'
[ -z "$(ls "$root"/spool/prices/*.csv 2>/dev/null)" ]
check $? 'prices: fetch: nothing waits any more'

# A day of the file's own, another file of that day, a day to come.
day 2019-06-10
printf 'card,day,price\nCard A,2019-06-05,510\n' >"$root/tools/d.csv"
sources <<'EOF'
[dated]
command = tools/get d.csv
map = dated
market = fair
date = from-file
keep_raw = no
EOF
fetched 'fetch: the day of the file' 0 'taken data/prices/2019-06-05-dated.csv'
[ -z "$(ls "$root"/spool/prices/dated-* 2>/dev/null)" ]
check $? 'prices: fetch: what came is not kept where it should not be'
fetched 'fetch: the same file again' 0 'dated: same data/prices/2019-06-05-dated.csv'
sed -i 's/510/520/' "$root/tools/d.csv"
fetched 'fetch: another file of that day never goes over it' 1 'dated: held' 'data/prices/2019-06-05-dated.csv is there already, with other prices'
grep -q ',510,' "$root/data/prices/2019-06-05-dated.csv"
check $? 'prices: fetch: the first one stays'
rm "$root"/spool/prices/*.csv
printf 'card,day,price\nCard A,2019-06-11,510\n' >"$root/tools/d.csv"
fetched 'fetch: a price of tomorrow is held' 1 'a price is of 2019-06-11, after today'
rm "$root"/spool/prices/*.csv

# What somebody put into the spool is judged like all else.
printf '%s\n' date,device,market,condition,currency,price,quantity,stat,n,source '2019-06-09,Card A,fair,new,USD,510 USD,unit,,,x' >"$root/spool/prices/2019-06-09-dated.csv"
printf 'no prices\n' >"$root/spool/prices/2019-06-08-dated.csv"
printf '%s\n' date,device,market,condition,currency,price,quantity,stat,n,source >"$root/spool/prices/2019-06-07-dated.csv"
cp "$root/data/prices/2019-06-05-dated.csv" "$root/spool/prices/2019-06-05-dated.csv"
touch "$root/spool/prices/2019-06-31-dated.csv" "$root/spool/prices/2019-06-01-undated.csv"
fetched 'fetch: files in the spool' 1 "held spool/prices/2019-06-09-dated.csv: line 2: price: '510 USD' is not a number" \
	"failed spool/prices/2019-06-08-dated.csv: " "the header has no column 'date'" 'held spool/prices/2019-06-07-dated.csv: it has no price' \
	'same data/prices/2019-06-05-dated.csv: nothing new'
! grep -qE '2019-06-31|undated' "$work/out" && [ ! -e "$root/spool/prices/2019-06-05-dated.csv" ]
check $? 'prices: fetch: only files of the source, and what is in data/prices waits no more'
rm "$root"/spool/prices/*.csv

# One source that fails, in every way a command can, and the rest go on.
printf 'card,price\nCard A,1500\nCard B,700\nCard C,900\n' >"$root/tools/a.csv"
sources <<'EOF'
[absent]
command = tools/none
map = plain
market = shop
[broken]
command = sh -c exit
map = plain
market = shop
[crash]
command = cat /no/such/file
map = plain
market = shop
[endless]
command = yes card,price
map = plain
market = shop
max_mb = 0.01
[evil]
command = tools/get $(touch${IFS}pwned) ; touch pwned
map = plain
market = shop
[slow]
command = sleep 60
map = plain
market = shop
timeout_s = 1
[nomap]
command = tools/get a.csv
map = nowhere
[strange]
command = printf card,cost\nCard A,1
map = plain
market = shop
[unknown]
command = printf card,price\nCard\040Q,1\n
map = plain
market = shop
[quote]
command = printf "card,price\nx,1
map = plain
market = shop
[good]
command = tools/get a.csv
map = plain
market = other
EOF
fetched 'fetch: each failure is told, the rest go on' 1 'absent: failed: ' '/tools/none: not found' 'broken: failed: sh: it sent nothing' \
	'crash: failed: cat: ' 'endless: failed: yes: ' 'evil: failed: ' 'slow: failed: sleep: stopped after 1 s' \
	'data/price_maps/nowhere.ini: No such file' "column 'price' is not in spool/prices/strange-2019-06-10.raw" \
	"unknown: failed, 1 price of the listing not used: spool/prices/unknown-2019-06-10.raw:2:1: none of its 1 prices can be used: 'Card Q' is not in the catalogue" 'quote: failed: ' \
	'good: taken data/prices/2019-06-10-good.csv, 3 rows'
[ "$(ls "$root"/data/prices/2019-06-10-*)" = "$root/data/prices/2019-06-10-good.csv" ] && [ ! -e "$root/pwned" ] && [ ! -e pwned ]
check $? 'prices: fetch: nothing else came in, and no shell ran'
fetch_options='--source none' fetched 'fetch: a source that is none' 2 "--source: 'none' is not in data/price_sources.ini, which has absent, broken"
gpuguide prices fetch --root "$root" --source good --format csv
ended 0 'prices: fetch: one source alone, as csv'
printf '%s\n' source,outcome,file,rows,unused,jumps,why "good,same,data/prices/2019-06-10-good.csv,0,0,0,it has today's prices already" | cmp -s - "$work/out"
check $? 'prices: fetch: the csv'
# a spool on another file system
if other=$(mktemp -d /dev/shm/gpuguide.XXXXXX 2>/dev/null) && [ "$(stat -c %d "$other")" != "$(stat -c %d "$root")" ]; then
	mv "$root/spool" "$work/spool" && ln -s "$other" "$root/spool"
	sources <<'EOF'
[far]
command = tools/get a.csv
map = plain
market = far
EOF
	fetched 'fetch: a spool on another file system' 0 'far: taken data/prices/2019-06-10-far.csv, 3 rows'
	[ ! -e "$other/prices/2019-06-10-far.csv" ] && [ ! -e "$root/data/prices/2019-06-10-far.csv.part" ]
	check $? 'prices: fetch: and nothing is left there'
	rm "$root/spool" "$root/data/prices/2019-06-10-far.csv" && mv "$work/spool" "$root/spool"
fi
[ -z "$other" ] || rm -r "$other"
sources <<'EOF'
[slow]
command = sleep 3
map = plain
EOF
"$program" prices fetch --root "$root" >"$work/first" 2>&1 &
slow=$!
sleep 1
fetched 'fetch: one run at a time' 3 'another run holds the lock'
wait $slow
sources </dev/null
fetched 'fetch: no source at all' 0 'data/price_sources.ini names no source'
echo '[a' | sources
fetched 'fetch: a file of sources that is broken' 1 'data/price_sources.ini:1: '
rm "$root/data/price_sources.ini"
fetched 'fetch: no file of sources' 2 'data/price_sources.ini: No such file'

# https, on a server of one's own: certificates, statuses, sizes, redirects.
if have openssl && have curl; then
	www=$work/www
	mkdir -p "$www"
	for ca in ours theirs; do
		openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj /CN=localhost -days 3650 \
			-addext subjectAltName=DNS:localhost -keyout "$work/$ca.key" -out "$root/$ca.pem" 2>/dev/null
	done
	answer() { printf 'HTTP/1.0 %s\r\n%b\r\n' "$2" "$3" >"$www/$1"; cat >>"$www/$1"; }
	answer list '200 OK' '' <"$root/tools/a.csv"
	answer gone '404 Not Found' '' </dev/null
	answer file '302 Found' 'Location: file:///etc/passwd\r\n' </dev/null
	answer plain '302 Found' 'Location: http://localhost:1/list\r\n' </dev/null
	answer round '302 Found' 'Location: /round\r\n' </dev/null
	answer moved '302 Found' 'Location: /list\r\n' </dev/null
	yes 'Card A,1' | head -c 3000000 | answer long '200 OK' ''
	yes 'Card A,1' | head -c 3000000 | answer stated '200 OK' 'Content-Length: 3000000\r\n'
	mkfifo "$www/slow"
	(cd "$www" && exec openssl s_server -HTTP -accept 127.0.0.1:0 -cert "$root/ours.pem" -key "$work/ours.key") >"$work/server" 2>&1 &
	server=$!
	for _ in 1 2 3 4 5 6 7 8 9 10; do
		port=$(sed -n 's/^ACCEPT .*:\([0-9]*\)$/\1/p' "$work/server")
		[ -n "$port" ] && break
		sleep 0.3
	done
	for name in list gone file plain round moved long stated slow; do
		printf '[%s]\nurl = https://localhost:%s/%s\nmap = plain\nmarket = %s\ncafile = ours.pem\nmax_mb = 1\ntimeout_s = 2\n' \
			$name "$port" $name $name
	done >"$root/data/price_sources.ini"
	printf '[dead]\nurl = https://localhost:1/\nmap = plain\nmarket = x\n[foreign]\nurl = https://localhost:%s/list\nmap = plain\nmarket = x\ncafile = theirs.pem\n[name]\nurl = https://127.0.0.1:%s/list\nmap = plain\nmarket = x\ncafile = ours.pem\n' \
		"$port" "$port" | cat - "$root/data/price_sources.ini" >"$work/sources"
	sources <"$work/sources"
	export no_proxy=localhost,127.0.0.1
	day 2019-06-12
	fetched 'https: what an address can do' 1 'list: taken data/prices/2019-06-12-list.csv, 3 rows' 'moved: taken ' \
		'dead: failed: curl: ' 'foreign: failed: curl: ' 'name: failed: curl: ' 'gone: failed: curl: ' 'file: failed: curl: ' \
		'plain: failed: curl: ' 'round: failed: curl: ' 'long: failed: curl: ' 'stated: failed: curl: ' 'slow: failed: curl: '
	[ "$(ls "$root"/data/prices/2019-06-12-*)" = "$(printf '%s\n' "$root/data/prices/2019-06-12-list.csv" "$root/data/prices/2019-06-12-moved.csv")" ]
	check $? 'prices: https: only the two good ones came in'
	kill $server
	wait $server 2>/dev/null
fi

# What the parts refuse.
day 2019-05-31
for line in 'prices brew|2|is not import, check, show or fetch' 'prices show|2|no device was named' \
	"prices show Card Q|2|'Card Q' is not in the catalogue; nearest: Card A, Card B, Card C" \
	"prices show Card A --condition odd|2|--condition: 'odd'" 'prices check --map x|2|prices check: it has no option --map' \
	'prices show Card A --accept|2|it has no option --accept' 'prices fetch shop|2|one argument too many' \
	'prices check no-such.csv|2|no-such.csv: No such file'; do
	# shellcheck disable=SC2086
	gpuguide ${line%%|*} --root "$root"
	rest=${line#*|}
	ended "${rest%%|*}" "prices: ${line%%|*}" "${rest#*|}"
done

# The shipped prices: useful, quick, and the same twice.
SOURCE_DATE_EPOCH=$old_epoch
gpuguide prices check
[ "$status" -le 1 ] && [ "$(wc -l <"$work/out")" -le 150 ] && [ -s "$work/out" ]
check $? 'prices: the shipped ones: a page or two'
cp "$work/out" "$work/again"
gpuguide prices check
cmp -s "$work/out" "$work/again"
check $? 'prices: the shipped ones: the same words twice'
gpuguide prices show GTX 2080 Ti --format csv
[ "$status" -eq 0 ] && awk -F, 'NR > 1 && $1 != "RTX 2080 Ti" { bad = 1 } END { exit bad || NR < 50 }' "$work/out"
check $? 'prices: show: by an alias, without quotes, every day'
gpuguide prices check --root "$root" --date 2031-12-31 --format json
[ "$status" -eq 0 ] && grep -q '"kind": "missing"' "$work/out"
check $? 'prices: check: long after, every card is missing a price'
SOURCE_DATE_EPOCH=$old_epoch
