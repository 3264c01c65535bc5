/* Dependences order the iterations. */
#include <stdio.h>
long a[200];
int main(void)
{
#pragma omp parallel for ordered(1) schedule(static, 1)
    for (int i = 1; i < 200; i++) {
#pragma omp ordered depend(sink : i - 1)
        a[i] = a[i - 1] + i;
#pragma omp ordered depend(source)
    }
    printf("%ld\n", a[199]);
    return 0;
}
