/* Functions that call each other, deeply and by pointers. */
#include <stdio.h>
#include <stdlib.h>

static volatile double sink;

static __attribute__((noinline)) double leaf(double x)
{
    for (int i = 0; i < 100; i++)
        sink = sink + x;
    return sink;
}

static __attribute__((noinline)) double recursive(int depth, double *row)
{
    double own[8] = {row[0], depth};
    return depth == 0 ? leaf(own[1]) : recursive(depth - 1, own) + own[0];
}

static int compare(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

int main(int argc, char **argv)
{
    double *row = __builtin_alloca((size_t)argc * 64);
    int some[4] = {3, argc, 1, 0};
    row[0] = argc;
    qsort(some, 4, sizeof *some, compare);
    printf("%s %g %d\n", argv[0], recursive(5, row), some[0]);
    return 0;
}
