/* Each iteration has an element of its own, through a permutation. */
#include <stdio.h>
int a[320];
int main(void)
{
#pragma omp parallel for
    for (int i = 0; i < 320; i++)
        a[i * 7 % 320] = i;
    printf("%d\n", a[7]);
    return 0;
}
