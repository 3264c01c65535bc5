/* An atomic update of a double, which is a loop over compare and swap. */
#include <stdio.h>
double d;
int main(void)
{
#pragma omp parallel for
    for (int i = 0; i < 200; i++) {
#pragma omp atomic
        d += 0.5;
    }
    printf("%g\n", d);
    return 0;
}
