void f(int n, int *a)
{
  int k;
#pragma omp parallel
#pragma omp loop
  for (int i = 0; i < n; i++)
    a[i] = i;
#pragma omp parallel loop lastprivate(k)
  for (k = 0; k < n; k++)
    a[k]++;
}
