void g(int);
void f(void)
{
#pragma omp parallel
  {
#pragma omp master
    g(1);
  }
#pragma omp parallel master
  g(2);
#pragma omp parallel master taskloop
  for (int i = 0; i < 4; i++)
    g(i);
}
