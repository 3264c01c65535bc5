/* Programs whose change is predicted, and made with -DCHANGED. Their first line is the change.
 * HERE is the line that has the mark. work() sleeps, so that other programs do not disturb it, or
 * computes if SPIN is the number of rounds of a millisecond. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#ifdef CHANGED
#define BEFORE_OR_AFTER(before, after) (after)
#else
#define BEFORE_OR_AFTER(before, after) (before)
#endif

static void work(double ms)
{
    const char *rounds = getenv("SPIN");
    if (rounds) {
        volatile double x = 1;
        for (double n = atof(rounds) * ms; n > 0; n--)
            x = x * 1.0000001 + 1e-9;
        return;
    }
    struct timespec t = {(time_t)(ms / 1000), (long)(ms * 1e6) % 1000000000L};
    nanosleep(&t, NULL);
}
