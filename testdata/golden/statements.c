void g(int);
void f(int n)
{
  int i;
#pragma omp critical
  if (n)
    g(1);
  else
    g(2);
#pragma omp critical
  do
    n--;
  while (n);
#pragma omp critical
  switch (n) {
  case 1:
    g(1);
  }
#pragma omp critical
again:
  while (n > 0) n--;
#pragma omp critical
  ; g(3); /* two on a line */ g(4);
  if (n)
#pragma omp critical
    g(5);
  else
#pragma omp critical
    g(6);
  for (i = 0; i < n; i++)
#pragma omp critical
    { g(7); }
#pragma omp parallel
#pragma omp master
#pragma omp critical
  { g(8); } g(9);
}
