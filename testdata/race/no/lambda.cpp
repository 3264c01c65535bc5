// A lambda captures a private variable.
#include <cstdio>
int main()
{
    int s = 0;
#pragma omp parallel for num_threads(4) reduction(+ : s)
    for (int i = 0; i < 100; i++) {
        int last = 0;
        auto keep = [&last](int k) { last = k; };
        keep(i);
        s += last;
    }
    std::printf("%d\n", s);
}
