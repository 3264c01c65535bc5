// issue: sources are read before the preprocessor: macros that hold a directive's braces or its whole block
// coverage: parallel; single; critical; for
#include <stdio.h>
#define BEGIN {
#define END }
#define LOOP(v, n) for (int v = 0; v < (n); v++)
#define UNLESS(c) if (!(c)) {} else
int main(void) {
  int s = 0, t = 0;
#pragma omp parallel
  BEGIN
#pragma omp single
    BEGIN t++; END
#pragma omp critical
    UNLESS(t == 0) t += 0;
#pragma omp for reduction(+ : s)
    LOOP(i, 10) s += i;
  END
  printf("%d %d\n", s, t);
}
