/* A loop reads what a loop with nowait has written. */
#include <stdio.h>
int a[400], b[400];
int main(void)
{
#pragma omp parallel
    {
#pragma omp for nowait
        for (int i = 0; i < 400; i++)
            a[i] = i;
#pragma omp for
        for (int i = 0; i < 400; i++)
            b[i] = a[399 - i];
    }
    printf("%d\n", b[0] >= 0);
    return 0;
}
