// issue: omp_get_max_threads() hoisted into teams
// coverage: teams; distribute parallel for; teams; parallel; teams distribute parallel for
#include <omp.h>
#include <stdio.h>
int main(void) {
  int s = 0, t = 0, n[2] = {0, 0};
#pragma omp teams num_teams(2) thread_limit(2)
#pragma omp distribute parallel for
  for (int i = 0; i < 8; i++)
    __atomic_fetch_add(&s, i, __ATOMIC_RELAXED);
#pragma omp teams num_teams(2) thread_limit(2)
  {
    int k = omp_get_team_num();
#pragma omp parallel num_threads(2)
    if (omp_get_thread_num() == 0) n[k] = omp_get_num_threads();
  }
#pragma omp teams distribute parallel for num_teams(2) thread_limit(2) reduction(+ : t)
  for (int i = 0; i < 8; i++) t += i;
  printf("%d %d %d %d\n", s, t, n[0] > 0, n[1] <= 2);
}
