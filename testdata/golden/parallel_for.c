double f(int n, double *a)
{
  double s = 0;
  int i, last = 0, x = 0;
#pragma omp parallel for schedule(static) reduction(+ : s) if(n > 100) num_threads(4)
  for (i = 0; i < n; i++)
    s += a[i];
#pragma omp parallel for default(none) shared(a, n) firstprivate(x) lastprivate(x, last)
  for (i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      x = i;
      last = j;
      a[i] = 1;
    }
#pragma omp parallel for collapse(2) lastprivate(last)
  for (i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      last = j;
#pragma omp parallel for simd reduction(+ : s) private(last) linear(x : 2)
  for (i = 0; i < n; i++)
    s += a[i];
  return s + last;
}
