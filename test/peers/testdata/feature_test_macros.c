// issue: feature-test macros (_GNU_SOURCE, __STDC_*) defined in the source come too late after the inserted include
// coverage: parallel
// flags: -std=c99
#define _GNU_SOURCE
#define __STDC_FORMAT_MACROS
#include <sched.h>
#include <stdio.h>
#include <string.h>
int main(void) {
  cpu_set_t set;
  CPU_ZERO(&set);
  int n = 0;
#pragma omp parallel num_threads(2) reduction(+ : n)
  n += strchrnul("ab", 'c')[0] == 0;
  printf("%d %d\n", n, CPU_COUNT(&set));
}
