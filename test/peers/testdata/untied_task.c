// issue: task untied shared(x) loses a letter
// coverage: parallel; single; task; task; taskwait
#include <stdio.h>
int main(void) {
  int x = 0, ntied = 1, if_x = 2;
#pragma omp parallel num_threads(2)
#pragma omp single
  {
#pragma omp task untied shared(x)
    x++;
#pragma omp task untied mergeable if(if_x) firstprivate(ntied) shared(x)
    __atomic_fetch_add(&x, ntied, __ATOMIC_RELAXED);
#pragma omp taskwait
  }
  printf("%d\n", x);
}
