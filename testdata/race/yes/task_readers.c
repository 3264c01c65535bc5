/* Both tasks say that they only read, and one writes. */
#include <stdio.h>
int x, y;
int main(void)
{
#pragma omp parallel
#pragma omp single
    {
#pragma omp task depend(in : x)
        y = x;
#pragma omp task depend(in : x)
        x = 1;
    }
    printf("%d\n", y >= 0);
    return 0;
}
