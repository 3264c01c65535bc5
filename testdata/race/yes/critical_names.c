/* Two names are two locks. */
#include <stdio.h>
int x;
int main(void)
{
#pragma omp parallel sections num_threads(2)
    {
#pragma omp section
        {
#pragma omp critical(first)
            x++;
        }
#pragma omp section
        {
#pragma omp critical(second)
            x++;
        }
    }
    printf("%d\n", x > 0);
    return 0;
}
