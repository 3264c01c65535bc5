/* A taskloop with a reduction; its group waits. */
#include <stdio.h>
int s, a[100];
int main(void)
{
#pragma omp parallel
#pragma omp single
    {
#pragma omp taskloop grainsize(10) reduction(+ : s)
        for (int i = 0; i < 100; i++) {
            s += i;
            a[i] = i;
        }
        s += a[5];
    }
    printf("%d\n", s);
    return 0;
}
