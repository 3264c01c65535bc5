/* A task that is executed at once. */
#include <stdio.h>
int x;
int main(void)
{
    int y = 0;
#pragma omp parallel
#pragma omp single
    {
#pragma omp task if (0)
        x = 1;
        y = x;
    }
    printf("%d\n", y);
    return 0;
}
