/* Master has no barrier. */
#include <stdio.h>
int x;
int main(void)
{
    int y = 0;
#pragma omp parallel reduction(+ : y)
    {
#pragma omp master
        x = 1;
        y += x;
    }
    printf("%d\n", y >= 0);
    return 0;
}
