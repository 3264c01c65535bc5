/* Several iterations write one element. */
#include <stdio.h>
int a[16];
int main(void)
{
#pragma omp parallel for
    for (int i = 0; i < 320; i++)
        a[i % 16] = i;
    printf("%d\n", a[3] > 0);
    return 0;
}
