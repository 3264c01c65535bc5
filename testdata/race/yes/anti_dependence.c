/* An iteration reads what the next one writes. */
#include <stdio.h>
int a[1001];
int main(void)
{
#pragma omp parallel for
    for (int i = 0; i < 1000; i++)
        a[i] = a[i + 1] + 1;
    printf("%d\n", a[0] > 0);
    return 0;
}
