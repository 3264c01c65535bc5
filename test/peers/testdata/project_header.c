// issue: sources are read before the preprocessor: directives in a header of the project
// coverage: parallel for; single; parallel
// source: parallel; omp parallel for reduction(+ : s) skipped; omp single skipped
// why: opari FILE leaves the headers alone
#include <stdio.h>
#include "project_header.h"
#include "project_header.inc"
int main(void) {
  int t = 0;
#pragma omp parallel
  t = two();
  printf("%d %d\n", sum(10), t);
}
