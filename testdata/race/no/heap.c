/* Each thread has a block of its own. */
#include <stdio.h>
#include <stdlib.h>
int main(void)
{
    int s = 0;
#pragma omp parallel num_threads(4) reduction(+ : s)
    for (int i = 0; i < 20; i++) {
        int *p = malloc(4 * sizeof *p);
        p[1] = 2;
        s += p[1];
        free(p);
    }
    printf("%d\n", s);
    return 0;
}
