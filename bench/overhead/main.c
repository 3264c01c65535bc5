/* Prints a line per construct: its name, a tab, nanoseconds per construct.
 * Usage: overhead [SAMPLES [MICROSECONDS PER SAMPLE [CONSTRUCT...]]]; OVERHEAD_DELAY,
 * OVERHEAD_APART: see longer() */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "overhead.h"

static const struct {
    const char *name;
    kernel *run, *reference;
} kernels[] = {
#define X(name, reference) {#name, k_##name, r_##reference},
    FOREACH_KERNEL(X)
#undef X
};
enum { KERNELS = sizeof kernels / sizeof *kernels };

#ifdef OVERHEAD_DELAY
long overhead_delay, overhead_apart;

/* Instructions that wait for nothing, and few jumps: one that is predicted wrongly now and then
 * costs more than what is measured. */
__attribute__((noinline, aligned(64))) void rounds(long n)
{
    for (; n >= 64; n -= 64)
        __asm__ volatile(".rept 512\n\tnop\n\t.endr" : "+r"(n));
    for (; n > 0; n--)
        __asm__ volatile("" : "+r"(n));
}
#endif

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static double timed(kernel *k, long n)
{
    double start = now();
    k(n);
    return now() - start;
}

/* enough returns how many repetitions take about `target` ns. */
static long enough(kernel *k, double target)
{
    for (long n = 16;; n *= 2) {
        double best = timed(k, n), again = timed(k, n);
        best = again < best ? again : best;
        if (best >= target / 4 || n > 100000000)
            return (long)((double)n * target / best) + 1;
    }
}

/* shift moves what the heap gives next by 48 bytes. GCC's runtime takes and gives back an aligned
 * block for each team of one thread, which costs 200 instructions more where the heap ends at one
 * of four places, and where it does depends on all that was allocated before, even on the length of
 * a tool's name. Shifted before each sample, every program has most of them at the other three. */
static void shift(void) { __asm__ volatile("" : : "r"(malloc(40))); }

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* wanted reports whether a construct is among those named on the command line; without names all
 * are. */
static int wanted(const char *name, int argc, char **argv)
{
    for (int i = 3; i < argc; i++)
        if (strcmp(argv[i], name) == 0)
            return 1;
    return argc <= 3;
}

int main(int argc, char **argv)
{
#ifdef OVERHEAD_DELAY
    const char *delay = getenv("OVERHEAD_DELAY"), *apart = getenv("OVERHEAD_APART");
    overhead_delay = delay ? atol(delay) : 0;
    overhead_apart = apart ? atol(apart) : 0;
#endif
    int samples = argc > 1 ? atoi(argv[1]) : 25;
    double target = (argc > 2 ? atof(argv[2]) : 200) * 1e3;
    double *t = malloc(sizeof *t * (size_t)samples), *r = malloc(sizeof *r * (size_t)samples);
    if (samples < 1 || !t || !r)
        return 2;
    for (int k = 0; k < KERNELS; k++) {
        if (!wanted(kernels[k].name, argc, argv))
            continue;
        long n = enough(kernels[k].run, target);
        for (int i = 0; i < samples; i++) {
            shift();
            t[i] = timed(kernels[k].run, n) / (double)n;
            r[i] = timed(kernels[k].reference, n) / (double)n;
        }
        qsort(t, (size_t)samples, sizeof *t, ascending);
        qsort(r, (size_t)samples, sizeof *r, ascending);
        /* The first quartile: what the construct costs when nobody else has the processor. */
        printf("%s\t%.2f\n", kernels[k].name, t[samples / 4] - r[samples / 2]);
    }
    return 0;
}
