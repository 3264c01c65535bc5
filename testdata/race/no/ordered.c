/* Ordered regions follow each other. */
#include <stdio.h>
int n, last;
int main(void)
{
#pragma omp parallel for ordered schedule(dynamic)
    for (int i = 0; i < 100; i++) {
#pragma omp ordered
        {
            n += last;
            last = i;
        }
    }
    printf("%d %d\n", n, last);
    return 0;
}
