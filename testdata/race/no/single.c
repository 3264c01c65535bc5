/* All wait for the single. */
#include <stdio.h>
int x;
int main(void)
{
    int y = 0;
#pragma omp parallel num_threads(4) reduction(+ : y)
    {
#pragma omp single
        x = 1;
        y += x;
    }
    printf("%d\n", y);
    return 0;
}
