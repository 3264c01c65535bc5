/* Joins and forks order one region after the other. */
#include <stdio.h>
int a[100], s;
int main(void)
{
    for (int k = 0; k < 5; k++) {
#pragma omp parallel for num_threads(4)
        for (int i = 0; i < 100; i++)
            a[i] += k;
        s += a[k];
#pragma omp parallel for num_threads(3) schedule(dynamic)
        for (int i = 0; i < 100; i++)
            a[99 - i] += s;
    }
    printf("%d\n", a[7] > 0);
    return 0;
}
