/* Nobody waits for the single. */
#include <stdio.h>
int x;
int main(void)
{
    int y = 0;
#pragma omp parallel reduction(+ : y)
    {
#pragma omp single nowait
        x = 1;
        y += x;
    }
    printf("%d\n", y >= 0);
    return 0;
}
