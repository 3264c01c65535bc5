/* A maximum by a reduction. */
#include <stdio.h>
int x[400], most;
int main(void)
{
    for (int i = 0; i < 400; i++)
        x[i] = i * 7 % 401;
#pragma omp parallel for reduction(max : most)
    for (int i = 0; i < 400; i++)
        if (x[i] > most)
            most = x[i];
    printf("%d\n", most);
    return 0;
}
