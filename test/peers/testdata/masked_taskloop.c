// issue: parallel masked taskloop
// coverage: parallel masked taskloop; parallel master taskloop simd; parallel; masked taskloop
#include <stdio.h>
int main(void) {
  int s = 0, a[20];
#pragma omp parallel masked taskloop reduction(+ : s) grainsize(2) num_threads(2) filter(0)
  for (int i = 0; i < 20; i++) s += a[i] = i;
#pragma omp parallel master taskloop simd firstprivate(s) num_tasks(3)
  for (int i = 0; i < 20; i++) a[i] += s - s;
#pragma omp parallel num_threads(2)
#pragma omp masked taskloop filter(1)
  for (int i = 0; i < 20; i++) a[i]++;
  printf("%d %d\n", s, a[19]);
}
