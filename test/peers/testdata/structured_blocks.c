// issue: do-while and if-else as the structured block
// coverage: parallel; critical; single; master; critical; atomic; parallel; single; task; taskwait
#include <stdio.h>
int main(void) {
  int s = 0, once = 0;
#pragma omp parallel num_threads(2)
  do
#pragma omp critical
    if (s < 100) s += 2; else s--;
  while (0);
#pragma omp single
  if (s > 3) { once++; } else if (s) once += 2; else once += 3;
#pragma omp master
  switch (s) { case 4: once += 10; break; default: once += 20; }
#pragma omp critical
  while (once < 15)
#pragma omp atomic
    once++;
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 3; i++) {
    if (i)
#pragma omp task firstprivate(i)
      do { s += i; } while (0);
    else
      s++;
#pragma omp taskwait
  }
  printf("%d %d\n", s, once);
}
