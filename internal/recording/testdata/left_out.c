/* left_out.c: what a recording may leave out. Measurement is switched off for 30 ms at least, twice; the second time until a child has been forked and the
 * program ends. Prints the parent's first time off in ns. */
#include <stdio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static long now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000L + t.tv_nsec;
}

static int n;

static void all(void)
{
#pragma omp critical(gate)
    n++;
#pragma omp critical(other)
    n++;
#pragma omp atomic
    n++;
#pragma omp single
    n++;
#pragma omp master
    usleep(1);
}

static void work(void)
{
#pragma omp parallel num_threads(2)
    all();
}

int main(void)
{
    work();
    long before = now();
#pragma pomp inst off
    long off = now();
    usleep(30000);
    work();
    long on = now();
#pragma pomp inst on
    printf("%ld %ld\n", on - off, now() - before);
    work();
    fflush(stdout);
    if (fork() == 0) {
        all(); /* by one thread: the runtime's others are not in the child */
        return 0;
    }
    wait(NULL);
#pragma pomp inst off
    usleep(30000);
    return 0;
}
