void g(int);
void f(void)
{
#pragma omp taskgroup
  {
#pragma omp task
    g(1);
  }
}
