/* The temporary is private. */
#include <stdio.h>
int main(void)
{
    int t = 0, b[200];
#pragma omp parallel for private(t)
    for (int i = 0; i < 200; i++) {
        t = i * 2;
        b[i] = t + 1;
    }
    printf("%d %d\n", b[10], t);
    return 0;
}
