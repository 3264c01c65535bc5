/* Members of a structure are locations of their own. */
#include <stdio.h>
struct {
    char a, b;
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
    printf("%d\n", s.a + s.b);
    return 0;
}
