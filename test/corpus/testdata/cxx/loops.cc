// std: 11 14 17 20 23
// Loops: iterators in canonical form, range-based for, structured bindings, attributes and initialisers in headers.
#include <array>
#include <cstdio>
#include <deque>
#include <map>
#include <tuple>
#include <vector>
struct It {
  using difference_type = long;
  int i;
  int operator*() const { return i; }
  It &operator++() { ++i; return *this; }
  It &operator+=(long n) { i += n; return *this; }
  bool operator<(const It &o) const { return i < o.i; }
  bool operator!=(const It &o) const { return i != o.i; }
  long operator-(const It &o) const { return i - o.i; }
  It operator+(long n) const { return It{i + int(n)}; }
};
struct Range { It begin() const { return {0}; } It end() const { return {10}; } };
namespace std { template <> struct iterator_traits<It> { using difference_type = long; using value_type = int; using iterator_category = random_access_iterator_tag; using pointer = int *; using reference = int &; }; }
int main() {
  std::vector<int> v(100, 1), *pv = &v;
  std::deque<int> q(10, 2);
  std::array<std::pair<int, int>, 4> pairs{{{1, 2}, {3, 4}, {5, 6}, {7, 8}}};
  int a[8] = {1, 2, 3, 4, 5, 6, 7, 8}, r = 0;
#pragma omp parallel for reduction(+ : r)
  for (std::vector<int>::iterator i = v.begin(); i < v.end(); i++) r += *i;
#pragma omp parallel for reduction(+ : r)
  for (auto i = q.rbegin(); i < q.rend(); ++i) r += *i;
#pragma omp parallel for reduction(+ : r) schedule(guided)
  for (int *p = a + 7; p >= a; --p) r += *p;
#pragma omp parallel for reduction(+ : r)
  for (auto p = &a[0]; p != a + 8; p += 1) r += *p;
#pragma omp parallel for collapse(2) reduction(+ : r)
  for (auto i = q.begin(); i < q.end(); i += 2)
    for (auto j = pv->cbegin(); j < (*pv).cend(); j += 10) r += *i * *j;
#pragma omp parallel for reduction(+ : r)
  for (It i = It{0}; i < It{10}; i += 3) r += *i;
#pragma omp parallel for reduction(+ : r)
  for (int x : v) r += x;
#pragma omp parallel for reduction(+ : r)
  for (const auto &x : a) { r += x; }
#pragma omp parallel for reduction(+ : r) schedule(dynamic)
  for (auto &&x : {1, 2, 3}) r += x;
#pragma omp parallel for reduction(+ : r)
  for (int x : Range())
    if (x % 2) r += x;
    else if (x) r -= x;
    else
      r++;
  for (auto &x : v) {
#pragma omp critical
    x++;
  }
#pragma omp parallel
  {
#pragma omp for nowait
    for (auto &x : v) x += 2;
#pragma omp for collapse(2) reduction(+ : r)
    for (int x : v)
      for (char c : "ab") r += x + (c != 0);
  }
#if __cplusplus >= 201703L
  std::map<int, int> m{{1, 2}, {3, 4}};
  for (auto &[k, w] : m)
#pragma omp parallel for
    for (int i = 0; i < 3; i++)
#pragma omp atomic
      m.at(1) += i;
  auto [f, s] = pairs[1];
  const auto &[g, h] = pairs[2];
#pragma omp parallel num_threads(2) reduction(+ : r)
  {
    auto [i, j] = std::tuple{1, 2};
    r += f + s + i + j + g - h;
  }
#pragma omp parallel for reduction(+ : r)
  for (auto [i, j] : pairs) r += i * j;
  if (auto it = m.find(3); it != m.end())
#pragma omp parallel
#pragma omp atomic
    it->second += 0;
  r += m[1];
#endif
#if __cplusplus >= 202002L
  for (int n = 2; auto &x : v)
#pragma omp atomic
    x += n;
#endif
  std::printf("%d %d\n", r, v[9]);
}
