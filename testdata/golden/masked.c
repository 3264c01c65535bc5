void g(int);
void f(void)
{
#pragma omp parallel
#pragma omp masked filter(1)
  { g(1); }
#pragma omp parallel masked taskloop simd grainsize(2) if(taskloop : 1)
  for (int i = 0; i < 4; i++)
    g(i);
}
