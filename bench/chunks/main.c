/* What handing out chunks costs: chunks STEPS prints ns of processor time for an iteration of STEPS
 * steps on one thread, in chunks of one iteration and in large ones, and the difference. Medians of
 * ROUNDS alternating loops. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { ROUNDS = 41, ITERATIONS = 200000 };

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static __attribute__((noinline)) double work(int steps, double x)
{
    for (int i = 0; i < steps; i++) {
        x = x * 0.999 + 1e-3;
        __asm__ volatile("" ::"m"(x));
    }
    return x;
}

static double one(int steps, double x)
{
#pragma omp for schedule(dynamic, 1)
    for (int i = 0; i < ITERATIONS; i++)
        x = work(steps, x);
    return x;
}

static double many(int steps, double x)
{
#pragma omp for schedule(dynamic, 8192)
    for (int i = 0; i < ITERATIONS; i++)
        x = work(steps, x);
    return x;
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

int main(int argc, char **argv)
{
    const int steps = argc > 1 ? atoi(argv[1]) : 10;
    double in_one[ROUNDS], in_many[ROUNDS], x = 1;
#pragma omp parallel num_threads(1) shared(x)
    for (int i = 0; i < ROUNDS; i++) {
        const double start = now();
        x = one(steps, x);
        const double between = now();
        x = many(steps, x);
        in_many[i] = now() - between;
        in_one[i] = between - start;
    }
    qsort(in_one, ROUNDS, sizeof in_one[0], compare);
    qsort(in_many, ROUNDS, sizeof in_many[0], compare);
    const double small = in_one[ROUNDS / 2] / ITERATIONS, large = in_many[ROUNDS / 2] / ITERATIONS;
    printf("%.2f %.2f %.2f\n", small, large, small - large);
    return x < 0;
}
