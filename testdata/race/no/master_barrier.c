/* A barrier stands behind master. */
#include <stdio.h>
int x;
int main(void)
{
    int y = 0;
#pragma omp parallel num_threads(4) reduction(+ : y)
    {
#pragma omp master
        x = 1;
#pragma omp barrier
        y += x;
    }
    printf("%d\n", y);
    return 0;
}
