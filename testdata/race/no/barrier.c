/* A barrier stands between the write and the neighbour's read. */
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
#pragma omp barrier
        s += a[(me + 1) % 4];
#pragma omp barrier
        a[me] = 7;
    }
    printf("%d\n", s);
    return 0;
}
