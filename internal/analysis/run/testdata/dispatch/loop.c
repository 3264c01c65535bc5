/* A loop whose chunks are too small. It measures itself what that costs: the time of the processor for the same loop in small
 * chunks and in large ones. Prints
 *
 *     truth dispatch-cost LINE NANOSECONDS */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { ROUNDS = 21, ITERATIONS = 4000 };

static int64_t now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static __attribute__((noinline)) double work(double x)
{
    for (int i = 0; i < 400; i++) {
        x = x * 0.999 + 1e-3;
        __asm__ volatile("" ::"m"(x));
    }
    return x;
}

static int line;

static double small(double x)
{
    line = __LINE__ + 1;
#pragma omp for schedule(dynamic, 2)
    for (int i = 0; i < ITERATIONS; i++)
        x = work(x);
    return x;
}

static double large(double x)
{
#pragma omp for schedule(dynamic, 1000)
    for (int i = 0; i < ITERATIONS; i++)
        x = work(x);
    return x;
}

static int compare(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return x < y ? -1 : x > y;
}

int main(void)
{
    int64_t in_small[ROUNDS], in_large[ROUNDS];
    double x = 1;
#pragma omp parallel num_threads(1) shared(x)
    for (int i = 0; i < ROUNDS; i++) {
        const int64_t start = now();
        x = small(x);
        const int64_t between = now();
        x = large(x);
        in_large[i] = now() - between;
        in_small[i] = between - start;
    }
    qsort(in_small, ROUNDS, sizeof in_small[0], compare);
    qsort(in_large, ROUNDS, sizeof in_large[0], compare);
    const int64_t cost = in_small[ROUNDS / 2] - in_large[ROUNDS / 2];
    printf("truth dispatch-cost %d %lld\n", line, (long long)cost * ROUNDS);
    return x < 0;
}
