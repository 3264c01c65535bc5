// names.cc: names that need to be made readable.
#include <vector>

namespace solver {
template <class T> struct grid {
    std::vector<T> cells;
    __attribute__((noinline)) T sum() const
    {
        T s = 0;
        for (const T &c : cells)
            s += c;
        return s;
    }
};

__attribute__((noinline)) double relax(grid<double> &g)
{
#pragma omp parallel for
    for (int i = 0; i < (int)g.cells.size(); i++)
        g.cells[i] *= 0.5;
    return g.sum();
}
} // namespace solver

int main()
{
    solver::grid<double> g;
    g.cells.resize(1000, 1.0);
    return solver::relax(g) > 501;
}
