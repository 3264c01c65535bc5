// issue: schedule(dynamic,(a)*(b))
// coverage: parallel for; parallel; for
#include <stdio.h>
int main(void) {
  int s = 0, a = 2, b = 3;
#pragma omp parallel for schedule(dynamic,(a)*(b)) reduction(+:s)
  for (int i = 0; i < 100; i++) s += i;
#pragma omp parallel if((a)>(b)||(b)) num_threads((a)*(b)-(a))
#pragma omp for schedule(guided,((a)+(b))) reduction(+:s)
  for (int i = 0; i < 100; i++) s += i;
  printf("%d\n", s);
}
