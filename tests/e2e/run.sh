#!/bin/sh
# The whole program from outside, as a publisher or a contributor meets it: hand-worked numbers, same bytes, the shipped data,
# what moved between editions, properties, bad contributions, a bad environment, a bad catalogue, slips in an edition.   sh tests/e2e/run.sh BUILD [PART...]
# Parts: three same publish shipped claims diff property contributions signed hostile folders environment catalogue typos verify prices fetch cache. Uses sh, awk, coreutils, poppler, xmllint, qpdf.
set -u
here=tests/e2e
build=$1
shift
export LC_ALL=C TZ=UTC SOURCE_DATE_EPOCH=1559260800
repo=$(pwd)
case $build in /*) ;; *) build=$repo/$build ;; esac
program=$build/gpuguide
work=$(mktemp -d) || exit 1
trap '[ -n "${KEEP:-}" ] || { chmod -R u+rwX "$work"; rm -rf "$work"; }' EXIT # KEEP=1: look at what it left
trap 'exit 1' HUP INT TERM
. tests/tap.sh
. "$here/lib.sh"
# shellcheck disable=SC2086 # E2E_PARTS: a list, for runs under sanitizers, where repeating the same data teaches nothing
[ $# -gt 0 ] || set -- ${E2E_PARTS:-three same publish shipped claims diff property contributions signed hostile folders environment catalogue typos verify prices import fetch cache}
for part in "$@"; do
	. "$here/$part.sh"
done
echo "1..$n"
exit $bad
