/* Makes what a shell cannot: odd files for the hostile inputs.
 *   odd socket PATH            a socket with that name
 *   odd flood N                N names, a line each, that a table by FNV-1a would put into one
 *                              place
 *   odd number DIGITS          a number of so many digits
 *   odd columns N              a header and a row with N more columns than the contribution's own
 *   odd machines N [FROM]      N sound rows, each of a machine of its own; those from number FROM
 *                              on
 *   odd kinds N [FROM]         N sound rows, 16 of a machine, no two of them of one kind
 *   odd bad N                  N rows with a bad value
 *   odd tar MEMBER...          a tar on standard output; MEMBER is TYPE:NAME[:LINK or TEXT], TYPE
 *                              as in ustar (0 file, 1 hard link, 2 symbolic link, 3 device, 5
 *                              folder, 6 pipe); the name and the text are taken as they are; a
 *                              file's text "@" is standard input's */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>

static const char header[] =
    "machine,date,device,device_count,class,workload,precision,batch_size,metric,value,"
    "unit,framework,driver,repeat,source";

static int make_socket(int argc, char **argv)
{
	struct sockaddr_un at = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);

	if (argc < 3 || strlen(argv[2]) >= sizeof at.sun_path)
		return 2;
	strcpy(at.sun_path, argv[2]);
	return fd < 0 || bind(fd, (struct sockaddr *)&at, sizeof at) != 0;
}

/* FNV-1a with the high bits mixed in: names whose lowest 16 bits are the same meet in a table of up
 * to 65,536 places. The last character is the inner loop, so that a try costs one
 * multiplication. */
static int flood(int argc, char **argv)
{
	static const char letters[] =
	    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-";
	unsigned long n = argc > 2 ? strtoul(argv[2], NULL, 10) : 0;

	for (uint64_t outer = 0; n; outer++) {
		uint64_t h = 0xcbf29ce484222325u, rest = outer;
		char name[8];
		for (int i = 0; i < 6; i++, rest /= 64) {
			name[i] = letters[rest % 64];
			h = (h ^ (unsigned char)name[i]) * 0x100000001b3u;
		}
		for (int i = 0; i < 64 && n; i++) {
			uint64_t last = (h ^ (unsigned char)letters[i]) * 0x100000001b3u;
			if (((last ^ last >> 29) & 0xFFFF) == 0) {
				printf("%.6s%c\n", name, letters[i]);
				n--;
			}
		}
	}
	return 0;
}

static int number(int argc, char **argv)
{
	for (long i = 0; i < (argc > 2 ? atol(argv[2]) : 0); i++)
		putchar('0' + (int)(i % 9 + 1));
	return 0;
}

static int columns(int argc, char **argv)
{
	long n = argc > 2 ? atol(argv[2]) : 0;

	printf("%s", header);
	for (long i = 0; i < n; i++)
		printf(",extra%ld", i);
	printf("\nx,2019-04-04,Card "
	       "B,1,cnn,resnet50,fp16,64,throughput,300.5,images/s,torch,418,1,lab");
	for (long i = 0; i < n; i++)
		printf(",%ld", i);
	putchar('\n');
	return 0;
}

static int machines(int argc, char **argv)
{
	long n = argc > 2 ? atol(argv[2]) : 0, from = argc > 3 ? atol(argv[3]) : 0;

	puts(header);
	for (long i = from; i < from + n; i++)
		printf("m%ld,2019-04-04,Card "
		       "B,1,cnn,resnet50,fp16,64,throughput,%ld.%05ld,images/s,torch,418,1,lab\n",
		       i, 300 + i % 20, i % 100000);
	return 0;
}

static int kinds(int argc, char **argv)
{
	long n = argc > 2 ? atol(argv[2]) : 0, from = argc > 3 ? atol(argv[3]) : 0;

	puts(header);
	for (long i = from; i < from + n; i++)
		printf("m%ld,2019-04-04,Card "
		       "B,%ld,cnn,resnet50,fp16,64,throughput,%ld.%06ld,images/s,torch,418,1,lab\n",
		       i / 16, 1 + i % 16, 300 + i / 1000000, i % 1000000);
	return 0;
}

static int bad(int argc, char **argv)
{
	long n = argc > 2 ? atol(argv[2]) : 0;

	puts(header);
	for (long i = 0; i < n; i++)
		printf("x,2019-04-04,Card "
		       "B,1,cnn,resnet50,fp16,64,throughput,n/a%ld,images/s,torch,418,1,lab\n",
		       i);
	return 0;
}

/* A ustar header with its sum (POSIX.1-1988), whatever the name. */
static void tar_header(const char *name, unsigned long size, char type, const char *link)
{
	unsigned char h[512] = { 0 };
	unsigned sum = 0;

	memcpy(h, name, strlen(name) < 100 ? strlen(name) : 100);
	memcpy(h + 100, "0000644", 8);
	memcpy(h + 108, "0000000", 8);
	memcpy(h + 116, "0000000", 8);
	snprintf((char *)h + 124, 12, "%011lo", size);
	snprintf((char *)h + 136, 12, "%011o", 1556668800U);
	memset(h + 148, ' ', 8);
	h[156] = (unsigned char)type;
	memcpy(h + 157, link, strlen(link) < 100 ? strlen(link) : 100);
	memcpy(h + 257, "ustar\0" "00", 8);
	for (size_t i = 0; i < sizeof h; i++)
		sum += h[i];
	snprintf((char *)h + 148, 8, "%06o", sum);
	fwrite(h, 1, sizeof h, stdout);
}

/* All of standard input. */
static char *take_input(size_t *len)
{
	size_t cap = 1 << 16, n;
	char *p = malloc(cap);

	for (*len = 0; p && (n = fread(p + *len, 1, cap - *len, stdin)) > 0;)
		if ((*len += n) == cap)
			p = realloc(p, cap *= 2);
	return p;
}

static int tar_member(char *member)
{
	char type = member[0], *name = member[1] == ':' ? member + 2 : NULL, *text;
	size_t len;

	if (!name)
		return 2;
	text = strchr(name, ':');
	if (text)
		*text++ = '\0';
	else
		text = member + strlen(member);
	len = strlen(text);
	if (type == '0' && strcmp(text, "@") == 0 && !(text = take_input(&len)))
		return 2;
	tar_header(name, type == '0' ? len : 0, type, type == '0' ? "" : text);
	if (type == '0') {
		fwrite(text, 1, len, stdout);
		for (; len % 512; len++)
			putchar('\0');
	}
	return 0;
}

static int tar(int argc, char **argv)
{
	for (int i = 2; i < argc; i++)
		if (tar_member(argv[i]) != 0)
			return 2;
	for (int i = 0; i < 1024; i++)
		putchar('\0');
	return 0;
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		int (*run)(int argc, char **argv);
	} makers[] = {
		{ "socket", make_socket },
		{ "flood", flood },
		{ "number", number },
		{ "columns", columns },
		{ "machines", machines },
		{ "kinds", kinds },
		{ "bad", bad },
		{ "tar", tar },
	};

	for (size_t i = 0; argc > 1 && i < sizeof makers / sizeof *makers; i++)
		if (strcmp(argv[1], makers[i].name) == 0)
			return makers[i].run(argc, argv) || fflush(stdout) != 0;
	return 2;
}
