// issue: a lambda or an immediately called one in a loop body
// coverage: parallel for; parallel for; atomic; parallel; parallel for; critical
#include <cstdio>
#include <algorithm>
int main() {
  int s = 0, v[4] = {1, 2, 3, 4};
#pragma omp parallel for reduction(+ : s)
  for (int i = 0; i < 10; i++) [&] { s += i; }();
#pragma omp parallel for
  for (int i = 0; i < 4; i++) {
    auto f = [&s](int k) {
#pragma omp atomic
      s += k; };
    f(i);
    std::for_each(v, v + 1, [](int &x) { x++; });
  }
#pragma omp parallel num_threads([] { return 2; }()) reduction(+ : s)
  [&s]() mutable { s++; }();
#pragma omp parallel for
  for (int i = [] { return 0; }(); i < 2; i++)
    std::for_each(v, v + 2, [&](int) {
#pragma omp critical
      { s++; }
    });
  std::printf("%d\n", s);
}
