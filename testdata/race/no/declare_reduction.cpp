// A reduction of the program's own.
#include <cstdio>
struct Range {
    int low = 1000, high = -1;
    void add(int i)
    {
        low = i < low ? i : low;
        high = i > high ? i : high;
    }
    void add(const Range &o)
    {
        low = o.low < low ? o.low : low;
        high = o.high > high ? o.high : high;
    }
};
#pragma omp declare reduction(join : Range : omp_out.add(omp_in))
int main()
{
    Range r;
#pragma omp parallel for num_threads(4) reduction(join : r)
    for (int i = 0; i < 100; i++)
        r.add(i);
    std::printf("%d %d\n", r.low, r.high);
}
