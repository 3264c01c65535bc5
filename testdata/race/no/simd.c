/* Each lane has elements of its own. */
#include <stdio.h>
int a[100], b[100];
int main(void)
{
#pragma omp parallel for simd
    for (int i = 0; i < 100; i++)
        a[i] = b[i] + 1;
    printf("%d\n", a[99]);
    return 0;
}
