// check: not all are executed
// issue: conditional compilation: directives and braces in the branches of #if
// coverage: parallel for; parallel for; critical
// source: parallel; critical; parallel for; parallel for; critical
// flags: -DFAST
#include <stdio.h>
int main(void) {
  int s = 0;
#ifndef FAST
#pragma omp parallel
  {
#pragma omp critical
    s = -1;
#else
#pragma omp parallel for reduction(+ : s)
  for (int i = 0; i < 4; i++) {
    s += i;
#endif
  }
#if defined FAST && FAST > 5
  s = 0;
#elif defined FAST
#pragma omp parallel for \
    schedule(static)
#endif
  for (int i = 0; i < 4; i++)
#pragma omp critical
    s += 10;
  printf("%d\n", s);
}
