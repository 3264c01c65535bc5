// A lambda refers to a local variable of the parent, which goes on.
#include <cstdio>
template <class F> static void spawn(F f)
{
#pragma omp task firstprivate(f)
    f();
}
int main()
{
    int total = 0;
#pragma omp parallel
#pragma omp single
    {
        spawn([&total] { total += 1; });
        total += 2;
#pragma omp taskwait
    }
    std::printf("%d\n", total > 0);
}
