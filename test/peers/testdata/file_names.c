// issue: file filters by name fail on the renamed file
// coverage: parallel; single
// check: filter
#include <stdio.h>
#include <string.h>
int main(void) {
  const char *name = strrchr(__FILE__, '/');
#pragma omp parallel
#pragma omp single
  printf("%s:%d\n", name ? name + 1 : __FILE__, __LINE__);
}
