/* An atomic update and a plain one. */
#include <stdio.h>
int n;
int main(void)
{
#pragma omp parallel
    {
#pragma omp atomic
        n++;
        n = n + 1;
    }
    printf("%d\n", n > 0);
    return 0;
}
