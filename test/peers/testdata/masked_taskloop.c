// issue: parallel masked taskloop
// coverage: parallel masked taskloop; parallel master taskloop simd; parallel; masked taskloop
#include <stdio.h>
static int a[20]; // static: clang 19 and 22 take one of main's as firstprivate, and lose what the tasks write
int main(void) {
  int n = 20, s = 0;
#pragma omp parallel masked taskloop grainsize(2) num_threads(2) filter(0) default(none) shared(a, n)
  for (int i = 0; i < n; i++) a[i] = i;
#pragma omp parallel master taskloop simd firstprivate(s) num_tasks(3)
  for (int i = 0; i < 20; i++) a[i] += s - s;
#pragma omp parallel num_threads(2)
#pragma omp masked taskloop filter(1)
  for (int i = 0; i < 20; i++) a[i]++;
  for (int i = 0; i < 20; i++) s += a[i];
  printf("%d\n", s);
}
