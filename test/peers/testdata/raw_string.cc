// issue: directive text inside a raw string gets instrumented
// coverage: parallel; critical
#include <cstdio>
static const char *text = R"x(
#pragma omp parallel
{ )"
#pragma omp critical
)x";
/*
#pragma omp single
*/
int main() {
  int n = 0;
#pragma omp parallel num_threads(2)
  {
#pragma omp critical
    n += sizeof R"(
#pragma omp barrier
)";
  }
  std::printf("%s%d\n", text, n);
}
