// A lambda captures a variable by reference.
#include <cstdio>
int main()
{
    int last = 0;
    auto keep = [&last](int i) { last = i; };
#pragma omp parallel for num_threads(4)
    for (int i = 0; i < 100; i++)
        keep(i);
    std::printf("%d\n", last >= 0);
}
