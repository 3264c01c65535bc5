/* The first task waits for its child, so the dependence covers both. */
#include <stdio.h>
int x, y;
int main(void)
{
#pragma omp parallel
#pragma omp single
    {
#pragma omp task depend(out : x)
        {
#pragma omp task
            x = 1;
#pragma omp taskwait
        }
#pragma omp task depend(in : x)
        y = x;
#pragma omp taskwait
    }
    printf("%d\n", y >= 0);
    return 0;
}
