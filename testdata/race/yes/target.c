/* The teams of a target region share a sum. */
#include <stdio.h>
int main(void)
{
    int s = 0;
#pragma omp target teams distribute parallel for map(tofrom : s)
    for (int i = 0; i < 200; i++)
        s += i;
    printf("%d\n", s > 0);
    return 0;
}
