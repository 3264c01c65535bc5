/* A taskwait with a dependence waits for one of the tasks. */
#include <stdio.h>
int x, y;
int main(void)
{
#pragma omp parallel
#pragma omp single
    {
#pragma omp task depend(out : x)
        x = 1;
#pragma omp task depend(out : y)
        y = 1;
#pragma omp taskwait depend(in : x)
        printf("%d\n", x);
    }
    return 0;
}
