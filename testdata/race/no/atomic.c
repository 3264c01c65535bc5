/* All accesses are atomic. */
#include <stdio.h>
int n;
int main(void)
{
    int seen = 0;
#pragma omp parallel num_threads(4) reduction(max : seen)
    {
        int v;
#pragma omp atomic
        n++;
#pragma omp atomic capture
        v = n++;
        seen = v;
#pragma omp atomic read
        v = n;
        seen = v > seen ? v : seen;
    }
    printf("%d %d\n", n, seen > 0);
    return 0;
}
