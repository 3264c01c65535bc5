// issue: if(parallel: x)
// coverage: parallel; parallel for; task; parallel; single; taskloop; taskwait
#include <omp.h>
#include <stdio.h>
int main(void) {
  int x = 0, n = 0, s = 0;
#pragma omp parallel if (parallel : x) reduction(+ : n)
  n += omp_get_num_threads();
#pragma omp parallel for if (parallel : !x) reduction(+ : s)
  for (int i = 0; i < 4; i++) s++;
#pragma omp task if (task : x) shared(n)
  n++;
#pragma omp parallel
#pragma omp single
#pragma omp taskloop if (taskloop : x)
  for (int i = 0; i < 2; i++)
    if (i) s++;
#pragma omp taskwait
  printf("%d %d\n", n, s);
}
