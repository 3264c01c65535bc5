/* Each thread has a copy. */
#include <stdio.h>
static int n;
#pragma omp threadprivate(n)
int main(void)
{
    int s = 0;
    n = 3;
#pragma omp parallel num_threads(4) copyin(n) reduction(+ : s)
    {
        n++;
        s += n;
    }
    printf("%d\n", s);
    return 0;
}
