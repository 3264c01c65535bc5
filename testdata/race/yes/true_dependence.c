/* An iteration reads what the one before has written. */
#include <stdio.h>
long a[800];
int main(void)
{
#pragma omp parallel for schedule(static, 8)
    for (int i = 1; i < 800; i++)
        a[i] = a[i - 1] + i;
    printf("%d\n", a[799] > 0);
    return 0;
}
