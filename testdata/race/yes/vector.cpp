// Threads append to one vector.
#include <cstdio>
#include <vector>
int main()
{
    std::vector<int> v;
    v.reserve(1000);
#pragma omp parallel for num_threads(4)
    for (int i = 0; i < 100; i++)
        v.push_back(i);
    std::printf("%d\n", v.size() > 0);
}
