/* Bit fields of one word are one memory location. */
#include <stdio.h>
struct {
    unsigned a : 4, b : 4;
} s;
int main(void)
{
#pragma omp parallel sections num_threads(2)
    {
#pragma omp section
        s.a = 1;
#pragma omp section
        s.b = 2;
    }
    printf("%d\n", s.a + s.b > 0);
    return 0;
}
