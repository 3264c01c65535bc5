// issue: default(none), num_threads, if alone on a continuation line
// coverage: parallel; for; task; taskwait
#include <stdio.h>
int main(void) {
  int s = 0, n = 2;
#pragma omp parallel \
    default(none) \
    shared(s, n) \
    num_threads(n) \
    if (n > 1)
  {
#pragma omp for \
    reduction(+ \
              : s) \
    schedule \
    (static)
    for (int i = 0; i < 10; i++) s += i;
  }
#pragma omp task \
    if \
    (n > 5) \
    final(0) \
    default(none) shared(s)
  s++;
#pragma omp taskwait
  printf("%d\n", s);
}
