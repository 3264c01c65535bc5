int f(void)
{
  int x;
#pragma omp parallel private(x)
  {
#pragma omp single
    x = 1;
#pragma omp single nowait
    {
      x = 2;
    }
#pragma omp single copyprivate(x)
    x = 3;
  }
  return 0;
}
