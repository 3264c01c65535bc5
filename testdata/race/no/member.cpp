// Threads add to a member under critical.
#include <cstdio>
struct Counter {
    int n = 0;
    void add()
    {
#pragma omp critical
        n++;
    }
};
int main()
{
    Counter c;
#pragma omp parallel num_threads(4)
    c.add();
    std::printf("%d\n", c.n);
}
