/* kernel.c: two threads, then a child, say between which times of the monotonic clock they were in a
 * critical region: name, pid, tid, from, to. */
#define _GNU_SOURCE
#include <omp.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static unsigned long long now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000ull + t.tv_nsec;
}

static void region(const char *name)
{
#pragma omp critical
    {
        unsigned long long from = now();
        usleep(2000);
        printf("%s %d %ld %llu %llu\n", name, getpid(), syscall(SYS_gettid), from, now());
        fflush(stdout);
    }
}

int main(void)
{
#pragma omp parallel num_threads(2)
    region(omp_get_thread_num() ? "second" : "first");
    if (fork() == 0) {
        region("child");
        _exit(0);
    }
    wait(0);
}
