/* One name is one lock, in several constructs. */
#include <stdio.h>
int x;
int main(void)
{
#pragma omp parallel sections num_threads(2)
    {
#pragma omp section
        {
#pragma omp critical(both)
            x++;
        }
#pragma omp section
        {
#pragma omp critical(both)
            x++;
        }
    }
    printf("%d\n", x);
    return 0;
}
