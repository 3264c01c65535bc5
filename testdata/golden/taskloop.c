void g(int);
void f(int n)
{
#pragma omp taskloop num_tasks(4) nogroup
  for (int i = 0; i < n; i++)
    g(i);
#pragma omp taskloop simd
  for (int i = 0; i < n; i++)
    g(i);
}
