void f(int n, int *a)
{
#pragma omp teams num_teams(2)
  {
#pragma omp distribute parallel for
    for (int i = 0; i < n; i++)
      a[i] = i;
  }
#pragma omp teams distribute parallel for simd
  for (int i = 0; i < n; i++)
    a[i] = i;
}
