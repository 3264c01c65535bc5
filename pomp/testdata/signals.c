/* Instrumented code in a SIGPROF handler at 1 kHz that interrupts instrumented code, and errno over every kind of first use. */
#include "unit.h"

#include <errno.h>
#include <signal.h>
#include <sys/time.h>

enum { MAIN = 1, HANDLER, CRIT };

UNIT(REGION(MAIN, REGION, "region"), REGION(HANDLER, REGION, "region"), REGION(CRIT, CRITICAL, "critical"))

static volatile int hits;

static void handler(int s)
{
    (void)s;
    USER(Begin, HANDLER);
    hits++;
    USER(End, HANDLER);
}

int main(void)
{
    struct sigaction a;
    struct itimerval t = {{0, 1000}, {0, 1000}};
    memset(&a, 0, sizeof a);
    a.sa_handler = handler;
    a.sa_flags = SA_RESTART;
    sigaction(SIGPROF, &a, 0);
    setitimer(ITIMER_PROF, &t, 0);
    errno = 4711;
    for (long i = 0; i < 3000000; i++) {
        USER(Begin, MAIN);
        EVENT(Critical_enter, CRIT);
        EVENT(Critical_begin, CRIT);
        EVENT(Critical_end, CRIT);
        EVENT(Critical_exit, CRIT);
        if (i % 1000 == 0) /* a handler that interrupts an event is not recorded: here is time for others */
            for (volatile int spin = 0; spin < 20000; spin++)
                ;
        USER(End, MAIN);
    }
    return errno == 4711 ? 0 : 3;
}
