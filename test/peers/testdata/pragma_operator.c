// issue: _Pragma is passed over in silence
// coverage: parallel for; atomic; critical
// source: atomic; omp parallel for reduction(+ : s) skipped; omp critical skipped
// why: opari FILE reads the text before the preprocessor: it warns of each _Pragma and leaves it
#include <stdio.h>
#define SUM(body) _Pragma("omp parallel for reduction(+ : s)") for (int i = 0; i < 100; i++) { body; }
int main(void) {
  int s = 0, n = 0;
  SUM(s += i)
#pragma omp atomic
  n++;
  _Pragma("omp critical") { n++; }
  printf("%d %d\n", s, n);
}
