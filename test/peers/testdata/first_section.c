// issue: a first SECTION left out
// coverage: parallel sections; section; parallel; sections; section
#include <stdio.h>
int main(void) {
  int s = 0, t = 0;
#pragma omp parallel sections reduction(+ : s)
  {
    s += 1;
#pragma omp section
    s += 2;
  }
#pragma omp parallel
#pragma omp sections
  {
    if (s) t = 1; else t = 2;
#pragma omp section
    { s += 4; }
  }
  printf("%d %d\n", s, t);
}
