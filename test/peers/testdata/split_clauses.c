// issue: combined constructs leave simd, and order, on parallel
// coverage: parallel for simd; parallel for; parallel for
#include <stdio.h>
int main(void) {
  int s = 0, t = 0, a[64];
#pragma omp parallel for simd reduction(+ : s) simdlen(4) schedule(simd : static) if(parallel : 1) if(simd : 0)
  for (int i = 0; i < 64; i++) s += a[i] = i;
#pragma omp parallel for order(concurrent) num_threads(2)
  for (int i = 0; i < 64; i++) a[i]++;
#pragma omp parallel for schedule(static) lastprivate(t) firstprivate(s) collapse(2) proc_bind(close) default(shared)
  for (int i = 0; i < 8; i++)
    for (int j = 0; j < 8; j++) t = s + a[i * 8 + j];
  printf("%d %d\n", s, t);
}
