// check: not all are executed
// issue: a simple statement followed by } on one line
// coverage: parallel; critical; parallel; atomic; barrier; parallel; master
#include <stdio.h>
static int s;
static void f(void) { 
#pragma omp parallel num_threads(2)
  {
#pragma omp critical
  s++; } }
static void g(void) {
#pragma omp parallel num_threads(2)
  { if (s) {
#pragma omp atomic
  s += 2; } else {
#pragma omp barrier
  } } }
int main(void) {
  f(), g();
  if (s) {
#pragma omp parallel
#pragma omp master
  s++; } printf("%d\n", s); }
