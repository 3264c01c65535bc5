// issue: ordered depend(sink/source)
// coverage: parallel for; ordered; ordered; parallel; for; ordered
#include <stdio.h>
int main(void) {
  int a[10] = {1}, s = 0;
#pragma omp parallel for ordered(1) schedule(static, 1)
  for (int i = 1; i < 10; i++) {
#pragma omp ordered depend(sink : i - 1)
    a[i] = a[i - 1] + 1;
#pragma omp ordered depend(source)
  }
#pragma omp parallel
#pragma omp for ordered
  for (int i = 0; i < 10; i++) {
#pragma omp ordered
    s = s * 2 % 101 + a[i];
  }
  printf("%d\n", s);
}
