/* The other main() of a fuzz harness: goes over the files that are named, or lie in the folders
 * that are named, and tells how many there were. A crash names the file it is at.
 *   NAME FILE|FOLDER… */
#include "fuzz.h"

static bool replay(const char *path, struct error *err)
{
	struct arena a = { 0 };
	struct str text;
	bool good = file_read(path, 0, &a, &text, err);

	if (good) {
		/* of just its size, so that a sanitizer sees the step over its end */
		uint8_t *exact = malloc(text.len ? text.len : 1);
		fuzz_want(exact != NULL, "there is memory for an input");
		memcpy(exact, text.p, text.len);
		fprintf(stderr, "%s\n", path);
		LLVMFuzzerTestOneInput(exact, text.len);
		free(exact);
	}
	arena_free(&a);
	return good;
}

static bool replay_folder(const char *dir, size_t *n, struct error *err)
{
	struct arena a = { 0 };
	struct file_list files = { 0 };
	bool good = file_list(dir, "", true, &a, &files, NULL, err);

	for (size_t i = 0; good && i < files.n; i++, ++*n)
		good = replay(str_c(&a, file_join(&a, str_of(dir), files.v[i])), err);
	arena_free(&a);
	return good;
}

int main(int argc, char **argv)
{
	struct error err = { 0 };
	bool good = true;
	size_t n = 0;

	for (int i = 1; good && i < argc; i++) {
		if (file_is_dir(argv[i])) {
			good = replay_folder(argv[i], &n, &err);
		} else if (file_exists(argv[i])) {
			good = replay(argv[i], &err);
			n++;
		}
	}
	if (!good)
		error_print(stderr, &err);
	printf("%zu inputs\n", n);
	return !good;
}
