/* The index of the inner loop is shared. */
#include <stdio.h>
int a[40][40];
int main(void)
{
    int j;
#pragma omp parallel for
    for (int i = 0; i < 40; i++)
        for (j = 0; j < 40; j++)
            a[i][j] += i + j;
    printf("%d\n", a[3][4]);
    return 0;
}
