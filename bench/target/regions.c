/* regions.c: N target regions with one mapped array: ns for each, the least of ten times. */
#include <stdio.h>
#include <stdlib.h>
#include <omp.h>

static int a[100];

static double some(long n)
{
    double start = omp_get_wtime();
    for (long i = 0; i < n; i++) {
#pragma omp target map(tofrom : a)
        a[0]++;
    }
    return omp_get_wtime() - start;
}

int main(int count, char **arguments)
{
    const long n = count > 1 ? atol(arguments[1]) : 10000;
    double least = some(n);
    for (int i = 1; i < 10; i++) {
        double took = some(n);
        if (took < least)
            least = took;
    }
    printf("%.1f\n", least / (double)n * 1e9);
    return a[0] == 0;
}
