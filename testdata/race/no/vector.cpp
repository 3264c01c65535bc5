// Each thread appends to a vector of its own; critical joins them.
#include <cstdio>
#include <vector>
int main()
{
    std::vector<int> all;
#pragma omp parallel num_threads(4)
    {
        std::vector<int> mine;
#pragma omp for
        for (int i = 0; i < 100; i++)
            mine.push_back(i);
#pragma omp critical
        all.insert(all.end(), mine.begin(), mine.end());
    }
    std::printf("%zu\n", all.size());
}
