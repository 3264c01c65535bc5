void f(int n, int *a)
{
  int i, last = 0;
  long sum = 0;
#pragma omp teams num_teams(2)
  {
#pragma omp distribute parallel for schedule(dynamic)
    for (int i = 0; i < n; i++)
      a[i] = i;
    if (n > 1)
#pragma omp distribute dist_schedule(static, 4) lastprivate(last)
      for (i = 0; i < n; i++)
        last = i;
  }
#pragma omp teams distribute parallel for simd
  for (int i = 0; i < n; i++)
    a[i] = i;
#pragma omp teams distribute reduction(+ : sum) collapse(2)
  for (i = 0; i < 10; i++)
    for (int j = 0; j < n; j++) {
      sum += a[i];
#pragma omp parallel num_threads(2)
      a[j]++;
    }
  if (n > 1)
#pragma omp teams distribute simd default(none) shared(a, n) private(last) firstprivate(sum)
    for (i = 0; i < n; i++)
      a[i] = (int)sum;
#pragma omp target teams distribute
  for (int i = 0; i < n; i++)
    a[i] = i;
}
void orphaned(int n, int *a)
{
#pragma omp distribute
  for (int i = 0; i < n; i++)
    a[i] = i;
}
