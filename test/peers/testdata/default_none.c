// issue: default(none) on teams and target
// coverage: teams; distribute; target; target teams distribute parallel for; parallel; atomic; parallel for; parallel; single; task
#include <stdio.h>
int main(void) {
  int s = 0, t = 0, u = 0, v = 0, n = 10;
#pragma omp teams default(none) shared(s, n) num_teams(1)
#pragma omp distribute
  for (int i = 0; i < n; i++) s += i;
#pragma omp target map(tofrom : t) firstprivate(n)
  for (int i = 0; i < n; i++) t += i;
#pragma omp target teams distribute parallel for default(none) map(tofrom : u) firstprivate(n) reduction(+ : u)
  for (int i = 0; i < n; i++) u += i;
#pragma omp parallel default(none) shared(v) num_threads(2)
#pragma omp atomic
  v++;
#pragma omp parallel for default(none) firstprivate(n) reduction(+ : v)
  for (int i = 0; i < n; i++) v++;
#pragma omp parallel default(none) shared(v)
#pragma omp single
#pragma omp task default(none) shared(v)
  v++;
  printf("%d %d %d %d\n", s, t, u, v);
}
