/* events.c: what an event of the measurement library costs, in ns: calls of the library without the
 * OpenMP construct around them.
 *
 * events [THREADS [MILLIONS]]: each thread, pinned to a CPU of its own, makes that many million
 * calls of each kind. The mode is chosen by the environment: nothing: off; OPARI=state: states
 * kept, no tool; OPARI_PROFILE=PREFIX: profile.
 */
#define _GNU_SOURCE 1
#include "pomp_lib.h"

#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { ROUNDS = 15, REGIONS = 8 };

static struct ompregdescr pomp_d[REGIONS] = {
    {.name = "for",
     .directive = "for",
     .file_name = __FILE__,
     .begin_first_line = 1,
     .kind = POMP_KIND_FOR},
    {.name = "critical",
     .directive = "critical",
     .file_name = __FILE__,
     .begin_first_line = 2,
     .kind = POMP_KIND_CRITICAL},
    {.name = "barrier",
     .directive = "barrier",
     .file_name = __FILE__,
     .begin_first_line = 3,
     .kind = POMP_KIND_BARRIER},
    {.name = "single",
     .directive = "single",
     .file_name = __FILE__,
     .begin_first_line = 4,
     .kind = POMP_KIND_SINGLE},
    {.name = "region",
     .directive = "inst begin",
     .file_name = __FILE__,
     .begin_first_line = 5,
     .kind = POMP_KIND_REGION},
    {.name = "task",
     .directive = "task",
     .file_name = __FILE__,
     .begin_first_line = 6,
     .kind = POMP_KIND_TASK},
    {.name = "parallel",
     .directive = "parallel",
     .file_name = __FILE__,
     .begin_first_line = 7,
     .kind = POMP_KIND_PARALLEL},
};
static struct pomp_unit pomp_unit = {1, REGIONS, pomp_d, 0, 0};
__attribute__((constructor, destructor)) static void hook(void) { pomp_unit_1(&pomp_unit); }

#define ON (pomp_unit.active)

static void k_for(long n)
{
    for (long i = 0; i < n; i += 2) {
        if (ON)
            POMP_For_enter(&pomp_d[0]);
        if (ON)
            POMP_For_exit(&pomp_d[0]);
    }
}

static void k_critical(long n)
{
    for (long i = 0; i < n; i += 4) {
        if (ON)
            POMP_Critical_enter(&pomp_d[1]);
        if (ON)
            POMP_Critical_begin(&pomp_d[1]);
        if (ON)
            POMP_Critical_end(&pomp_d[1]);
        if (ON)
            POMP_Critical_exit(&pomp_d[1]);
    }
}

static void k_barrier(long n)
{
    for (long i = 0; i < n; i += 2) {
        if (ON)
            POMP_Barrier_enter(&pomp_d[2]);
        if (ON)
            POMP_Barrier_exit(&pomp_d[2]);
    }
}

static void k_single(long n)
{
    for (long i = 0; i < n; i += 4) {
        if (ON)
            POMP_Single_enter(&pomp_d[3]);
        if (ON)
            POMP_Single_begin(&pomp_d[3]);
        if (ON)
            POMP_Single_end(&pomp_d[3]);
        if (ON)
            POMP_Single_exit(&pomp_d[3]);
    }
}

static void k_user(long n)
{
    for (long i = 0; i < n; i += 2) {
        if (ON)
            POMP_Begin(&pomp_d[4], 0);
        if (ON)
            POMP_End(&pomp_d[4], 0);
    }
}

static void k_task(long n)
{
    for (long i = 0; i < n; i += 4) {
        void *h = ON ? POMP_Task_create_begin(&pomp_d[5], 1) : 0;
        if (h)
            POMP_Task_begin(&pomp_d[5], h);
        if (h)
            POMP_Task_end(&pomp_d[5], h);
        if (h)
            POMP_Task_create_end(&pomp_d[5], h);
        __asm__ volatile("" ::: "memory");
    }
}

static void k_parallel(long n)
{
    for (long i = 0; i < n; i += 4) {
        void *h = ON ? POMP_Parallel_fork(&pomp_d[6], 1, 1) : 0;
        if (h)
            POMP_Parallel_begin(&pomp_d[6], h);
        if (h)
            POMP_Parallel_end(&pomp_d[6], h);
        if (h)
            POMP_Parallel_join(&pomp_d[6], h);
        __asm__ volatile("" ::: "memory");
    }
}

/* events.f90, without what would be its directives' doing. */
#ifdef EVENTS_FORTRAN
#define POMP_X(name) \
    extern void name##_(const int *n); \
    static void name(long n) \
    { \
        const int events = (int)n; \
        name##_(&events); \
    }
POMP_X(f_do)
POMP_X(f_barrier)
POMP_X(f_single)
POMP_X(f_critical)
POMP_X(f_user)
#undef POMP_X
#endif

static const struct kernel {
    const char *name;
    void (*run)(long n);
} kernels[] = {
#ifdef EVENTS_FORTRAN
    {"do", f_do},
    {"barrier", f_barrier},
    {"single", f_single},
    {"critical", f_critical},
    {"user region", f_user},
#endif
    {"for", k_for},
    {"barrier", k_barrier},
    {"single", k_single},
    {"critical", k_critical},
    {"user region", k_user},
    {"task", k_task},
    {"parallel", k_parallel}};
enum { KERNELS = sizeof kernels / sizeof kernels[0], THREADS_MAX = 64 };

static long calls = 1000000;
static pthread_barrier_t together;
static double best[THREADS_MAX][KERNELS];

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static void *thread(void *argument)
{
    int me = (int)(long)argument;
    cpu_set_t cpu;
    CPU_ZERO(&cpu);
    CPU_SET(me, &cpu);
    (void)pthread_setaffinity_np(pthread_self(), sizeof cpu, &cpu);
    for (int round = 0; round < ROUNDS; round++) {
        for (int k = 0; k < KERNELS; k++) {
            pthread_barrier_wait(&together);
            double start = now();
            kernels[k].run(calls / ROUNDS);
            double ns = (now() - start) / ((double)calls / ROUNDS);
            if (round == 0 || ns < best[me][k])
                best[me][k] = ns;
        }
    }
    return NULL;
}

int main(int argc, char **argv)
{
    int threads = argc > 1 ? atoi(argv[1]) : 1;
    pthread_t other[THREADS_MAX];
    if (argc > 2)
        calls = (long)(atof(argv[2]) * 1e6);
    if (threads < 1 || threads > THREADS_MAX || calls < ROUNDS)
        return 2;
    pthread_barrier_init(&together, NULL, (unsigned)threads);
    for (long i = 1; i < threads; i++)
        pthread_create(&other[i], NULL, thread, (void *)i);
    thread((void *)0);
    for (int i = 1; i < threads; i++)
        pthread_join(other[i], NULL);
    for (int k = 0; k < KERNELS; k++) {
        double worst = 0;
        for (int i = 0; i < threads; i++)
            worst = best[i][k] > worst ? best[i][k] : worst;
        printf("%s%s %.2f", k ? ", " : "", kernels[k].name, worst);
    }
    printf("\n");
    return 0;
}
