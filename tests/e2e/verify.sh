# An edition is held to its MANIFEST and made anew: what is damaged, forged or signed by whom is named, nothing is left behind.

mkdir -p "$work/verify/tmp"

# verify DIR [OPTION...]: with a folder of its own for what it writes, which must be empty afterwards.
verify() {
	(
		cd "$work/verify" || exit 9
		unset SOURCE_DATE_EPOCH
		LC_ALL=C.UTF-8 TZ=Asia/Tokyo TMPDIR="$work/verify/tmp" "$program" verify "$@" >"$work/out" 2>"$work/err" </dev/null
	)
	status=$?
}

# said WANT 'name' [text...]: the last verify ended with that status and each text stands on standard output or error.
said() {
	want=$1 name=$2
	shift 2
	cat "$work/out" "$work/err" >"$work/said"
	mv "$work/said" "$work/err"
	ended "$want" "$name" "$@"
	[ -z "$(ls -A "$work/verify/tmp")" ] || { check 1 "$name: nothing is left behind"; rm -rf "$work/verify/tmp"; mkdir "$work/verify/tmp"; }
}

# A fresh copy of the edition to spoil; it is in $d.
fresh() {
	rm -rf "$work/verify/d"
	cp -R "$edition" "$work/verify/d"
	chmod -R u+w "$work/verify/d"
	d=$work/verify/d
}

# relist FILE: the line of MANIFEST for it as a forger would write it. inputs/x is listed as input:x.
relist() {
	case $1 in inputs/*) listed=input:${1#inputs/} ;; *) listed=$1 ;; esac
	sum=$(sha256sum <"$d/$1" | cut -d ' ' -f 1) size=$(wc -c <"$d/$1" | tr -d ' ')
	sed -i "s,^[0-9a-f]*  [0-9-]*  $listed\$,$sum  $size  $listed," "$d/MANIFEST"
}

# The id that MANIFEST has now, into every file that says it, and those into MANIFEST: a careful forger.
reidentify() {
	old=$(sed -n 's/^version: "\(.*\)"/\1/p' "$d/CITATION.cff")
	new=2019-06-30-$(grep -E '^[0-9a-f]*  [0-9-]*  (input:|data/)' "$d/MANIFEST" | sha256sum | cut -c 1-12)
	for stated in CITATION.cff citation.bib report.json summary.json; do
		sed -i "s/$old/$new/g" "$d/$stated"
		relist $stated
	done
}

flip() {
	at=$2
	byte=$(od -An -tu1 -j "$at" -N 1 "$1")
	printf "\\$(printf %03o $((byte ^ 1)))" | dd of="$1" bs=1 seek="$at" conv=notrunc 2>/dev/null
}

verify_sound() {
	verify "$edition"
	said 0 'verify: identical' 'identical: ' 'signature  none' "$id" 'made by    gpuguide '
	cp -R "$edition" "$work/verify/a copy"
	chmod -R a-w "$work/verify/a copy"
	find "$work/verify/a copy" | sort | xargs -d '\n' stat -c '%n %Y %s' >"$work/before"
	verify "a copy/" -v
	said 0 'verify: a read-only copy under another path' 'identical: ' 'verified'
	find "$work/verify/a copy" | sort | xargs -d '\n' stat -c '%n %Y %s' | cmp -s - "$work/before"
	check $? 'verify: nothing in the folder is touched'
	ln -s "$edition" "$work/verify/latest"
	verify latest --quick
	said 0 'verify: by the link latest, only the checksums' 'not asked (--quick)' 'verified'
	verify "$edition" -q
	[ "$status" -eq 0 ] && [ ! -s "$work/out" ]
	check $? 'verify: --quiet says nothing when all is well'
	verify "$edition" --format json
	grep -q '"verified": true' "$work/out" && grep -q '"status": "identical"' "$work/out" && grep -q '"gnuplot": "gnuplot ' "$work/out"
	check $? 'verify: as JSON'
	verify "$edition" --format csv
	[ "$(head -n 1 "$work/out")" = check,file,status,detail ] && grep -q '^rebuild,,identical,' "$work/out"
	check $? 'verify: as CSV'
	verify "$first" --quick
	said 0 'verify: an edition without a predecessor' 'verified'
	verify "$work/nowhere"
	said 2 'verify: no such folder' 'nowhere: No such file'
	verify "$work/verify"
	said 1 'verify: no edition' 'it has no MANIFEST'
	verify "$edition" "$edition"
	said 2 'verify: two folders' 'one argument too many'
	verify "$edition" --quick --date 2019-01-01
	said 2 'verify: an option that it does not have' 'unknown option'
}

# One bit of every file, one after the other: each is named, and nothing else.
verify_flips() {
	fresh
	flips=0 found=0
	(cd "$d" && find . -type f ! -name MANIFEST | sed 's/^..//' | sort) >"$work/files"
	while read -r file; do
		size=$(wc -c <"$d/$file") flips=$((flips + 1))
		[ "$size" -gt 0 ] || { found=$((found + 1)); continue; }
		at=$((flips * 7919 % size))
		flip "$d/$file" $at
		verify "$d" --quick
		if [ "$status" -eq 1 ] && grep -q "^  changed  *$file: " "$work/out" && [ "$(grep -c '^  [a-z]' "$work/out")" -eq 1 ]; then
			found=$((found + 1))
		else
			echo "# $file at $at: exit $status"
		fi
		flip "$d/$file" $at
	done <"$work/files"
	[ "$found" -eq "$flips" ] && [ "$flips" -gt 60 ]
	check $? "verify: one bit flipped in a file, and the file is named ($found of $flips files)"
	size=$(wc -c <"$d/MANIFEST") flips=0 found=0 at=0
	while [ $at -lt "$size" ]; do
		flip "$d/MANIFEST" $at
		verify "$d" --quick
		[ "$status" -eq 1 ] && found=$((found + 1)) || echo "# MANIFEST at $at: exit $status"
		flip "$d/MANIFEST" $at
		flips=$((flips + 1)) at=$((at + size / 60))
	done
	[ "$found" -eq "$flips" ] && [ "$flips" -ge 60 ]
	check $? "verify: one bit flipped in MANIFEST ($found of $flips)"
	verify "$d" --quick
	said 0 'verify: flipped back' 'verified'
}

verify_damage() {
	fresh
	rm "$d/data/scores.csv"
	verify "$d" --quick
	said 1 'verify: a file is missing' '  missing         data/scores.csv'
	fresh
	echo x >"$d/data/more.csv"
	mkdir "$d/.git" && echo x >"$d/.git/config"
	echo x >"$d/inputs/data/contributions/lab/d.csv"
	verify "$d"
	said 1 'verify: files too many, hidden ones and inputs too; the rebuild does not see them' '  unlisted        data/more.csv' \
		'  unlisted        .git/config' '  unlisted        inputs/data/contributions/lab/d.csv' 'identical: ' 'NOT verified'
	fresh
	mv "$d/index.html" "$work/verify/elsewhere.html"
	ln -s ../elsewhere.html "$d/index.html"
	mv "$d/inputs/data/devices.csv" "$work/verify/devices.csv"
	ln -s ../../../devices.csv "$d/inputs/data/devices.csv"
	verify "$d"
	said 1 'verify: links in place of files, with the same words behind them' 'index.html: a symbolic link' 'inputs/data/devices.csv: a symbolic link' \
		'not possible: not all inputs'
	fresh
	mv "$d/inputs/data" "$work/verify/data"
	ln -s ../../data "$d/inputs/data"
	verify "$d" --quick
	said 1 'verify: a link in place of a folder' '  missing         inputs/data/devices.csv' '  unlisted        inputs/data'
	fresh
	rm "$d/citation.bib" && mkfifo "$d/citation.bib"
	verify "$d" --quick
	said 1 'verify: a FIFO is not waited for' 'citation.bib: a device, socket or FIFO'
	fresh
	printf 'a\033[2J\n' >"$d/$(printf 'data/\033[31mred')"
	verify "$d" --quick
	said 1 'verify: a name that a terminal would obey' 'data/?[31mred'
	fresh
	rm -r "$d/inputs" "$d/BUILDINFO"
	sed -i '/  BUILDINFO$/d' "$d/MANIFEST"
	verify "$d"
	said 1 'verify: an edition that keeps no inputs' 'inputs/ is not there; an older program kept none' 'its inputs are not here' 'NOT verified'
	verify "$d" --quick
	said 0 'verify: its checksums are right all the same' 'verified'
	fresh
	rm "$d/BUILDINFO"
	sed -i '/  BUILDINFO$/d' "$d/MANIFEST"
	verify "$d"
	said 1 'verify: an edition without BUILDINFO' 'there is no BUILDINFO that says'
}

# Whoever changes a file can mend MANIFEST too; then the rebuild finds it.
verify_forged() {
	fresh
	sed -i '2s/1/2/' "$d/data/scores.csv"
	relist data/scores.csv
	verify "$d" --quick
	said 1 'verify: a forged score, the id gives it away' 'contradicts     CITATION.cff: it says the id 2019-06-30-' 'contradicts     summary.json'
	reidentify
	verify "$d" --quick
	said 0 'verify: forged carefully, the checksums are right' 'verified'
	verify "$d"
	said 1 'verify: forged carefully, the rebuild names it' 'different: ' '  differs         data/scores.csv: first at byte ' ', line 2, of '
	fresh
	sed -i 's/>Three cards by hand</>Three cards by mind</' "$d/index.html"
	relist index.html
	verify "$d"
	said 1 'verify: a forged page, data identical' 'data identical, 1 of ' '  differs         index.html: first at byte '
	fresh
	sed -i 's/1000.00/1900.00/' "$d/inputs/data/prices/2019-05-20.csv"
	relist inputs/data/prices/2019-05-20.csv
	verify "$d" --quick
	said 1 'verify: a forged input, inputs.csv gives it away' 'contradicts     data/inputs.csv: '
	sum=$(sha256sum <"$d/inputs/data/prices/2019-05-20.csv" | cut -d ' ' -f 1)
	sed -i "s,^\(data/prices/2019-05-20.csv\)\,[0-9a-f]*\,,\1\,$sum\,," "$d/data/inputs.csv"
	relist data/inputs.csv
	reidentify
	verify "$d" --quick
	said 0 'verify: a forged input, all lists mended' 'verified'
	verify "$d"
	said 1 'verify: a forged input, the rebuild has other prices' 'different: ' '  differs         data/price_history.csv: '
	fresh
	echo x >"$d/data/more.csv"
	printf '%s  2  data/more.csv\n' "$(echo x | sha256sum | cut -d ' ' -f 1)" >>"$d/MANIFEST"
	sort -k 3 -o "$d/MANIFEST" "$d/MANIFEST"
	reidentify
	verify "$d"
	said 1 'verify: a listed file that nobody made' '  only-in-edition data/more.csv'
	fresh
	rm "$d/data/picks.csv"
	sed -i '/  data\/picks.csv$/d' "$d/MANIFEST"
	reidentify
	verify "$d"
	said 1 'verify: a file that was taken out with its line' '  only-in-rebuild data/picks.csv'
	fresh
	sed -i 's/^libharu = .*/libharu = 9.9.9/' "$d/BUILDINFO"
	relist BUILDINFO
	verify "$d"
	said 0 'verify: made with other tools, and identical' 'identical: ' '(made with libharu: 9.9.9, here '
	fresh
	sed -i 's/^edition = .*/edition = ..\/..\/x/' "$d/BUILDINFO"
	relist BUILDINFO
	verify "$d"
	said 1 'verify: a BUILDINFO that names another file' 'failed: edition: expected the name of a file'
	fresh
	sed -i 's/Card B,amazon,new,USD,1000.00/Card B,amazon,new,USD,1000.00x/' "$d/inputs/data/prices/2019-05-20.csv"
	sed -i 's/^reference = Card A/reference = Card Z/' "$d/inputs/editions/three.ini"
	relist inputs/data/prices/2019-05-20.csv
	relist inputs/editions/three.ini
	verify "$d"
	said 1 'verify: inputs that no edition can be made of' 'failed: inputs/editions/three.ini:' "'Card Z'"
}

# What is run is what the caller names; what the edition's texts say is only text.
verify_tools() {
	real=$(command -v gnuplot)
	printf '#!/bin/sh\n[ "$1" = --version ] && { echo gnuplot 9.9 patchlevel 9; exit 0; }\nexec %s "$@"\n' "$real" >"$work/verify/newer"
	sed "s|^exec.*|$real \"\$@\" \&\& sed -i 's/\\\\(stroke-width=.1.\\\\)00/\\\\101/' *.svg|" "$work/verify/newer" >"$work/verify/rounder"
	chmod +x "$work/verify/newer" "$work/verify/rounder"
	verify "$edition" -g "$work/verify/newer"
	said 0 'verify: a newer gnuplot that draws the same' 'identical: ' 'made with gnuplot: gnuplot ' 'here gnuplot 9.9 patchlevel 9'
	verify "$edition" -g ./rounder
	said 1 'verify: another gnuplot, other drawings' 'data identical, ' 'all of them pages and drawings' 'made with gnuplot: gnuplot ' '  differs         figures/' \
		'  differs         index.html: first at byte '
	verify "$edition" -g /nonexistent/gnuplot
	said 2 'verify: no gnuplot' 'cannot be made anew here: /nonexistent/gnuplot: not found'
	fresh
	evil='`touch '$work'/verify/ran`$(touch '$work'/verify/ran)"; system("touch '$work'/verify/ran"); set term x'
	awk -v evil="$evil" '/^[a-z_.]+ = / { print $0 " " evil; next } { print }' "$d/inputs/templates/text.en.ini" >"$work/evil.ini"
	cp "$work/evil.ini" "$d/inputs/templates/text.en.ini"
	sed -i "s|^title = .*|title = $evil|" "$d/inputs/editions/three.ini"
	relist inputs/templates/text.en.ini
	relist inputs/editions/three.ini
	verify "$d"
	[ "$status" -eq 1 ] && [ ! -e "$work/verify/ran" ]
	check $? 'verify: texts of an edition that look like commands run nothing'
	TMPDIR=/nonexistent "$program" verify "$edition" >"$work/out" 2>"$work/err"
	status=$?
	ended 2 'verify: no place for temporary files' '/nonexistent/gpuguide-verify-'
}

# Stopped at any moment it leaves nothing behind.
verify_stopped() {
	stopped=0 dirty=0
	for pause in 0.02 0.05 0.1 0.15 0.2 0.3 0.4 0.5; do
		TMPDIR="$work/verify/tmp" "$program" verify "$edition" >/dev/null 2>&1 &
		pid=$!
		sleep $pause
		kill -TERM $pid 2>/dev/null
		wait $pid 2>/dev/null
		[ $? -eq 143 ] && stopped=$((stopped + 1))
		[ -z "$(ls -A "$work/verify/tmp")" ] || dirty=$((dirty + 1))
		rm -rf "$work/verify/tmp"
		mkdir "$work/verify/tmp"
	done
	[ "$dirty" -eq 0 ] && [ "$stopped" -gt 0 ]
	check $? "verify: stopped by a signal ($stopped of 8 runs), nothing is left behind"
}

verify_ssh() {
	have ssh-keygen || return 0
	for key in publisher stranger; do
		ssh-keygen -q -t ed25519 -N '' -C $key -f "$work/verify/$key" || return 0
	done
	echo "publisher@example.org,deputy@example.org namespaces=\"gpuguide-edition\" $(cat "$work/verify/publisher.pub")" >"$work/verify/allowed"
	echo "stranger@example.org $(cat "$work/verify/stranger.pub")" >"$work/verify/others"
	echo "publisher@example.org namespaces=\"git\" $(cat "$work/verify/publisher.pub")" >"$work/verify/git"
	fresh
	ssh-keygen -q -Y sign -n gpuguide-edition -f "$work/verify/publisher" "$d/MANIFEST" 2>"$work/err"
	cp "$d/MANIFEST.sig" "$work/verify/good.sig"
	verify "$d" --quick --signers allowed
	said 0 'signature: good' 'signature  good: publisher@example.org (ED25519 key SHA256:'
	verify "$d" --quick
	said 0 'signature: of a key that nobody vouched for' 'signed with ED25519 key SHA256:' 'which nobody vouched for'
	verify "$d" --quick --signers others
	said 1 'signature: of none of the signers' 'BAD: signed with ED25519 key SHA256:' 'not among the signers of others'
	verify "$d" --quick --signers git
	said 1 'signature: the signer is allowed something else' 'not among the signers of git for an edition'
	verify "$d" --quick --signers nowhere
	said 2 'signature: no such file of signers' 'nowhere: No such file'
	PATH=/nonexistent verify "$d" --quick --signers allowed
	said 2 'signature: no ssh-keygen, and signers asked' 'ssh-keygen: not found' 'openssh-client'
	PATH=/nonexistent verify "$d" --quick
	said 0 'signature: no ssh-keygen, and nobody asked' 'not checked: ssh-keygen: not found'
	rm "$d/MANIFEST.sig"
	ssh-keygen -q -Y sign -n git -f "$work/verify/publisher" "$d/MANIFEST" 2>"$work/err"
	verify "$d" --quick
	said 1 'signature: made for something else' 'BAD: not a signature of this MANIFEST: ' 'namespace does not match'
	echo nonsense >"$d/MANIFEST.sig"
	verify "$d" --quick
	said 1 'signature: nonsense' 'BAD: not a signature of this MANIFEST'
	rm "$d/MANIFEST.sig"
	verify "$d" --quick --signers allowed
	said 1 'signature: asked for, but there is none' 'signature  none' 'NOT verified'
	ln -s ../good.sig "$d/MANIFEST.sig"
	verify "$d" --quick
	said 1 'signature: a link' '  not-a-file      MANIFEST.sig'
	fresh
	sed -i 's/hand/mind/' "$d/index.html"
	relist index.html
	cp "$work/verify/good.sig" "$d/MANIFEST.sig"
	verify "$d" --quick --signers allowed
	said 1 'signature: of the edition before it was changed' 'BAD: not a signature of this MANIFEST: ' 'incorrect signature'
}

verify_minisign() {
	have minisign || return 0
	for key in publisher stranger; do
		minisign -G -W -p "$work/verify/$key.mini" -s "$work/verify/$key.key" >/dev/null 2>&1 || return 0
	done
	fresh
	minisign -S -s "$work/verify/publisher.key" -m "$d/MANIFEST" -t gpuguide-edition >/dev/null
	verify "$d" --quick --signers publisher.mini
	said 0 'minisign: good' 'signature  good: minisign key RW'
	verify "$d" --quick
	said 0 'minisign: no key given' 'not checked: minisign checks only against a key'
	verify "$d" --quick --signers stranger.mini
	said 1 'minisign: another key' 'BAD: not a signature of this MANIFEST by the key of stranger.mini'
	echo >>"$d/CITATION.cff"
	relist CITATION.cff
	verify "$d" --quick --signers publisher.mini
	said 1 'minisign: of the edition before it was changed' 'BAD: not a signature'
	minisign -S -s "$work/verify/publisher.key" -m "$d/MANIFEST" -t 'a release of something' >/dev/null
	verify "$d" --quick --signers publisher.mini
	said 1 'minisign: made for something else' 'BAD: made for something else'
}

root=$(small_root verify-root)
gpuguide report three --root "$root" --out "$work/verify/out"
gpuguide report three --root "$root" --out "$work/verify/out" --date 2019-06-30
ended 0 'verify: two editions are made'
first=$work/verify/out/2019-05-31 edition=$work/verify/out/2019-06-30
[ -d "$edition" ] || return 0
id=$(sed -n 's/^version: "\(.*\)"/\1/p' "$edition/CITATION.cff")
verify_sound
verify_flips
verify_damage
verify_forged
verify_tools
verify_stopped
verify_ssh
verify_minisign
