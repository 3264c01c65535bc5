/* program.c: calls inlined at several levels, a parallel region, code in a section of its own. */
#include <stdio.h>
#include "inlined.h"

extern double shared(const double *a, int n);

static inline __attribute__((always_inline)) double quarter(double x)
{
    double y = half(x);
    return half(y) + y * 1e-9;
}

__attribute__((noipa, noinline)) double sum(const double *a, int n)
{
    double s = 0;
    for (int i = 0; i < n; i++) {
        s += quarter(a[i]);
        if (s > 1e6)
            s = half(s);
    }
    return s;
}

__attribute__((cold, noipa, noinline)) static void complain(const char *why)
{
    fprintf(stderr, "%s\n", why);
}

int main(int argc, char **argv)
{
    double a[100];
#pragma omp parallel for
    for (int i = 0; i < 100; i++)
        a[i] = quarter(i + argc);
    if (argc > 2)
        complain(argv[1]);
    printf("%g %g\n", sum(a, 100), shared(a, 100));
    return 0;
}
