/* A temporary is shared. */
#include <stdio.h>
int main(void)
{
    int t = 0, b[200];
#pragma omp parallel for
    for (int i = 0; i < 200; i++) {
        t = i * 2;
        b[i] = t + 1;
    }
    printf("%d %d\n", b[10], t > 0);
    return 0;
}
