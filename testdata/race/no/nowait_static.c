/* Two static loops of one size deal out the same iterations, so nowait is right. */
#include <stdio.h>
int a[400], b[400];
int main(void)
{
#pragma omp parallel
    {
#pragma omp for schedule(static) nowait
        for (int i = 0; i < 400; i++)
            a[i] = i;
#pragma omp for schedule(static)
        for (int i = 0; i < 400; i++)
            b[i] = a[i];
    }
    printf("%d\n", b[7]);
    return 0;
}
