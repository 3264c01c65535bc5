int counter;
#pragma omp threadprivate(counter)
#pragma omp declare simd
int plus(int x) { return x + 1; }
#pragma omp declare reduction(mine : int : omp_out += omp_in)
int sum(int n, int *a)
{
  int s = 0;
#pragma omp simd reduction(+ : s)
  for (int i = 0; i < n; i++)
    s += a[i];
#pragma omp nothing
  return s;
}
