void g(int);
void f(int n)
{
#ifdef WIDE
#pragma omp parallel for num_threads(8)
#else
#pragma omp parallel for
#endif
  for (int i = 0; i < n; i++)
    g(i);
#ifdef _OPENMP
#pragma omp critical
#endif
  { g(1); }
#pragma omp single
#if defined(WIDE)
  g(2);
#else
  g(3);
#endif
}
