// A template with a shared temporary.
#include <cstdio>
template <class T> T twice(const T *x, int n)
{
    T t{}, s{};
#pragma omp parallel for num_threads(4) reduction(+ : s) shared(t)
    for (int i = 0; i < n; i++) {
        t = x[i];
        s += t + t;
    }
    return s;
}
int main()
{
    double x[200] = {1, 2, 3};
    std::printf("%d\n", twice(x, 200) >= 0);
}
