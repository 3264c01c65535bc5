void g(int);
void f(int n)
{
  int i;
#pragma omp parallel for ordered
  for (i = 0; i < n; i++) {
#pragma omp ordered
    g(i);
  }
#pragma omp parallel for ordered(1)
  for (i = 1; i < n; i++) {
#pragma omp ordered depend(sink : i - 1)
    g(i);
#pragma omp ordered depend(source)
  }
}
