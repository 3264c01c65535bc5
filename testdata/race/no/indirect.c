/* All entries of the index array differ. */
#include <stdio.h>
int index_of[100], a[400];
int main(void)
{
    for (int i = 0; i < 100; i++)
        index_of[i] = 3 * i;
#pragma omp parallel for schedule(static)
    for (int i = 0; i < 100; i++)
        a[index_of[i]] += i;
    printf("%d\n", a[3]);
    return 0;
}
