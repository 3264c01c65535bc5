/* The dependence names another variable. */
#include <stdio.h>
int x, y;
int main(void)
{
#pragma omp parallel
#pragma omp single
    {
#pragma omp task depend(out : x)
        x = 1;
#pragma omp task depend(in : y)
        y = x;
    }
    printf("%d\n", y >= 0);
    return 0;
}
