/* Each thread counts in a long of its own. Built with -DPADDED each has a line of the cache,
   with -DATOMIC all count in the same long. */
#include <omp.h>
#include <stdio.h>

#ifdef PADDED
#define WIDTH 16
#else
#define WIDTH 1
#endif

static volatile long counts[2 * 16] __attribute__((aligned(64)));

int main(void)
{
#pragma omp parallel num_threads(2)
  {
#ifdef ATOMIC
    volatile long *mine = counts;
#else
    volatile long *mine = &counts[omp_get_thread_num() * WIDTH];
#endif
    for (double end = omp_get_wtime() + 0.4; omp_get_wtime() < end;)
      for (int i = 0; i < 20000; i++)
#ifdef ATOMIC
        __atomic_fetch_add(mine, 1, __ATOMIC_RELAXED);
#else
        ++*mine; /* here */
#endif
  }
  printf("%ld\n", counts[0]);
  return 0;
}
