void f(int n, int *a)
{
#pragma omp parallel
#pragma omp loop
  for (int i = 0; i < n; i++)
    a[i] = i;
#pragma omp parallel loop lastprivate(n)
  for (int i = 0; i < 4; i++)
    n = i;
}
