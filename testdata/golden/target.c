void g(void);
void f(int n, int *a)
{
#pragma omp target data map(tofrom : a[0 : n])
  {
#pragma omp target map(to : n)
    {
#pragma omp parallel for
      for (int i = 0; i < n; i++)
        a[i] = i;
    }
#pragma omp target update from(a[0 : n])
#pragma omp parallel
    g();
  }
#pragma omp target enter data map(to : a[0 : n])
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++)
    a[i] = i;
#pragma omp target exit data map(from : a[0 : n])
}
#pragma omp declare target
int twice(int x)
{
#pragma omp parallel
  x++;
  return x;
}
#pragma omp end declare target
