// Threads add to a member of one object.
#include <cstdio>
struct Counter {
    int n = 0;
    void add() { n++; }
};
int main()
{
    Counter c;
#pragma omp parallel num_threads(4)
    c.add();
    std::printf("%d\n", c.n > 0);
}
