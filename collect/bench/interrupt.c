#include "interrupt.h"

#include <stddef.h>
#include <stdio.h>

static void *wait_for(void *arg)
{
	struct interrupt *i = arg;
	sigset_t one;
	int got;

	if (sigwait(&i->set, &got) != 0 || atomic_load(&i->ended))
		return NULL;
	const char *path = atomic_load(&i->path);
	if (path)
		fprintf(
		    stderr,
		    "\ngpuguide-bench: stopped; what was measured stands in %s, --resume goes on\n",
		    path);
	else
		fputs("\ngpuguide-bench: stopped before anything was measured\n", stderr);
	sigemptyset(&one);
	sigaddset(&one, got);
	pthread_sigmask(SIG_UNBLOCK, &one, NULL);
	raise(got); /* its action is the default one: the process ends */
	return NULL;
}

void interrupt_begin(struct interrupt *i)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP };
	bool any = false;

	atomic_init(&i->path, NULL);
	atomic_init(&i->ended, false);
	i->running = false;
	sigemptyset(&i->set);
	for (size_t k = 0; k < sizeof signals / sizeof *signals; k++) {
		struct sigaction now;
		if (sigaction(signals[k], NULL, &now) != 0 || now.sa_handler != SIG_DFL)
			continue;
		sigaddset(&i->set, signals[k]);
		i->wake = signals[k];
		any = true;
	}
	if (!any || pthread_sigmask(SIG_BLOCK, &i->set, &i->before) != 0)
		return;
	i->running = pthread_create(&i->thread, NULL, wait_for, i) == 0;
	if (!i->running) /* then the signal ends the program without a word */
		pthread_sigmask(SIG_SETMASK, &i->before, NULL);
}

void interrupt_end(struct interrupt *i)
{
	if (!i->running)
		return;
	/* woken, not cancelled: a thread that is unwound leaves marks on its stack that sanitizers
	 * take for faults */
	atomic_store(&i->ended, true);
	pthread_kill(i->thread, i->wake);
	pthread_join(i->thread, NULL);
	pthread_sigmask(SIG_SETMASK, &i->before, NULL);
	i->running = false;
}
