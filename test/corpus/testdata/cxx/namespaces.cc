// std: 11 14 17 20 23
// Namespaces, linkage blocks, using declarations, enumerations, statements of all kinds as bodies.
#include <cstdio>
#include <initializer_list>
#include <new>
namespace a { inline namespace v1 { namespace {
int n;
#pragma omp threadprivate(n)
int inc(int k) {
#pragma omp parallel reduction(+ : k) copyin(n)
  k += n + 1;
  return k;
}
} } }
#if __cplusplus >= 201703L
namespace b::c::d {
int two() {
  int r = 0;
#pragma omp parallel num_threads(2)
#pragma omp atomic
  r++;
  return r;
}
}
namespace e = b::c::d;
#else
namespace e { inline int two() { return 2; } }
#endif
extern "C" {
int linkage(int k) {
#pragma omp parallel
#pragma omp master
  k++;
  return k;
}
extern "C++" { template <class T> T same(T t) {
#pragma omp critical
    { t = t; }
    return t;
  } }
}
extern "C" int one(int k) {
#pragma omp critical
  ++k;
  return k;
}
union U { int i; float f; U() : i(0) {
#pragma omp flush
  } };
enum E : unsigned { x = 1, y = x << 2 };
alignas(16) static struct { int v[4]; } table = {{1, 2, 3, 4}};
static_assert(sizeof(table) == 16, "{");
constexpr int sq(int k) { return k * k; }
auto f() -> int (*)(int) { return one; }
int (*g(int k))(int) {
#pragma omp barrier
  return k ? one : nullptr;
}
int main() {
  using namespace a;
  using std::printf;
  int s = inc(1), t[sq(2)] = {};
  U u;
  switch (y) {
  case y:
#pragma omp parallel for reduction(+ : s)
    for (int i = 0; i < 4; i++) {
      if (i == 1) continue;
      switch (i) { case 2: s += 2; break; default: s += table.v[i]; }
    }
    break;
  default:
#pragma omp critical
    s = 0;
  }
#pragma omp parallel num_threads(2)
  {
  again:
    int done = 1;
#pragma omp critical
    do s++; while (s & 1);
#pragma omp critical
    while (s & 3) s++;
#pragma omp critical
    for (;;) { if (++s % 5 == 0) break; }
#pragma omp critical
    if (s % 2) s++; else if (s % 3) s += 2; else { s += 3; }
    if (!done) goto again;
#pragma omp barrier
#pragma omp single
    label: s = 100;
#pragma omp barrier
#pragma omp single nowait
    { int *p = new int[2]{1, 2}; s += p[0] + int{3} + int(4); delete[] p; }
  }
  if (s > 0)
#pragma omp parallel
#pragma omp for
    for (int i = 0; i < 4; i++) t[i] = a::inc(i) > 0 ? 1 : throw 1;
  else
#pragma omp critical
    s = -1;
  (void)u;
  printf("%d %d %d %d %d %d\n", s, t[3], e::two(), linkage(1), same(3), f()(1) + g(1)(2));
}
