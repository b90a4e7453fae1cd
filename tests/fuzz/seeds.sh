#!/bin/sh
# Small inputs to start the fuzz harnesses from, made anew from the shipped data and the tests: OUT/HARNESS/…
#   tests/fuzz/seeds.sh OUT
set -eu
out=$1
rm -rf "$out"

# seed HARNESS NAME <text
seed() {
	mkdir -p "$out/$1"
	cat >"$out/$1/$2"
}

# part NAME LINES FILE: the beginning of a file as one of several.
part() {
	echo "@@ $1"
	head -n "$2" "$3"
}

# --- CSV, and contributions: every dialect ---
for f in tests/collect/*/in/*/*.csv; do
	seed csv "$(echo "$f" | tr / -)" <"$f"
	seed collect "$(echo "$f" | tr / -)" <"$f"
done
for f in data/contributions/cgnorthcutt/cgn-2080Ti.csv data/contributions/llm-inference/*.csv data/contributions/deepbench/*.csv; do
	[ -e "$f" ] || continue
	head -n 4 "$f" | seed csv "$(basename "$f")"
	head -n 4 "$f" | seed collect "$(basename "$f")"
done
head -n 3 tests/prices/pcpartpicker-2017.csv | seed csv listing
printf '\357\273\277"a";"b"\r\n"x""y" ; 1,5 \r\r\n;\r\n' | seed csv bom
printf 'a,b\n"one\ntwo","x"\n\n  ,\n"" , "q" \n' | seed csv quotes
printf 'a\tb\n "x\ty"\t\n' | seed csv tabs
printf 'a,b\n"open' | seed csv unclosed
printf 'a,b\n"x"y,1\n' | seed csv behind
printf 'a,b\nx"y,1\n\377\n' | seed csv inside
for f in "$out"/csv/*; do
	{ printf '\037'; cat "$f"; } | seed csv_scan "$(basename "$f")"
done
row='machine,date,device,device_count,class,workload,precision,batch_size,metric,value,unit,repeat,source'
printf '%s\nm1,2024-05-06,RTX 2080 Ti,1,cnn,resnet50,fp16,64,throughput,300,images/s,1,s\nm1,2024-05-06,RTX 2080 Ti,2,,resnet50,fp16,64,throughput,590,images/s,1,s\nm2,2024-05-06,Titan Xp,1,,resnet50,fp32,64,time,210.5,ms,1,"=1+1"\n' "$row" | seed collect good
{
	printf '@@ in/lab/a.csv\n%s\nm1,2024-05-06,RTX 2070,1,,bert-base,fp16,8,throughput,88,sequences/s,1,s\n' "$row"
	printf '@@ in/lab/b.csv\n%s\nm1,2024-05-06,RTX 2070,1,,bert-base,fp16,8,throughput,88,sequences/s,1,s\nm9,,RTX 2O70,0,gan,bert,int9,-1,speed,1e999,ms,x,\n' "$row"
	printf '@@ in/claims/c.csv\n%s\nm3,2024-05-06,Tesla V100,1,,gemm-4096,fp16,1,tflops,100,tflops,1,s\n' "$row"
	printf '@@ overrides.csv\nfile,line,decision,who,why\nlab/b.csv,2,accept,us,seen\nlab/a.csv,2,out-of-memory,us,log\n'
} | seed collect several
printf 'value;unit;machine;device;workload;metric\n"1,5";images/s;m;gtx-1080;resnet50;throughput\n0;images/s;m;gtx-1080;resnet50;throughput\n' | seed collect semicolon

# --- numbers, days, names ---
i=0
for text in 0 -0.0 1 +1.5 .5 5. 1e-3 1,25 9007199254740993 18446744073709551616 1e23 1e-27 123456789012345678e-27 \
	2.2250738585072011e-308 4.9e-324 2.4703282292062327e-324 1.7976931348623159e308 1e999 0e99999999999999999999 \
	000000000000000000000000000000000000000.1 0.30000000000000004 1234567890.12345678901234567890 0x10 nan 1_000 '1 000'; do
	i=$((i + 1))
	printf '%s' "$text" | seed num $i
done
printf '\232\231\231\231\231\231\271\077' | seed num tenth
printf '\377\377\377\377\377\377\357\177' | seed num largest
i=0
for text in 1970-01-01 2026-11-30 2000-02-29 1900-02-29 2019-04-31 2199-12-31 2019-7-22 1899-12-31 2019/07/22; do
	i=$((i + 1))
	printf '%s' "$text" | seed date $i
done
i=0
for text in 'RTX 2080 Ti' rtx2080ti 'GeForce RTX 2070' 'Tesla V100' 'V100' 'RTX 2O80' 'Titan_XP' '' 'gtx-1080'; do
	i=$((i + 1))
	printf '%s' "$text" | seed device $i
done
cut -d , -f 1 data/aliases.csv | sed -n '5~100p' | head -n 8 | seed device aliases

# --- the catalogue's tables ---
for name in claims vendors vendor_texts workloads series overrides estimates multi_gpu aliases; do
	part $name.csv 4 data/$name.csv | seed table $name
done
{ part devices.csv 3 data/devices.csv; part aliases.csv 1 data/aliases.csv; } | seed table devices
for name in fx_to_usd electricity host_parts host_systems; do
	part system/$name.csv 4 data/system/$name.csv | seed table $name
done
printf '@@ prices/shop.csv\ndate,device,market,condition,currency,price,quantity,stat,n,source\n2019-05-29,RTX 2070,amazon,new,USD,499.00,unit,,,x\n2019-05-30,RTX 2070,ebay,used,EUR,399,unit,min,5,x\n2019-05-30,RTX 2060,cloud:gcp:t4,spot,USD,0.11,hour,,,n=16 stat=min\n' | seed table prices
printf '@@ price_accepted.csv\ndate,device,market,condition,price_usd,by,why\n2019-05-29,RTX 2070,amazon,new,499,us,seen\n' | seed table accepted
printf '@@ accepted.csv\nsha256,series,file,source,origin,date,bytes\n%064d,lab,a.csv,git,x/a.csv,2024-01-01,10\n' 0 | seed table ledger
printf '@@ removed.csv\nfolder,id,date,title\n2024-01-01,2024-01-01-0123456789ab,2024-01-01,T\n' | seed table removed
printf '@@ data/inputs.csv\npath,sha256,bytes\ndata/devices.csv,%064d,12\n' 0 | seed table inputs

# --- editions, personas, networks, messages, sources ---
for f in editions/*.ini tests/e2e/three/editions/*.ini; do
	sed -e 's/^reference.*/reference = RTX 2080 Ti/' -e '/^anchors/d' -e 's/^list.*/list = RTX 2070, GTX 1080 Ti/' -e '/^[0-9] =/d' "$f" |
		seed edition "$(basename "$f")"
done
printf '[edition]\ntitle = T\ndate = 2019-05-31\n[benchmarks]\nclasses = cnn, llm\nprecision.cnn = fp16\nreference = RTX 2080 Ti\n[scaling.cnn]\nspecs = bandwidth_gbs\n[prices]\nmarkets = amazon, ebay\n' | seed edition least
head -n 40 data/personas.ini | seed persona shipped
printf '[p]\ntitle = T\nasks = A?\nobjective = value\nweight.cnn = 1\nbudget_usd.2018 = 500\ngpus = 2\ncooling = adjacent\nlens = system+power\ncondition = used\nhost = server\nexcept.RTX 2070 = hot\nowns = Titan Xp\ngain = 1.5\nguide.2019 = RTX 2070, Colab\nguide.2019.why = W.\n[cooling]\nblower.RTX 2070 = somewhere\n[avoid.2019]\nonly_if.RTX 2060 = {memory} GB will do\n[upgrade]\nowned = GTX 1080\nkeep_below = 1.3\nupgrade_from = 2\ndear_below = 0.3\n' | seed persona all
for f in data/networks/resnet-50.ini data/networks/gpt-2.ini data/networks/char-bilstm.ini data/networks/guide-2016.ini \
	data/networks/transformer-xl-base.ini data/networks/llama-7b.ini; do
	seed network "$(basename "$f")" <"$f"
done
for tag in en zh-Hans; do
	{
		head -n 60 templates/text.$tag.ini
		printf '%%%%\n["gate.power",{"w":{"n":"250"}}]'
	} | seed text $tag
done
printf '[gate]\npower = {w} W\n%%%%\n{"l":["a",["gate.power",{"w":{"d":"2025-06-30"}}],{"t":"more than {gb} GB","with":{"gb":{"n":"1,049"}}}],"by":"semicolon"}' | seed text list
seed source sources <data/sources.ini
seed source prices <data/price_sources.ini
seed source publish <doc/publish.ini
printf '[a]\ntype = git\nseries = lab\nurl = https://example.org/x.git\nbranch = main\nsubfolder = a/b\nfiles = *.csv\n[b]\ntype = ssh\nseries = lab\nurl = ssh://u@h:22/p\nssh_key = k\nknown_hosts = h\n[c]\ntype = rsync\nseries = s\nurl = rsync://h/m/\nmax_files = 5\n[d]\ntype = folder\nseries = s\npath = drop\n' | seed source fetch
printf '[shop]\nurl = https://example.org/x.csv\nmap = m\nmarket = amazon\nmax_mb = 3\ntimeout_s = 9\nkeep_raw = no\n[two]\ncommand = tools/get.sh -a b\nmap = m.ini\ndate = from-file\n' | seed source shops
printf '[publish]\nedition = current\nout = /srv/x\ntitle = T\nbase_url = https://example.org/g/\nkeep_days = 400\nkeep = 2023-05-30, 2024-01-31\n[sign]\ntool = ssh\nkey = k\n' | seed source ini

# --- listings by their maps: the small catalogue of the tests ---
for pair in pcpartpicker:pcpartpicker-2017.csv pcpartpicker:pcpartpicker-2019.csv dawnbench:dawnbench.csv \
	ebay-averages:ebay-averages.csv fsdl-cloud:fsdl-cloud.csv skypilot:skypilot-gcp.csv; do
	{
		sed -e '/^\[devices\]/,/^$/d' -e '/^\[notes\]/,/^$/d' -e '/^;/d' "data/price_maps/${pair%%:*}.ini"
		echo '%%'
		head -n 4 "tests/prices/${pair##*:}"
	} | seed price_import "${pair##*:}"
done
{
	sed -e '/^\[devices\]/,/^$/d' -e '/^\[notes\]/,/^$/d' -e '/^;/d' data/price_maps/cloud-gpus.ini
	echo '%%'
	head -n 14 tests/prices/cloud-gpus.json | sed '$s/,$//'
	printf '}]}\n'
} | seed price_import cloud.json
printf '[columns]\nname = card\nmemory_gb = memory\ncount = cards\nn = sales\ndate = day\ncondition = state\n[values]\ncurrency = EUR\ndecimal = ,\nthousands = .\nlist = each\nsymbols = $ | /hr\nsentinel = -1\nscope = retail\n[prices]\nlisted = price | old\n[conditions]\ngebraucht = used\n[devices]\n1080 x2 = GTX 1080 / 2\n[skip]\nbroken = state is defekt || price above 900\n[rows]\nmarket = shop:{slug @name}\nstatistics = min | median | mean\n%%%%\ncard;memory;cards;sales;day;state;price;old\nGTX 1080;8 GB;1;3;2020-01-02;gebraucht;"[1.249,99, 264,99]";\n1080 x2;8192 MiB;2;x;2020-1-2;defekt;$ 1/hr;7\n' | seed price_import all
printf '[{"card":"GTX 1080","price":2.5},{"card":"RX 580","price":"3","x":null},{"price":[1,2],"card":true}]' | seed price_import json

# --- drawings ---
printf '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 100 50">\n<title>Gnuplot</title><defs><circle id="p5" r="1"/><use xlink:href="#p5" id="p6"/><pattern id="h" patternUnits="userSpaceOnUse" x="0" y="0" width="8" height="8"><path style="fill:none; stroke:rgb(0,114,178)" d="M0,0 L8,8"/></pattern></defs>\n<g fill="none" color="black" stroke="currentColor" stroke-width="1.00"><path stroke="rgb( 26,  26,  26)" d="M0,0 L1.5,-2e1 h3 v4 z" stroke-dasharray="2,3"/><use xlink:href="#p6" transform="translate(3,4) scale(2)"/></g>\n<rect x="1" y="2" width="3" height="4" fill="url(#h)"/><polygon fill="#0072b2" points="1,2 3,4 5,6"/>\n<g transform="translate(10,20) rotate(-90)" font-family="Liberation Sans:Bold" font-size="12"><text text-anchor="middle">a &lt; b<tspan dy="2">2</tspan></text></g></svg>\n' | seed svg all
printf "<svg viewBox='0 0 8 4'><path style='fill:none; stroke:rgb(1,2,3)' d='M1,1 l2,2 H3 V4 Z'/><text xml:space='preserve'> x </text></svg>" | seed svg small
printf "<?xml version='1.0'?><!DOCTYPE svg [<!ENTITY a 'b'>]><svg viewBox='0 0 8 4'><text>&a;</text></svg>" | seed svg entity

# --- editions from anywhere ---
sum=$(printf '%064d' 0)
{
	printf '@@ MANIFEST\n%s  12  BUILDINFO\n%s  -  input:data/devices.csv\n' "$sum" "$sum"
	printf '@@ BUILDINFO\nprogram = gpuguide 0.1.0\nedition = current\ndate = 2024-01-01\nsource_date_epoch = none\ngnuplot = gnuplot 5.4\n'
	printf '@@ data/inputs.csv\npath,sha256,bytes\ndata/devices.csv,%s,12\n' "$sum"
	printf '@@ inputs/data/devices.csv\nx\n'
} | seed seal edition
{ printf '@@ summary.json\n'; cat tests/render/three/summary.json; } | seed seal summary
for file in edition scores prices values price_conditions systems; do
	part "data/$file.csv" 5 "tests/render/three/data/$file.csv"
done | sed -e 's/Alpha/RTX 2070/g' -e 's/Beta/RTX 2080 Ti/g' -e 's/Gamma/GTX 1080/g' | seed readback three

# --- packed records: whole numbers are doubled, a text has its length in front ---
printf '\000\054\001\002\002\005\003\000\000\000\000\000\000\131\100\004\006abc' | seed pack kinds

{ printf '\014'; head -c 1000 /dev/zero; } | seed performance zeros # six scores and two classes, all empty

# --- packed contributions: the kind, then the file; an archive of two, and one that leads upwards ---
work=$out/work
mkdir -p "$work/lab"
head -n 3 data/contributions/cgnorthcutt/cgn-2080Ti-blower.csv >"$work/lab/a.csv"
printf 'x,y\n1,2\n' >"$work/lab/b.csv"
(cd "$work" && tar --format=ustar --owner=0 --group=0 --numeric-owner --mtime=@0 --sort=name -cf two.tar lab/a.csv lab/b.csv)
(cd "$work/lab" && tar --format=pax --owner=0 --group=0 --numeric-owner --mtime=@0 --pax-option=delete=?time -P -cf ../up.tar ../lab/b.csv)
{ printf '\000'; cat "$work/lab/b.csv"; } | seed unpack csv
{ printf '\001'; gzip -nc "$work/lab/a.csv"; } | seed unpack csv.gz
{ printf '\013'; cat "$work/two.tar"; } | seed unpack tar
{ printf '\013'; cat "$work/up.tar"; } | seed unpack up
{ printf '\004'; gzip -nc "$work/two.tar"; } | seed unpack tar.gz
if command -v zstd >/dev/null; then
	{ printf '\002'; zstd -qc "$work/lab/a.csv"; } | seed unpack csv.zst
	{ printf '\005'; zstd -qc "$work/two.tar"; } | seed unpack tar.zst
fi
rm -r "$work"

# --- signatures, as the bytes in their armour, and who may sign ---
key=AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl
{
	printf 'BSSHSIG\000\000\000\001\000\000\000\063'
	echo $key | base64 -d
	printf '\000\000\000\031gpuguide-contribution/lab\000\000\000\000\000\000\000\006sha512'
	printf '\000\000\000\123\000\000\000\013ssh-ed25519\000\000\000\100%064d\n%%%%\n' 0
	printf 'alice namespaces="gpuguide-contribution/*,!x?y",valid-after="20250101",valid-before="202612310000Z" ssh-ed25519 %s c\n' $key
	printf '# nobody\n\nalice ssh-ed25519 %s\n' $key
} | seed sshsig bytes
{
	printf '%s\n' '-----BEGIN SSH SIGNATURE-----'
	printf 'SSHSIG\000\000\000\001\000\000\000\000' | base64
	printf '%s\n' '-----END SSH SIGNATURE-----'
} | seed sshsig text

# --- texts that somebody may take for markup ---
i=0
for text in '=1+1' "'=x" '-1' '@a' '<script>&"'\''`' 'javascript:alert(1)' 'https://a.b/c?d=e#f' '//host' '#id' 'a/../b' 'u@h:p' \
	'ssh://u@h:22/p' '../../etc/passwd.csv' 'a,b;c	d' ' blank ' '--option' '显卡 🙂'; do
	i=$((i + 1))
	printf '%s' "$text" | seed escape $i
done
printf 'a\000b\r\n\033[31m\342\200\256x\177\377\300\200\355\240\200\360\237\231\202' | seed escape bytes
printf '\000\000\000\000\000\000\000\000\000' | seed parsed nothing
printf '\002\000\000\002\002m\010fp32\002q\002x\002\004\000\000\000\000\000\000\000\131\100\000\002\002\002\000\002u\002\000\000\000\000' | seed parsed one
