// Each iteration has an element of its own.
#include <cstdio>
#include <vector>
int main()
{
    std::vector<int> v(400, 1);
#pragma omp parallel for num_threads(4)
    for (auto it = v.begin(); it < v.end(); ++it)
        *it += 1;
    std::printf("%d\n", v[0]);
}
