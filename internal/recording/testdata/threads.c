/* threads.c: 100 rounds of nested teams, whose threads come and go, and of a thread of the program's own with a team. */
#include <omp.h>
#include <pthread.h>
#include <stdio.h>
static void *body(void *x) {
#pragma omp parallel num_threads(2)
  {
#pragma omp critical
    (*(long *)x)++;
  }
  return 0;
}
int main(void) {
  omp_set_max_active_levels(3);
  long n = 0;
  for (int i = 0; i < 100; i++) {
#pragma omp parallel num_threads(2)
    {
#pragma omp parallel num_threads(3)
      {
#pragma omp atomic
        n++;
      }
    }
    pthread_t t; long m = 0;
    pthread_create(&t, 0, body, &m);
    pthread_join(t, 0);
    n += m;
  }
  printf("%ld\n", n);
}
