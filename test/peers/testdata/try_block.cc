// check: not all are executed
// issue: parallel with try {} catch {}
// coverage: parallel; critical; atomic; parallel for; parallel; single; task
#include <cstdio>
int main() {
  int s = 0;
#pragma omp parallel num_threads(2)
  try {
    throw 2;
  } catch (int i) {
#pragma omp critical
    s += i;
  } catch (...) {
#pragma omp atomic
    s--;
  }
#pragma omp parallel for reduction(+ : s)
  for (int i = 0; i < 3; i++) try { if (i) throw i; } catch (int k) { s += k; }
#pragma omp parallel
#pragma omp single
#pragma omp task shared(s)
  try { s++; throw "x"; } catch (const char *) { s++; }
  std::printf("%d\n", s);
}
