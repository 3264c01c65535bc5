// std: 11 14 17 20 23
// Where directives hide: macros that expand to directives and braces, _Pragma, #if in the middle, files that are included.
#include <cstdio>
#include "macros.h"
#define DO(x) _Pragma(#x)
#define PARALLEL_FOR _Pragma("omp parallel for")
#define LOOP(i, n) for (int i = 0; i < (n); i++)
#define BEGIN {
#define END }
#define CRITICAL(name, body) \
  do { \
    DO(omp critical(name)) \
    { body; } \
  } while (0)
#define THREADS num_threads(2)
#define EACH(v, body) DO(omp parallel for schedule(static)) for (auto &it : v) { body; }
#define NAME parallel
int main() {
  int s = 0, a[10] = {};
  PARALLEL_FOR
  LOOP(i, 10) a[i] = i;
  DO(omp parallel THREADS reduction(+ : s))
  BEGIN
    DO(omp for)
    LOOP(i, 10) s += a[i];
  END
#pragma omp parallel THREADS
  BEGIN
    CRITICAL(hidden, s++);
#pragma omp barrier
  END
  EACH(a, it++)
#pragma omp NAME for
  LOOP(i, 10) { a[i]++; }
#pragma omp parallel
  {
#include "macros.inc"
#ifdef NOT_DEFINED
#pragma omp for
#else
#pragma omp for schedule(dynamic)
#endif
    for (int i = 0; i < 10; i++)
#if __cplusplus > 201103L
#pragma omp atomic
      a[0] += i;
#else
    {
#pragma omp critical
      a[0] += i;
    }
#endif
    if (a[0]) {
      _Pragma("omp flush") }
  }
#pragma omp parallel for
  for (int i = 0; i < 10; i++)
#if 1
    if (i & 1)
#endif
      a[i]--;
  s += Header<int>::count(a, 10) + in_header(a, 10) + elsewhere();
  std::printf("%d %d %d\n", s, a[0], a[9]);
}
