/* A counter without critical. */
#include <stdio.h>
static int hits;
static void hit(void) { hits++; }
int main(void)
{
#pragma omp parallel
    hit();
    printf("%d\n", hits > 0);
    return 0;
}
