void f(int *a)
{
#pragma omp parallel
#pragma omp sections
  {
#pragma omp section
    a[0] = 1;
#pragma omp section
    {
      a[1] = 2;
    }
  }
#pragma omp parallel sections num_threads(2)
  {
    a[2] = 3;
#pragma omp section
    a[3] = 4;
  }
}
