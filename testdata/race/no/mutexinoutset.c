/* The tasks of the set exclude each other. */
#include <stdio.h>
int x;
int main(void)
{
#pragma omp parallel
#pragma omp single
    {
#pragma omp task depend(out : x)
        x = 1;
        for (int i = 0; i < 8; i++) {
#pragma omp task depend(mutexinoutset : x)
            x += i;
        }
#pragma omp task depend(in : x)
        printf("%d\n", x);
    }
    return 0;
}
