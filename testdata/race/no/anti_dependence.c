/* The old values have an array of their own. */
#include <stdio.h>
int a[1001], old[1001];
int main(void)
{
#pragma omp parallel
    {
#pragma omp for
        for (int i = 0; i < 1001; i++)
            old[i] = a[i];
#pragma omp for
        for (int i = 0; i < 1000; i++)
            a[i] = old[i + 1] + 1;
    }
    printf("%d\n", a[0]);
    return 0;
}
