/* Tasks of a recursion, each with its own frame. */
#include <stdio.h>
static long fib(int n)
{
    long a, b;
    if (n < 2)
        return n;
#pragma omp task shared(a)
    a = fib(n - 1);
#pragma omp task shared(b)
    b = fib(n - 2);
#pragma omp taskwait
    return a + b;
}
int main(void)
{
    long f = 0;
#pragma omp parallel
#pragma omp single
    f = fib(12);
    printf("%ld\n", f);
    return 0;
}
