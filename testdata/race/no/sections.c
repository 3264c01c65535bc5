/* Each section has a variable of its own. */
#include <stdio.h>
int x, y;
int main(void)
{
#pragma omp parallel sections num_threads(2)
    {
#pragma omp section
        x = 1;
#pragma omp section
        y = 2;
    }
    printf("%d\n", x + y);
    return 0;
}
