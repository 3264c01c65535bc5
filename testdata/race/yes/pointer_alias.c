/* Two pointers lead to overlapping parts. */
#include <stdio.h>
int block[600];
int main(void)
{
    int *a = block, *b = block + 100;
#pragma omp parallel for
    for (int i = 0; i < 400; i++)
        a[i] = b[i] + 1;
    printf("%d\n", block[0] > 0);
    return 0;
}
