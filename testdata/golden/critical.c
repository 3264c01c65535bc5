int total;
void f(int x)
{
#pragma omp critical
  total += x;
#pragma omp critical(named)
  {
    total -= x;
  }
  if (x)
#pragma omp critical(named)
    total = 0;
}
