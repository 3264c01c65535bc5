// std: 20 23
// keep: a constexpr function that may hold directives at run time
#include <cstdio>
#include <type_traits>
constexpr int both(int n) {
  int r = 0;
  if (std::is_constant_evaluated()) {
    for (int i = 0; i < n; i++) r += i;
  } else {
    auto f = [&] {
#pragma omp parallel for reduction(+ : r)
      for (int i = 0; i < n; i++) r += i;
    };
    f();
  }
  return r;
}
int main() { std::printf("%d\n", both(5)); }
