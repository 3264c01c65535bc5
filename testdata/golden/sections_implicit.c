#include <omp.h>

void g(int);
omp_lock_t lock;

void f(int *a, int n)
{
#pragma omp sections
  {
    a[0] = 1; g(a[0]);
    if (n)
      g(1);
    else
      g(2); /* the last of it */
#pragma omp section
    g(3);
  }
#pragma omp parallel sections
  { g(1); }
#pragma omp parallel
#pragma omp sections nowait
  {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
      a[i] = i;
#pragma omp critical
    g(n);
#pragma omp section
    {
#pragma omp parallel sections
      {
        { int b = n; g(b); }
#pragma omp section
        g(4);
      }
    }
  }
#pragma omp sections
  {
    omp_set_lock(&lock); omp_unset_lock(&lock); }
#pragma omp sections
  {
#pragma omp section
    g(5);
  }
#pragma omp sections
  {
  again:
    if (a[n]++ < 3)
      goto again;
#ifdef WIDE
    g(6);
#endif
#pragma omp section
    g(7);
  }
#pragma omp sections
  {
#ifdef WIDE
    g(8);
#endif
#pragma omp section
    g(9);
  }
#pragma omp sections
  { g(10);
#ifdef WIDE
#pragma omp section
    g(11);
#endif
  }
#pragma pomp noinstrument
#pragma omp sections
  {
    g(12);
  }
#pragma pomp instrument
}
