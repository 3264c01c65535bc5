// Constructs in lambdas, templates and functions that throw.
#include <cstdio>
#include <numeric>
#include <omp.h>
#include <stdexcept>
#include <vector>

template <typename T> static T sum(const std::vector<T> &v)
{
    T s = 0;
    const int n = static_cast<int>(v.size());
#pragma omp parallel for reduction(+ : s) schedule(guided)
    for (int i = 0; i < n; i++)
        s += v[i];
    return s;
}

struct tree {
    tree *left, *right;
    explicit tree(int depth) : left(nullptr), right(nullptr)
    {
        if (depth == 0)
            return;
#pragma omp task
        left = new tree(depth - 1);
#pragma omp task untied
        right = new tree(depth - 1);
#pragma omp taskwait
    }
    ~tree()
    {
        delete left;
        delete right;
    }
    int size() const { return 1 + (left ? left->size() : 0) + (right ? right->size() : 0); }
};

int main()
{
    std::vector<int> v(100);
    std::iota(v.begin(), v.end(), 0);
    std::vector<double> w(v.begin(), v.end());
    int caught = 0, size = 0;
    auto work = [&] {
#pragma omp critical(caught)
        {
            try {
                if (omp_get_thread_num() >= 0)
                    throw std::runtime_error("x");
            } catch (const std::exception &) {
                caught++;
            }
        }
#pragma omp barrier
    };
#pragma pomp inst begin(lambdas)
#pragma omp parallel
    {
        work();
#pragma omp single
        {
            tree t(6);
            size = t.size();
        }
    }
#pragma pomp inst end(lambdas)
    std::printf("%d %.0f %d\n", sum(v), sum(w), size);
    return caught < 1 || size != 127;
}
