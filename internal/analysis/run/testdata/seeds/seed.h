/* seed.h: programs with a defect of known size. Each prints a line
 *
 *     truth PROPERTY LINE NANOSECONDS [CAUSE]
 *
 * of what the defect has cost, measured by the program itself, without anything of ours. The cause is what the finding has to say of why; with " & "
 * between, it has to say all of that. */
#include <omp.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>

static inline int64_t now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

#define MS INT64_C(1000000)
#define US INT64_C(1000)

/* Works for so long by the clock, however often the thread is interrupted. What takes long sleeps instead, because then no other thread lacks a
 * processor. The trace of these programs does not say who slept. */
static inline void work(int64_t ns)
{
    const int64_t end = now() + ns;
    if (ns >= MS) {
        const struct timespec t = {ns / 1000000000, ns % 1000000000};
        nanosleep(&t, NULL);
    }
    while (now() < end)
        ;
}

#define THREADS_MAX 64

static int64_t at[THREADS_MAX][8]; /* for each thread, a cache line */

static inline void mark(void) { at[omp_get_thread_num()][0] = now(); }

/* What threads waited for the last one, when each marked its arrival. */
static inline int64_t waited(int threads)
{
    int64_t last = 0, sum = 0;
    for (int i = 0; i < threads; i++)
        last = at[i][0] > last ? at[i][0] : last;
    for (int i = 0; i < threads; i++)
        sum += last - at[i][0];
    return sum;
}

static inline void truth(const char *property, int line, int64_t ns)
{
    printf("truth %s %d %lld\n", property, line, (long long)ns);
}

static inline void truth_cause(const char *property, int line, int64_t ns, const char *cause)
{
    printf("truth %s %d %lld %s\n", property, line, (long long)ns, cause);
}
