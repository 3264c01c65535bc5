/* A sum with a reduction. */
#include <stdio.h>
double x[500], sum;
int main(void)
{
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < 500; i++)
        sum += x[i] + 1;
    printf("%g\n", sum);
    return 0;
}
