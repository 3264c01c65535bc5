// std: 11 14 17 20 23
// Lambdas: in clauses, in loop headers and bodies, with directives inside, nested, as arguments and initialisers.
#include <algorithm>
#include <cstdio>
#include <functional>
#include <vector>
int deflt(std::function<int(int)> f = [](int x) {
  int r = 0;
#pragma omp parallel for reduction(+ : r)
  for (int i = 0; i < x; i++) r += i;
  return r;
}) { return f(5); }
int global = [] {
  int n = 0;
#pragma omp parallel num_threads(2) reduction(+ : n)
  { n += 1; }
  return n;
}();
struct S {
  int m = 1;
  int go() {
    auto f = [this](int x) mutable -> int {
#pragma omp critical
      { m += 2; }
      return x + m;
    };
#pragma omp parallel for num_threads([](int a) { return a > 1 ? 2 : 1; }(m + 2)) schedule(dynamic, [] { return 2; }())
    for (int i = 0; i < 4; i++) f(i);
    return m;
  }
};
int main() {
  int s = 0, t = 0;
  std::vector<int> v(50, 1);
#pragma omp parallel if ([&] { return s == 0 ? true : false; }()) reduction(+ : s)
  {
#pragma omp for
    for (int i = [] { return 0; }(); i < int(v.size()); i++) {
      auto sq = [&v](int k) { return [k, &v] { return v[k] * k; }; };
      s += sq(i)();
    }
  }
  std::for_each(v.begin(), v.end(), [&](int &x) {
#pragma omp atomic update
    t += x;
    if (t % 2)
#pragma omp critical(lambda)
      x = 1;
    else {
#pragma omp critical(lambda)
      x = 2;
    }
  });
#pragma omp parallel
  [&] {
#pragma omp single
    [&]() noexcept { t++; }();
  }();
#pragma omp parallel sections
  {
    [&] { v[0] = 7; }();
#pragma omp section
    [&] { v[1] = 8; }();
  }
#pragma omp parallel
#pragma omp single
  {
    std::vector<std::function<int()>> fs{[] { return 1; }, [&t]() { return t; }};
    for (auto &f : fs)
#pragma omp task firstprivate(f) shared(t) depend(inout : t)
      t += f();
#pragma omp taskwait
#pragma omp taskloop grainsize([] { return 2; }())
    for (int i = 0; i < 8; i++)
#pragma omp atomic
      t += [](int a, int b) { return a * b; }(i, 2);
  }
#if __cplusplus >= 202002L
  auto g = []<typename T>(T x) requires true {
    T r{};
#pragma omp parallel for reduction(+ : r)
    for (T i = 0; i < x; i++) r += i;
    return r;
  };
  t += g(5L);
#endif
  std::printf("%d %d %d %d %d %d %d\n", s, t, v[0], v[1], deflt(), global, S().go());
}
