# Reads the kernels: for every KERNEL a function that takes the addresses of its arguments, and the table of them.
/^KERNEL / { text = ""; inside = 1 }
inside { text = text " " $0; if ($0 ~ /\)$/) { inside = 0; heads[++n] = text; waits[n] = 0; body = n } }
/block_sum|block_max|SHUFFLE|__syncthreads/ { if (body) waits[body] = 1 }
/^}/ { body = 0 }
END {
	for (i = 1; i <= n; i++) {
		text = heads[i]; sub(/^ *KERNEL */, "", text)
		name = text; sub(/\(.*/, "", name); gsub(/ /, "", name)
		list = text; sub(/^[^(]*\(/, "", list); sub(/\)[^)]*$/, "", list)
		m = split(list, part, ",")
		printf "static void call_%s(void **a)\n{\n\t%s(", name, name
		for (k = 1; k <= m; k++) {
			type = part[k]; gsub(/^[ \t]+|[ \t]+$/, "", type); sub(/[A-Za-z_0-9]+$/, "", type)
			printf "%s*(%s *)a[%d]", (k > 1 ? ", " : ""), type, k - 1
		}
		printf ");\n}\n\n"
		table = table sprintf("\t{ \"%s\", call_%s, %d },\n", name, name, waits[i])
	}
	printf "const struct shim_kernel SHIM_KERNELS[] = {\n%s\t{ NULL, NULL, 0 },\n};\n", table
}
