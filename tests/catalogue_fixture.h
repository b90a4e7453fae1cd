/* A data folder that a test fills and throws away, and the small catalogue most tests start from.
 */
#ifndef TESTS_CATALOGUE_FIXTURE_H
#define TESTS_CATALOGUE_FIXTURE_H

#include "test.h"

#include "../base/arena.h"
#include "../base/error.h"
#include "../base/file.h"
#include "../base/str.h"
#include "../catalogue/device.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct fixture {
	struct arena arena;
	char dir[64];
	struct str files[64]; /* to be removed, newest last */
	size_t n;
};

static inline bool fixture_open(struct fixture *f)
{
	struct error err = { 0 };

	memset(f, 0, sizeof *f);
	strcpy(f->dir, "/tmp/gpuguide-test-XXXXXX");
	return mkdtemp(f->dir)
	       && file_make_dirs(str_c(&f->arena, str_printf(&f->arena, "%s/prices", f->dir)), &err)
	       && file_make_dirs(str_c(&f->arena, str_printf(&f->arena, "%s/system", f->dir)),
				 &err);
}

static inline const char *fixture_path(struct fixture *f, const char *name)
{
	return str_c(&f->arena, str_printf(&f->arena, "%s/%s", f->dir, name));
}

static inline void fixture_put(struct fixture *f, const char *name, const char *text)
{
	struct error err = { 0 };
	const char *path = fixture_path(f, name);

	if (!file_write(path, str_of(text), &err))
		error_print(stderr, &err);
	if (f->n < LEN(f->files))
		f->files[f->n++] = str_of(path);
}

static inline void fixture_close(struct fixture *f)
{
	while (f->n)
		unlink(f->files[--f->n].p);
	rmdir(fixture_path(f, "prices"));
	rmdir(fixture_path(f, "system"));
	rmdir(f->dir);
	arena_free(&f->arena);
}

/* Checks code, place and the whole message of an error; file is the end of the file's name. */
static inline void test_error(struct test *t, const struct error *e, enum error_code code,
			      const char *file, int line, int col, const char *msg,
			      const char *name)
{
	bool good = e->code == code && e->pos.line == line && e->pos.col == col
		    && strcmp(e->msg, msg) == 0 && e->pos.file
		    && str_ends(str_of(e->pos.file), str_of(file));

	test_ok(t, good, name);
	if (!good)
		printf("# got  %d %s:%d:%d: %s\n# want %d %s:%d:%d: %s\n", (int)e->code,
		       e->pos.file ? e->pos.file : "", e->pos.line, e->pos.col, e->msg, (int)code,
		       file, line, col, msg);
}

#define FIXTURE_DEVICES                                                                            \
	"device,vendor,architecture,release_date,launch_price_usd,bandwidth_gbs,fp32_tflops,fp16_" \
	"tflops,"                                                                                  \
	"bf16_tflops,tensor_fp16_tflops,tensor_fp16_acc32_tflops,tensor_tf32_tflops,tensor_int8_"  \
	"tops\n"                                                                                   \
	"GTX 1080,NVIDIA,Pascal,2016-05-27,599,320,8.87,0.139,,,,,\n"                              \
	"GTX 1080 Ti,NVIDIA,Pascal,2017-03-10,699,484,11.34,0.177,,,,,\n"                          \
	"RTX 2060,NVIDIA,Turing,2019-01-15,349,336,6.45,12.9,,51.6,25.8,,103.2\n"                  \
	"RTX 2070,NVIDIA,Turing,2018-10-17,499,448,7.46,14.93,,59.7,29.9,,119.4\n"                 \
	"RTX 2080,NVIDIA,Turing,2018-09-20,699,448,10.07,20.14,,80.5,40.3,,161.1\n"                \
	"RTX 2080 Ti,NVIDIA,Turing,2018-09-20,999,616,13.45,26.9,,107.6,53.8,,215.2\n"             \
	"RTX 3090,NVIDIA,Ampere,2020-09-24,1499,936,35.58,35.58,71.2,142.3,71.2,35.6,284.6\n"      \
	"Tesla V100 PCIe 16GB,NVIDIA,Volta,2017-06-21,,897,14.1,28.3,,113,113,,\n"                 \
	"Tesla V100 SXM2 16GB,NVIDIA,Volta,2017-06-21,,897,15.7,31.3,,125,125,,\n"                 \
	"Titan Xp,NVIDIA,Pascal,2017-04-06,1199,548,12.15,0.19,,,,,\n"                             \
	"Titan RTX,NVIDIA,Turing,2018-12-18,2499,672,16.31,32.62,,130.5,130.5,,261\n"              \
	"TPUv2,Google,TPU,2017-05-17,,2400,,,180,,,,\n"                                            \
	"Mystery,None,Unknown,,,,,,,,,,\n"

#define FIXTURE_ALIASES                                                                            \
	"name,device,scope,used_by\n"                                                              \
	"GTX 2080 Ti,RTX 2080 Ti,any,guide\n"                                                      \
	"XP Titan,Titan Xp,any,guide\n"                                                            \
	"RTX Titan,Titan RTX,any,guide\n"                                                          \
	"Tesla V100,Tesla V100 PCIe 16GB,benchmark,ambiguous\n"                                    \
	"Tesla V100,Tesla V100 SXM2 16GB,benchmark,ambiguous\n"                                    \
	"GeForce RTX 2070,RTX 2070,retail,chipset\n"                                               \
	"GTX 1080,GTX 1080 Ti,any,loses against the canonical name\n"

/* Puts and reads the small catalogue. */
static inline bool fixture_devices(struct fixture *f, struct devices *d, struct error *err)
{
	fixture_put(f, "devices.csv", FIXTURE_DEVICES);
	fixture_put(f, "aliases.csv", FIXTURE_ALIASES);
	return devices_read(f->dir, &f->arena, d, err);
}

#endif
