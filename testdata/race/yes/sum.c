/* A sum without a reduction. */
#include <stdio.h>
double x[500], sum;
int main(void)
{
#pragma omp parallel for
    for (int i = 0; i < 500; i++)
        sum += x[i] + 1;
    printf("%d\n", sum > 0);
    return 0;
}
