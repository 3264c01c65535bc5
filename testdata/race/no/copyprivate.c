/* One thread's value goes to all. */
#include <stdio.h>
int main(void)
{
    int s = 0, v = 0;
#pragma omp parallel num_threads(4) firstprivate(v) reduction(+ : s)
    {
#pragma omp single copyprivate(v)
        v = 5;
        s += v;
#pragma omp single copyprivate(v)
        v = 6;
        s += v;
    }
    printf("%d\n", s);
    return 0;
}
