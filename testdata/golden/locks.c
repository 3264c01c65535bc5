#include <omp.h>

static omp_lock_t lock;
static omp_nest_lock_t nest;

int f(void)
{
  int n = 0;
  omp_init_lock(&lock);
  omp_init_nest_lock_with_hint (&nest, omp_sync_hint_contended);
  omp_set_lock(&lock); n++; omp_unset_lock(&lock);
  if (omp_test_lock(&lock))
    omp_unset_lock(&lock);
  while (!omp_test_nest_lock(
      &nest))
    ;
  omp_unset_nest_lock(&nest);
  omp_destroy_nest_lock(&nest);
  omp_destroy_lock(&lock);
  return n;
}
