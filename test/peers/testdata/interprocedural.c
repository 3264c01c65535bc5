// issue: objects of interprocedural optimisation cannot be read at the link step
// coverage: parallel for; critical
// flags: -O2 -flto
#include <stdio.h>
int main(void) {
  int s = 0;
#pragma omp parallel for
  for (int i = 0; i < 10; i++)
#pragma omp critical
    s += i;
  printf("%d\n", s);
}
