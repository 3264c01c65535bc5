// issue: dependency files name the instrumented file
// coverage: parallel
// flags: -MMD -MF deps.d
// check: dependencies
#include <stdio.h>
#include "dependencies.h"
int main(void) {
#pragma omp parallel
  { }
  puts(WORD);
}
