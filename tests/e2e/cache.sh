# The cache of publish changes no byte, whatever is done to it: two publishers have the same nights, one keeps its cache,
# the other loses it every night.

cache_root=$(small_root cache)
cache_night=0

# The editions of two publishers; not what differs by right: caches, logs with times, locks.
cache_same() {
	diff -r -x .cache -x .lock -x 'publish.*' "$1" "$2" >"$work/diff" 2>&1
	same=$?
	[ "$(find "$1" -name MANIFEST | wc -l)" -eq "${3:-$cache_night}" ] || same=1
	head -n 5 "$work/diff" | cut -c 1-200 | sed 's/^/# /'
	return $same
}

# cache_publish 'name': a night for both.
cache_publish() {
	cache_night=$((cache_night + 1))
	rm -rf "$work/cold/.cache"
	gpuguide publish three --root "$cache_root" --out "$work/cold"
	cold=$status
	gpuguide publish three --root "$cache_root" --out "$work/warm"
	[ "$cold" -eq 0 ] && [ "$status" -eq 0 ] && cache_same "$work/warm" "$work/cold"
	check $? "cache: $1"
	[ "$status" -eq 0 ] || tail -n 3 "$work/err" | sed 's/^/# said: /'
}

# Another price each time, so that there is something to do.
cache_price() {
	sed -i "s/^\(2019-05-20,[^,]*,amazon,new,USD,\)[0-9.]*/\1$((500 + cache_night)).00/" "$cache_root/data/prices/2019-05-20.csv"
}

cache_entries() {
	find "$1/" -type f -name '????????????????????????????????????????????????????????????????'
}

# What three's price file looks like decides nothing but that it changes.
cache_nights() {
	cache_publish 'the first night'
	cache_price
	cache_publish 'a new price'
	sed 's/^m[^,]*,/m-new,/' "$cache_root"/data/contributions/lab/a.csv >"$cache_root/data/contributions/lab/d.csv"
	cache_publish 'a new contribution'
	printf 'not,a,contribution\n1,2\n' >"$cache_root/data/contributions/lab/e.csv"
	cache_publish 'a contribution that is refused'
	rm "$cache_root/data/contributions/lab/e.csv"
	sed -i '2s/$/ /' "$cache_root/data/series.csv"
	cache_publish 'a changed catalogue'
	sed -i 's/^title = .*/title = Another title/' "$cache_root/editions/three.ini"
	cache_publish 'a changed edition'
}

cache_damage() {
	cache_price
	cache_entries "$work/warm/.cache" | while read -r entry; do
		printf '!' | dd of="$entry" bs=1 seek=$(($(wc -c <"$entry") / 2)) conv=notrunc 2>/dev/null
	done
	cache_publish 'a byte changed in every entry'
	cache_price
	cache_entries "$work/warm/.cache" | while read -r entry; do truncate -s 40 "$entry"; done
	cache_publish 'every entry cut'
	cache_price
	cache_entries "$work/warm/.cache" | while read -r entry; do : >"$entry"; done
	cache_publish 'every entry empty'
	cache_price
	cache_entries "$work/warm/.cache" | awk 'NR % 2' | xargs rm
	cache_publish 'every second entry removed'
	cache_price
	first=
	cache_entries "$work/warm/.cache" | while read -r entry; do
		[ -z "$first" ] || cp "$first" "$entry"
		first=$entry
	done
	cache_publish 'every entry replaced by another'
	cache_price
	rm -rf "$work/warm/.cache"
	cache_publish 'all of it removed'
}

cache_places() {
	cache_price
	rm -rf "$work/warm/.cache"
	echo 'a file' >"$work/warm/.cache"
	cache_publish 'a file in its place'
	[ "$(cat "$work/warm/.cache")" = 'a file' ]
	check $? 'cache: the file is left as it is'
	cache_price
	rm "$work/warm/.cache"
	ln -s /nonexistent/x "$work/warm/.cache"
	cache_publish 'a link to nowhere in its place'
	rm "$work/warm/.cache"
}

# Two publishers share one cache and work at the same time.
cache_shared() {
	mkdir -p "$work/one-out" "$work/two-out" "$work/shared-cache"
	ln -s "$work/shared-cache" "$work/one-out/.cache"
	ln -s "$work/shared-cache" "$work/two-out/.cache"
	for night in 1 2 3; do
		cache_price
		cache_night=$((cache_night + 1))
		"$program" publish three --quiet --root "$cache_root" --out "$work/one-out" >"$work/out1" 2>&1 </dev/null &
		first=$!
		gpuguide publish three --root "$cache_root" --out "$work/two-out"
		wait $first && [ "$status" -eq 0 ] && cache_same "$work/one-out" "$work/two-out" $night
		check $? "cache: two at once with one cache, night $night"
	done
}

# Another build of the program finds nothing of the first: here one whose build id was taken away, which goes by its bytes.
cache_builds() {
	command -v objcopy >"$work/null" && objcopy --remove-section=.note.gnu.build-id "$program" "$work/other-gpuguide" 2>"$work/null"
	if [ ! -x "$work/other-gpuguide" ]; then
		check 0 'cache: another build shares nothing # SKIP no objcopy'
		return
	fi
	gpuguide publish three --root "$cache_root" --out "$work/builds"
	before=$(cache_entries "$work/builds/.cache" | wc -l)
	"$work/other-gpuguide" publish three --quiet --root "$cache_root" --out "$work/builds" >"$work/out" 2>"$work/err" </dev/null
	after=$(cache_entries "$work/builds/.cache" | wc -l)
	[ "$before" -gt 4 ] && [ "$after" -eq $((2 * before)) ]
	check $? "cache: another build of the program shares nothing ($before entries, then $after)"
}

# The shipped data: a night with one more price file.
cache_shipped() {
	mkdir "$work/shipped-root"
	cp -R data editions templates "$work/shipped-root/"
	gpuguide publish --root "$work/shipped-root" --out "$work/ship-warm"
	cp -a "$work/ship-warm" "$work/ship-cold"
	rm -rf "$work/ship-cold/.cache"
	head -n 1 data/prices/2025-06-30.csv >"$work/shipped-root/data/prices/2025-07-02.csv"
	echo '2025-07-02,RTX 2070,amazon,new,USD,412.00,unit,,,test' >>"$work/shipped-root/data/prices/2025-07-02.csv"
	for out in ship-warm ship-cold; do
		gpuguide publish --root "$work/shipped-root" --out "$work/$out"
		ended 0 "cache: the shipped data and one more price, $out"
	done
	cache_same "$work/ship-warm" "$work/ship-cold" 2
	check $? "cache: every byte of the shipped edition is the same ($(find "$work/ship-warm/latest/" -type f | wc -l) files)"
}

cache_nights
cache_damage
cache_places
cache_shared
cache_builds
cache_shipped
