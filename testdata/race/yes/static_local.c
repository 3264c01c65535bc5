/* A static variable of a function is shared. */
#include <stdio.h>
static int next(void)
{
    static int n;
    return ++n;
}
int main(void)
{
    int s = 0;
#pragma omp parallel reduction(+ : s)
    s += next();
    printf("%d\n", s > 0);
    return 0;
}
