// The template's temporary is private.
#include <cstdio>
template <class T> T twice(const T *x, int n)
{
    T s{};
#pragma omp parallel for num_threads(4) reduction(+ : s)
    for (int i = 0; i < n; i++) {
        T t = x[i];
        s += t + t;
    }
    return s;
}
int main()
{
    double x[200] = {1, 2, 3};
    std::printf("%g\n", twice(x, 200));
}
