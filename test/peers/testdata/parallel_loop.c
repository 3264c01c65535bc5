// issue: parallel loop
// coverage: parallel loop; parallel; loop
#include <stdio.h>
int main(void) {
  int s = 0, a[20];
#pragma omp parallel loop reduction(+ : s) order(concurrent) bind(parallel) num_threads(2)
  for (int i = 0; i < 20; i++) s += a[i] = i;
#pragma omp parallel num_threads(2)
#pragma omp loop collapse(1)
  for (int i = 0; i < 20; i++) a[i]++;
  printf("%d\n", s);
}
