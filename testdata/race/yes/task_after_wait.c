/* The second task is behind the taskwait, and nobody waits for it before the sum is read. */
#include <stdio.h>
int a, b;
int main(void)
{
    int sum = 0;
#pragma omp parallel
#pragma omp single
    {
#pragma omp task
        a = 1;
#pragma omp taskwait
#pragma omp task
        b = 2;
        sum = a + b;
    }
    printf("%d\n", sum > 0);
    return 0;
}
