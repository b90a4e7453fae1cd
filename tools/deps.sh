#!/bin/sh
# Finds what is missing for a set of needs and installs it with apt, or only names it.
#   tools/deps.sh install|skip SET...      sets: build check clang valgrind
# Each line below: set, probe, Debian package, what other systems call it (Fedora / Arch / Homebrew).
set -eu
mode=$1
shift

table() {
	cat <<'EOF'
build|cmd:gcc|gcc|gcc / gcc / gcc
build|header:stdlib.h|libc6-dev|glibc-devel / glibc / -
build|cmd:pkg-config|pkg-config|pkgconf / pkgconf / pkg-config
build|header:hpdf.h|libhpdf-dev|libharu-devel / libharu / libharu
build|header:csv.h|libcsv-dev|libcsv-devel / libcsv / libcsv
build|header:expat.h|libexpat1-dev|expat-devel / expat / expat
build|header:harfbuzz/hb-subset.h|libharfbuzz-dev|harfbuzz-devel / harfbuzz / harfbuzz
build|header:cjson/cJSON.h|libcjson-dev|cjson-devel / cjson / cjson
build|header:ini.h|libinih-dev|inih-devel / libinih / inih
build|header:linebreak.h|libunibreak-dev|libunibreak-devel / libunibreak / libunibreak
build|header:archive.h|libarchive-dev|libarchive-devel / libarchive / libarchive
build|header:zstd.h|libzstd-dev|libzstd-devel / zstd / zstd
build|header:zlib.h|zlib1g-dev|zlib-devel / zlib / zlib
build|header:cairo/cairo.h|libcairo2-dev|cairo-devel / cairo / cairo
build|header:sodium.h|libsodium-dev|libsodium-devel / libsodium / libsodium
build|cmd:gnuplot|gnuplot-nox|gnuplot-minimal / gnuplot / gnuplot
build|file:/usr/share/fonts/truetype/liberation/LiberationSans-Regular.ttf|fonts-liberation|liberation-fonts / ttf-liberation / font-liberation
build|file:/usr/share/fonts/truetype/wqy/wqy-zenhei.ttc|fonts-wqy-zenhei|wqy-zenhei-fonts / wqy-zenhei / -
check|cmd:pdftotext|poppler-utils|poppler-utils / poppler / poppler
check|cmd:zstd|zstd|zstd / zstd / zstd
check|cmd:qpdf|qpdf|qpdf / qpdf / qpdf
check|cmd:minisign|minisign|minisign / minisign / minisign
check|cmd:xmllint|libxml2-utils|libxml2 / libxml2 / libxml2
check|cmd:git|git|git / git / git
check|cmd:rsync|rsync|rsync / rsync / rsync
check|cmd:curl|curl|curl / curl / curl
check|cmd:openssl|openssl|openssl / openssl / openssl
check|file:/usr/sbin/sshd|openssh-server|openssh-server / openssh / -
check|cmd:ssh|openssh-client|openssh-clients / openssh / -
check|cmd:pkill|procps|procps-ng / procps-ng / -
clang|cmd:clang|clang|clang / clang / llvm
clang|file:/usr/lib/llvm-14/lib/clang/14.0.6/lib/linux|libclang-rt-14-dev|compiler-rt / compiler-rt / -
valgrind|cmd:valgrind|valgrind|valgrind / valgrind / valgrind
valgrind|file:/usr/lib/debug/.build-id|libc6-dbg|glibc-debuginfo / - / -
EOF
}

present() {
	case $1 in
	cmd:*) command -v "${1#cmd:}" >/dev/null 2>&1 ;;
	header:*) [ -e "/usr/include/${1#header:}" ] || [ -e "/usr/local/include/${1#header:}" ] ||
		[ -e "/usr/include/$(uname -m)-linux-gnu/${1#header:}" ] ;;
	file:*) [ -e "${1#file:}" ] ;;
	esac
}

missing= names=
for set in "$@"; do
	while IFS='|' read -r in_set probe package others; do
		[ "$in_set" = "$set" ] || continue
		present "$probe" && continue
		missing="$missing $package"
		names="$names
  $package (Fedora / Arch / Homebrew: $others)"
	done <<EOF
$(table)
EOF
done
[ -n "$missing" ] || exit 0

if [ "$mode" = skip ] || ! command -v apt-get >/dev/null 2>&1; then
	printf 'These packages are missing:%s\n' "$names" >&2
	# With skip the compiler has the last word: a library may stand where the probe does not look.
	[ "$mode" = skip ] && exit 0
	echo 'There is no apt-get here: install them, then run make with DEPS=skip.' >&2
	exit 2
fi
echo "Installing what is missing:$missing" >&2
sudo=
[ "$(id -u)" = 0 ] || sudo=sudo
if [ -n "$sudo" ] && ! command -v sudo >/dev/null 2>&1; then
	echo "Not root and no sudo: ask an administrator for: apt-get install$missing" >&2
	exit 2
fi
$sudo apt-get update -qq
# shellcheck disable=SC2086 # the list is meant to be split
$sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing
