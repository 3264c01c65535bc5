int count(int n, int *a)
{
  int sum = 0;
#pragma omp teams num_teams(2)
  {
#pragma omp parallel
    sum = 1;
  }
  if (n > 1)
#pragma omp teams loop reduction(+ : sum)
    for (int i = 0; i < n; i++)
      sum += a[i];
#pragma omp teams loop lastprivate(n)
  for (n = 0; n < 100; n++)
    a[n]++;
#pragma omp target teams num_teams(2)
#pragma omp parallel
  a[0]++;
  return sum;
}
