/* The sum is read before the taskwait of a recursion. */
#include <stdio.h>
static long fib(int n)
{
    long a = 0, b = 0;
    if (n < 2)
        return n;
#pragma omp task shared(a)
    a = fib(n - 1);
#pragma omp task shared(b)
    b = fib(n - 2);
    long sum = a + b;
#pragma omp taskwait
    return sum;
}
int main(void)
{
    long f = 0;
#pragma omp parallel
#pragma omp single
    f = fib(8);
    printf("%d\n", f >= 0);
    return 0;
}
