/* A counter under critical. */
#include <stdio.h>
static int hits;
static void hit(void)
{
#pragma omp critical
    hits++;
}
int main(void)
{
#pragma omp parallel num_threads(4)
    hit();
    printf("%d\n", hits);
    return 0;
}
