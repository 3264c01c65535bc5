/* A thread reads its neighbour's element without a barrier. */
#include <omp.h>
#include <stdio.h>
int a[64];
int main(void)
{
    int s = 0;
#pragma omp parallel num_threads(4) reduction(+ : s)
    {
        int me = omp_get_thread_num();
        a[me] = me;
        s += a[(me + 1) % 4];
    }
    printf("%d\n", s >= 0);
    return 0;
}
