/* Two tasks without a dependence. */
#include <stdio.h>
int x;
int main(void)
{
#pragma omp parallel
#pragma omp single
    {
#pragma omp task
        x = 1;
#pragma omp task
        x = 2;
    }
    printf("%d\n", x > 0);
    return 0;
}
