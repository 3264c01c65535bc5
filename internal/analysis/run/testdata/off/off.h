/* off.h: programs whose threads are off the CPU. Each prints a line
 *
 *     truth PROPERTY LINE NANOSECONDS CAUSE
 *
 * of what that has cost, as the kernel or the clock tells the program itself. NANOSECONDS is 0 where there is no such number. The cause is what the finding has to say of why. */
#define _GNU_SOURCE
#include <omp.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define MS INT64_C(1000000)

static inline int64_t clock_ns(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* Uses so much processor time, however often the thread is interrupted. */
static inline void compute(int64_t ns)
{
    const int64_t end = clock_ns(CLOCK_THREAD_CPUTIME_ID) + ns;
    volatile double x = 1;
    while (clock_ns(CLOCK_THREAD_CPUTIME_ID) < end)
        for (int i = 0; i < 2000; i++)
            x = x * 1.0000001;
}

/* How long the thread could run and did not, as the kernel counts it. */
static inline int64_t delayed(void)
{
    long long ran = 0, waited = 0;
    FILE *f = fopen("/proc/thread-self/schedstat", "r");
    if (!f || fscanf(f, "%lld %lld", &ran, &waited) != 2)
        exit(3);
    fclose(f);
    return waited;
}

/* Leaves the program so many of the processors that it may use. */
static inline void only(int processors)
{
    cpu_set_t all, some;
    CPU_ZERO(&some);
    if (sched_getaffinity(0, sizeof all, &all))
        exit(3);
    for (int i = 0; i < CPU_SETSIZE && CPU_COUNT(&some) < processors; i++)
        if (CPU_ISSET(i, &all))
            CPU_SET(i, &some);
    if (sched_setaffinity(0, sizeof some, &some))
        exit(3);
}

static inline void truth(const char *property, int line, int64_t ns, const char *cause)
{
    printf("truth %s %d %lld %s\n", property, line, (long long)ns, cause);
}
