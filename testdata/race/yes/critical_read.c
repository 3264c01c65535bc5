/* The read is not in the critical. */
#include <stdio.h>
int n;
int main(void)
{
    int seen = 0;
#pragma omp parallel reduction(+ : seen)
    {
        seen += n;
#pragma omp critical
        n++;
    }
    printf("%d\n", seen >= 0);
    return 0;
}
