// std: 11 14 17 20 23
// Templates: of classes and functions, members, specialisations, packs; dependent names in clauses and loop headers.
#include <cstdio>
#include <map>
#include <numeric>
#include <utility>
#include <vector>
template <typename T, int N = 4, template <typename, typename...> class C = std::vector> struct Grid {
  using value_type = T;
  C<T> data;
  Grid() : data(N * N, T(1)) {}
  template <typename F> T reduce(F &&f) const {
    T r{};
#pragma omp declare reduction(plus : T : omp_out += omp_in) initializer(omp_priv = T())
#pragma omp parallel for collapse(2) reduction(plus : r) num_threads(N > 2 ? 2 : 1)
    for (int i = 0; i < N; i++)
      for (int j = 0; j < N; j++) r += f(data[i * N + j]);
    return r;
  }
  T walk();
};
template <typename T, int N, template <typename, typename...> class C> T Grid<T, N, C>::walk() {
  T r = T();
#pragma omp parallel for reduction(+ : r)
  for (typename C<T>::const_iterator it = data.begin(); it < data.end(); ++it) r += *it;
  return r;
}
template <> int Grid<int, 1, std::vector>::walk() {
#pragma omp critical
  data[0] = -1;
  return data[0];
}
template struct Grid<double, 3>;
template <bool B> struct If { static constexpr int n = B ? 2 : 1; };
template <typename... Ts> int pack(Ts... ts) {
  int r = 0, a[] = {static_cast<int>(ts)...};
#pragma omp parallel for num_threads(sizeof...(Ts)) reduction(+ : r) schedule(static, If<(sizeof...(Ts) > 2)>::n)
  for (unsigned i = 0; i < sizeof...(ts); i++) r += a[i];
  return r;
}
template <class T> auto rec(T n) -> T {
  if (n < T(2)) return n;
  T a, b;
#pragma omp task shared(a) if (n > T(8))
  a = rec<T>(n - 1);
#pragma omp task shared(b) final(n < T(9))
  b = rec<T>(n - 2);
#pragma omp taskwait
  return a + b;
}
template <class T> T var = T(3);
template <class It> typename std::iterator_traits<It>::value_type total(It first, It last) {
  typename std::iterator_traits<It>::value_type r = {};
#pragma omp parallel for reduction(+ : r)
  for (It i = first; i < last; i += 2) r += *i;
  return r;
}
#if __cplusplus >= 201703L
template <auto V, class... F> int fold(F... f) {
  int r = V;
  if constexpr (sizeof...(F) > 0) {
#pragma omp parallel num_threads((0 + ... + f))
#pragma omp single
    r += (... + f);
  } else {
#pragma omp parallel
#pragma omp master
    r--;
  }
  return r;
}
#endif
#if __cplusplus >= 202002L
template <class T>
  requires requires(T t) { t + t; { t < t }; }
T add(T n) requires(sizeof(T) > 1) {
  T r = 0;
#pragma omp parallel for reduction(+ : r)
  for (T i = 0; i < n; i++) r += i;
  return r;
}
template <class T> concept Small = requires { requires sizeof(T) <= 4; };
int small(Small auto n) {
#pragma omp parallel
#pragma omp single
  n++;
  return n;
}
#endif
int main() {
  Grid<int> g;
  Grid<double, 3> d;
  Grid<int, 1> one;
  std::vector<int> v(100);
  std::iota(v.begin(), v.end(), 0);
  int f = 0;
#pragma omp parallel
#pragma omp single
  f = rec<long>(12);
  std::printf("%d %g %d %d %d %d\n", g.reduce([](int x) { return x + 1; }), d.walk(), one.walk(), g.walk(), pack(1, 2.5, 'a'), f);
  std::printf("%d %d\n", total(v.begin(), v.end()), total(v.data(), v.data() + 10));
  std::map<int, std::pair<int, std::vector<std::vector<int>>>> m;
#pragma omp parallel for ordered
  for (int i = 0; i < 3; i++)
#pragma omp ordered
    m[i].second.resize(i < 2 ? i : i > 1);
  std::printf("%zu %zu\n", m.size(), m[1].second.size());
#if __cplusplus >= 201703L
  std::printf("%d %d\n", fold<3>(1, 2), fold<4>());
#endif
#if __cplusplus >= 202002L
  std::printf("%d %d\n", add(10), small(4));
#endif
}
