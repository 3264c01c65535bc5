/* hot.c: two threads spend their time in one line, which is inlined twice. With -DSHARED it is the
 * shared object with that line, with -DPROGRAM a program that calls it. */
#include <stdio.h>
#include <unistd.h>

double hot(long n);

#ifndef PROGRAM
static inline __attribute__((always_inline)) double step(double x, double y)
{
    return x * y + 1 / (x + 2); /* the hot line */
}

static inline __attribute__((always_inline)) double steps(double x, long n)
{
    for (long i = 0; i < n; i++)
        x = step(x, 0.5);
    return x;
}

__attribute__((noipa)) double hot(long n)
{
    n += getpid() < 0; /* gcc gives a function that calls none no frame */
    return steps(n, n);
}
#endif

#ifndef SHARED
int main(void)
{
    double sum = 0;
#pragma omp parallel for num_threads(2) reduction(+ : sum)
    for (int i = 0; i < 40; i++)
        sum += hot(1000000);
    printf("%g\n", sum);
}
#endif
