/* Dependences order siblings only, and these tasks have different parents. */
#include <stdio.h>
int x;
int main(void)
{
#pragma omp parallel
#pragma omp single
    {
#pragma omp task
        {
#pragma omp task depend(inout : x)
            x++;
        }
#pragma omp task
        {
#pragma omp task depend(inout : x)
            x++;
        }
    }
    printf("%d\n", x > 0);
    return 0;
}
