/* golden: --parallel-barrier=implicit */
#include <stdio.h>

int main(void)
{
  int n = 3, x = 0;
#pragma omp parallel
  {
    printf("hello\n");
  }
#pragma omp parallel num_threads(n + 1) if(n > 2) reduction(+ : x)
  x++;
  if (n)
#pragma omp parallel if (parallel : n) default(none) shared(n) private(x)
    for (x = 0; x < n; x++)
      ;
  else
    x = 2;
#pragma omp parallel
#pragma omp parallel
  { n = 4; }
#pragma omp parallel for lastprivate(x) reduction(+ : n)
  for (int i = 0; i < 9; i++)
    n += x = i;
#pragma omp parallel
#pragma omp sections
  {
    n++;
#pragma omp section
    x++;
  }
#pragma omp parallel sections
  {
    n++;
#pragma omp section
    x++;
  }
#pragma omp parallel for
  for (int i = 0; i < 9; i++)
  {
#pragma omp cancel for if (i > x)
  }
  return x;
}
