/* Dependences order the tasks. */
#include <stdio.h>
int x, y, z;
int main(void)
{
#pragma omp parallel
#pragma omp single
    {
#pragma omp task depend(out : x)
        x = 1;
#pragma omp task depend(in : x) depend(out : y)
        y = x;
#pragma omp task depend(in : x) depend(out : z)
        z = x;
#pragma omp task depend(inout : x)
        x = 4;
#pragma omp task depend(in : x, y, z)
        x += y + z;
    }
    printf("%d\n", x);
    return 0;
}
