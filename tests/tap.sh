# The test scripts' own words, read in with `.`: n counts the lines, bad is 1 once one failed.
n=0 bad=0

# check STATUS 'name': one TAP line.
check() {
	n=$((n + 1))
	if [ "$1" -eq 0 ]; then
		echo "ok $n - $2"
	else
		echo "not ok $n - $2"
		bad=1
	fi
}

# Whether a tool is there; a note where it is not.
have() {
	command -v "$1" >/dev/null && return 0
	echo "# no $1: skipped"
	return 1
}
