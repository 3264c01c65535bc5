// std: 14 17 20 23
// What may be computed by the compiler is left alone: no call may stand there.
#include <cstdio>
#if __cplusplus >= 202002L
#include <type_traits>
#endif
constexpr int plain(int n) {
  int r = 0;
  for (int i = 0; i < n; i++) r += i;
  return r;
}
static_assert(plain(4) == 6, "");
template <int N> struct V { int v = N; constexpr V() {} constexpr int get() const { return v; } };
constexpr V<3> v3;
#if __cplusplus >= 201703L
constexpr auto lam = [](int n) { return n * 2; };
static_assert(lam(2) == 4);
#endif
#if __cplusplus >= 202002L
consteval int cube(int n) { return n * n * n; }
constinit int ci = cube(2);
int sum(int n) {
  int r = 0;
#pragma omp parallel for reduction(+ : r) num_threads(cube(1) + 1)
  for (int i = 0; i < n; i++) r += cube(2);
  return r;
}
#endif
#if __cplusplus > 202002L && defined __cpp_if_consteval
constexpr int either(int n) {
  if consteval { return n; } else { return n + 1; }
}
#endif
int main() {
  int s = 0;
#pragma omp parallel for reduction(+ : s) num_threads(plain(2) + 1)
  for (int i = 0; i < v3.get(); i++) {
    constexpr int k = plain(3);
    static const int t[k] = {1, 2, 3};
    s += t[i];
  }
#if __cplusplus >= 201703L
  if constexpr (sizeof(int) == 4) {
#pragma omp parallel
#pragma omp single
    s += lam(3);
  }
#endif
#if __cplusplus >= 202002L
  s += sum(4) + ci;
#endif
#if __cplusplus > 202002L && defined __cpp_if_consteval
  int n = 1;
#pragma omp parallel reduction(+ : s) num_threads(2)
  if consteval { s = 0; } else { s += either(n); }
#endif
  std::printf("%d\n", s);
}
