/* Two pointers lead to parts that do not overlap. */
#include <stdio.h>
int block[800];
int main(void)
{
    int *a = block, *b = block + 400;
#pragma omp parallel for
    for (int i = 0; i < 400; i++)
        a[i] = b[i] + 1;
    printf("%d\n", block[0]);
    return 0;
}
