/* Runs a command and appends one line to a file: what it took.
 *   measure LOG COMMAND [ARG...]    "wall_s user_s sys_s peak_kb status"
 * peak_kb is the largest memory in use (ru_maxrss) of any one process below this; the command's own where it
 * starts none. Ends with the command's status. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double seconds(struct timeval t)
{
	return (double)t.tv_sec + (double)t.tv_usec * 1e-6;
}

int main(int argc, char **argv)
{
	struct timespec from, to;
	struct rusage use;
	int status = 0;

	if (argc < 3)
		return 2;
	clock_gettime(CLOCK_MONOTONIC, &from);
	pid_t child = fork();
	if (child == 0) {
		execvp(argv[2], argv + 2);
		perror(argv[2]);
		_exit(127);
	}
	if (child < 0 || waitpid(child, &status, 0) != child)
		return 2;
	clock_gettime(CLOCK_MONOTONIC, &to);
	getrusage(RUSAGE_CHILDREN, &use);
	int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
	FILE *log = fopen(argv[1], "a");
	if (!log) {
		perror(argv[1]);
		return 2;
	}
	fprintf(log, "%.4f %.4f %.4f %ld %d\n",
	        (double)(to.tv_sec - from.tv_sec) + (double)(to.tv_nsec - from.tv_nsec) * 1e-9, seconds(use.ru_utime),
	        seconds(use.ru_stime), use.ru_maxrss, code);
	return fclose(log) == 0 ? code : 2;
}
