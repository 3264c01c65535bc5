// std: 11 14 17 20 23
// Exceptions: try blocks as structured blocks, thrown and caught inside regions, around them, and through functions.
#include <cstdio>
#include <stdexcept>
#include <string>
struct Err : std::runtime_error {
  using std::runtime_error::runtime_error;
};
static int thrown;
[[noreturn]] static void fail(int i) { throw Err("e" + std::to_string(i)); }
static int guarded(int i) try {
  if (i % 3 == 0) fail(i);
  int r = 0;
#pragma omp parallel for reduction(+ : r)
  for (int k = 0; k < i; k++) try {
      if (k == 2) throw k;
      r += k;
    } catch (int x) {
      r += x * 10;
    }
  return r;
} catch (const Err &e) {
#pragma omp critical(count)
  thrown++;
  return -1;
}
int main() {
  int s = 0;
#pragma omp parallel for reduction(+ : s)
  for (int i = 0; i < 12; i++) s += guarded(i);
#pragma omp parallel num_threads(3)
  try {
#pragma omp critical
    try {
      fail(1);
    } catch (std::logic_error &) {
      s = 0;
    } catch (...) {
      s++;
    }
    fail(2);
  } catch (std::exception &e) {
#pragma omp atomic
    s += e.what()[1] - '0';
  }
#pragma omp parallel
#pragma omp single
  {
    for (int i = 0; i < 5; i++)
#pragma omp task shared(s)
      try {
        if (i & 1) throw i;
#pragma omp atomic
        s += 100;
      } catch (int v) {
#pragma omp critical
        { s += v; }
      }
#pragma omp taskgroup
    {
      try {
        throw 1;
      } catch (...) {
#pragma omp task
        {
#pragma omp atomic
          ++s;
        }
      }
    }
  }
#pragma omp parallel sections
  {
    try { throw "a"; } catch (const char *) {
#pragma omp atomic
      s++;
    }
#pragma omp section
    try { fail(3); } catch (Err &e) {
#pragma omp atomic
      s++;
    }
  }
  try {
    for (int i = 0;; i++) {
      int k = 0;
#pragma omp parallel reduction(+ : k) num_threads(2)
      k++;
      if (i == 3) throw k;
    }
  } catch (int k) {
    s += k;
  }
  std::printf("%d %d\n", s, thrown);
}
