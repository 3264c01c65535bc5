/* Two sections write one variable. */
#include <stdio.h>
int x;
int main(void)
{
#pragma omp parallel sections num_threads(2)
    {
#pragma omp section
        x = 1;
#pragma omp section
        x = 2;
    }
    printf("%d\n", x > 0);
    return 0;
}
