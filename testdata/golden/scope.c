int f(void)
{
  int s = 0;
#pragma omp parallel
#pragma omp scope reduction(+ : s)
  s++;
#pragma omp parallel
#pragma omp scope nowait
  ;
  return s;
}
