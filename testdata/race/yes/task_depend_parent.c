/* A dependence orders tasks, not the parent that creates them. */
#include <stdio.h>
int x, y;
int main(void)
{
#pragma omp parallel
#pragma omp single
    {
#pragma omp task depend(inout : x)
        x++;
#pragma omp task depend(inout : x)
        x++;
        y = x;
    }
    printf("%d\n", y >= 0);
    return 0;
}
