// issue: millions of small atomics, locks and flushes make huge traces (the only remedy is --disable)
// coverage: parallel; atomic; flush; omp_init_lock; omp_set_lock; omp_unset_lock
// check: small profile
#include <omp.h>
#include <stdio.h>
int main(void) {
  long n = 0, m = 0;
  omp_lock_t lock;
  omp_init_lock(&lock);
#pragma omp parallel num_threads(2)
  for (int i = 0; i < 100000; i++) {
#pragma omp atomic
    n++;
#pragma omp flush
    omp_set_lock(&lock);
    m++;
    omp_unset_lock(&lock);
  }
  printf("%ld %ld\n", n, m);
}
