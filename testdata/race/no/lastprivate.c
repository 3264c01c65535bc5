/* The last iteration's value comes out. */
#include <stdio.h>
int main(void)
{
    int last = 0;
#pragma omp parallel for lastprivate(last)
    for (int i = 0; i < 100; i++)
        last = i;
    printf("%d\n", last);
    return 0;
}
