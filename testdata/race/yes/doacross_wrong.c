/* The dependence is on the iteration two before, the access on the one before. */
#include <stdio.h>
long a[200];
int main(void)
{
#pragma omp parallel for ordered(1) schedule(static, 1)
    for (int i = 2; i < 200; i++) {
#pragma omp ordered depend(sink : i - 2)
        a[i] = a[i - 1] + i;
#pragma omp ordered depend(source)
    }
    printf("%d\n", a[199] > 0);
    return 0;
}
