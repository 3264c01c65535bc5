/* The sum of the target region is a reduction. */
#include <stdio.h>
int main(void)
{
    int s = 0, a[200];
#pragma omp target teams distribute parallel for map(tofrom : s, a) reduction(+ : s)
    for (int i = 0; i < 200; i++) {
        s += i;
        a[i] = i;
    }
    printf("%d\n", s + a[3]);
    return 0;
}
