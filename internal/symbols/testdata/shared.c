/* shared.c: a shared object with inlined calls. */
#include "inlined.h"

static double twice(double x)
{
    return half(x) * 4;
}

double shared(const double *a, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += twice(a[i]);
    return sum;
}
