/* A parallel region for a loop of a few microseconds, ten thousand times. */
#include "seed.h"

static double a[400];

static void serial(void)
{
    for (int i = 0; i < 400; i++)
        a[i] = a[i] * 0.5 + 1;
}

int main(void)
{
    int64_t start = now();
    for (int step = 0; step < 10000; step++) {
        __asm__ volatile("" ::: "memory");
        serial();
    }
    const int64_t useful = now() - start;
    int line = 0;
#pragma omp parallel num_threads(2)
    mark();
    start = now();
    for (int step = 0; step < 10000; step++) {
        line = __LINE__ + 1;
#pragma omp parallel for num_threads(2)
        for (int i = 0; i < 400; i++)
            a[i] = a[i] * 0.5 + 1;
    }
    truth("granularity", line, 2 * (now() - start) - useful);
}
