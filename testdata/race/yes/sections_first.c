/* The sections are so short that the first thread often executes all of them. */
#include <stdio.h>
int x, y;
int main(void)
{
#pragma omp parallel
#pragma omp sections
    {
#pragma omp section
        x = 1;
#pragma omp section
        y = 1;
#pragma omp section
        x = 2;
    }
    printf("%d\n", x + y > 0);
    return 0;
}
