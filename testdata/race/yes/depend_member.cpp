// The dependence is on the pointer, and the tasks write what it points to through another one.
#include <cstdio>
int main()
{
    int x = 0, *p = &x, *q = &x;
#pragma omp parallel num_threads(4)
#pragma omp single
    {
#pragma omp task depend(inout : p)
        *p += 1;
#pragma omp task depend(inout : q)
        *q += 1;
    }
    std::printf("%d\n", x > 0);
}
