void f(int n, double *a)
{
  int i, last;
#pragma omp parallel
  {
#pragma omp for
    for (i = 0; i < n; i++)
      a[i] = 0;
#pragma omp for schedule(dynamic, 4) nowait
    for (i = 0; i < n; i++) a[i] += i;
#pragma omp for simd schedule(static) /* a comment */
    for (i = 0; i < n; i++) {
      a[i] *= 2;
    }
#pragma omp for lastprivate(last) \
                schedule(guided)
    for (i = 0; i < n; i++) last = i; /* done */
  }
}
