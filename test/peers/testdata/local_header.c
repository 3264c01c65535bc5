// issue: a local header named like a system header
// coverage: parallel
// flags: -Ilocal
#include "stdint.h"
#include "stdio.h"
int printf(const char *, ...);
int main(void) {
  int n = 0;
#pragma omp parallel num_threads(2) reduction(+ : n)
  n += STDINT + STDIO;
  printf("%d\n", n);
}
