/* The recursion lacks its taskwait. */
#include <stdio.h>
#include <stdlib.h>
static void fib(int n, long *to)
{
    if (n < 2) {
        *to = n;
        return;
    }
    long *part = calloc(2, sizeof *part);
#pragma omp task
    fib(n - 1, &part[0]);
#pragma omp task
    fib(n - 2, &part[1]);
    *to = part[0] + part[1];
}
int main(void)
{
    long f = 0;
#pragma omp parallel
#pragma omp single
    fib(7, &f);
    printf("%d\n", f >= 0);
    return 0;
}
