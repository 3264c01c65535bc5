int f(int *x)
{
  int v;
#pragma omp atomic
  x[0]++;
#pragma omp atomic capture
  {
    v = x[1];
    x[1] += 2;
  }
#pragma omp atomic read
  v = x[2];
  while (v)
#pragma omp atomic update
    v--;
  return v;
}
