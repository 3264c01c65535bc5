/*
 * A thread whose times are known: it sleeps between turns of work, and says how much processor
 * time it had. With an argument it stays on that processor.
 */
#define _GNU_SOURCE
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>

static double used(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

volatile double sink;

__attribute__((noinline)) void hot(void)
{
    for (int i = 1; i < 100000; i++)
        sink = sink + 1.0 / i;
}

__attribute__((noinline)) void turn(void)
{
    for (double end = used() + 0.02; used() < end;)
        hot();
    sink = sink + 1;
}

int main(int argc, char **argv)
{
    if (argc > 1) {
        cpu_set_t set;
        CPU_ZERO(&set);
        CPU_SET(atoi(argv[1]), &set);
        if (sched_setaffinity(0, sizeof set, &set) != 0)
            return 1;
    }
    for (int i = 0; i < 10; i++) {
        struct timespec pause = {0, 20000000};
        turn();
        while (nanosleep(&pause, &pause) != 0)
            ;
    }
    const long size = 1000 * 4096;
    char *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED || madvise(memory, size, MADV_NOHUGEPAGE) != 0)
        return 1;
    for (long i = 0; i < size; i += 4096)
        memory[i] = 1;
    struct rusage u;
    getrusage(RUSAGE_SELF, &u);
    printf("%.6f %ld %ld\n", used(), u.ru_minflt + u.ru_majflt, u.ru_nvcsw + u.ru_nivcsw);
    return 0;
}
