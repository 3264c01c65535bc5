// std: 11 17 20 23
// Directives given by attributes, among other attributes and in all places where a statement may stand.
#include <cstdio>
#include <vector>
#include <stdexcept>
#define PAR [[omp::directive(parallel for)]]
int s; int a[100];
template <typename T> struct Q {
  T v{};
  T sum(const std::vector<T> &x) {
    T r{};
    [[omp::directive(parallel for reduction(+: r))]]
    for (auto it = x.begin(); it < x.end(); ++it) r += *it;
    [[omp::sequence(directive(parallel), directive(for))]] for (auto &y : x) { [[omp::directive(atomic)]] v += y; }
    return r;
  }
};
int scan(int *c) {
  int r = 0;
  [[omp::directive(parallel for reduction(inscan, +: r))]]
  for (int i = 0; i < 100; i++) {
    r += c[i];
    [[omp::directive(scan inclusive(r))]]
    a[i] = r;
  }
  return r;
}
int main() {
  std::vector<int> x(100, 2); Q<int> q;
  std::printf("%d %d\n", q.sum(x), q.v);
  [[omp::directive(parallel)]]
  {
    [[omp::directive(single)]] {
      for (int i = 0; i < 10; i++)
        [[omp::directive(task firstprivate(i))]] { [[omp::directive(critical(foo))]] s += i; }
      [[omp::directive(taskwait)]];
    }
    [[omp::directive(barrier)]];
    [[omp::sequence(omp::directive(master), directive(critical))]] s++;
    [[omp::directive(sections)]] { [[omp::directive(section)]] s++; [[omp::directive(section)]] { [[omp::directive(atomic)]] s++; } }
    [[omp::directive(for simd)]] for (int i = 0; i < 100; i++) a[i] = i;
    auto l = [&] { [[omp::sequence(directive(flush), directive(barrier))]]; };
    l();
  }
  PAR for (int i = 0; i < 100; i++) a[i]++;
  if (s > 1) [[omp::directive(parallel num_threads(2))]] try { throw std::runtime_error("x"); } catch (std::exception &) { [[omp::directive(atomic)]] s++; } else s = 0;
  std::printf("%d %d %d\n", s, a[5], scan(a));
}
