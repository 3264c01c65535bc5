/* A maximum that threads compare and store. */
#include <stdio.h>
int x[400], most;
int main(void)
{
    for (int i = 0; i < 400; i++)
        x[i] = i * 7 % 401;
#pragma omp parallel for
    for (int i = 0; i < 400; i++)
        if (x[i] > most)
            most = x[i];
    printf("%d\n", most > 0);
    return 0;
}
