/* OPARI2 leaves simd on parallel, which compilers reject. */
#include <stdio.h>

int main(void)
{
    int x = 0;
#pragma omp parallel for simd reduction(+ : x)
    for (int i = 0; i < 10; i++)
        x += i;
    puts(x == 45 ? "done" : "failed");
    return 0;
}
