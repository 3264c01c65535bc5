/* The update stands before the ordered region. */
#include <stdio.h>
int n, last;
int main(void)
{
#pragma omp parallel for ordered
    for (int i = 0; i < 100; i++) {
        n++;
#pragma omp ordered
        last = i;
    }
    printf("%d %d\n", n > 0, last);
    return 0;
}
