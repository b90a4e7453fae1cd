#!/bin/sh
# The pages in a real browser: Nu HTML checker, axe-core, and sorting, filtering and prices by hand.
#   tests/web/run.sh BUILD [PART...]     parts: plain use access nu (all of them)
# Node packages stay outside the repository: NODE_PATH names the folder that has them. Without them, or
# without node, java or a browser, it says what to install and ends well.
set -eu
build=$1
shift
: "${CHROMIUM:=$(command -v chromium || command -v chromium-browser || command -v google-chrome || true)}"
export CHROMIUM NODE_PATH="${NODE_PATH-}"

missing=
for program in node java; do
	command -v "$program" >/dev/null 2>&1 || missing="$missing $program"
done
[ -n "$CHROMIUM" ] || missing="$missing chromium"
for package in playwright-core axe-core vnu-jar; do
	command -v node >/dev/null 2>&1 &&
		node -e "require.resolve('$package/package.json')" >/dev/null 2>&1 ||
		missing="$missing $package"
done
if [ -n "$missing" ]; then
	echo "check-web: skipped, not found:$missing"
	echo '  Debian:  apt-get install nodejs npm default-jre-headless chromium'
	echo '  npm:     mkdir -p ~/gpuguide-web && npm install --prefix ~/gpuguide-web playwright-core axe-core vnu-jar'
	echo '  then:    make check-web NODE_PATH=~/gpuguide-web/node_modules'
	exit 0
fi

out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT INT TERM
bad=0
# The current edition, and the smallest, where figures are bars and much is missing.
for edition in current guide-2019-04; do
	"$build/gpuguide" report "$edition" -q -o "$out/$edition" >"$out/log" 2>&1 || { cat "$out/log"; exit 1; }
	for dir in "$out/$edition"/2*; do
		echo "# $edition"
		node tests/web/all.js "$dir" "$@" || bad=1
	done
done
# The page of all editions, of two months.
if [ $# -eq 0 ]; then
	echo '# archive'
	for date in 2023-04-30 2023-05-16 2023-05-20; do
		"$build/gpuguide" publish -q --date $date -o "$out/site" >"$out/log" 2>&1 || { cat "$out/log"; exit 1; }
	done
	node tests/web/archive.js "$out/site" || bad=1
fi
exit $bad
