int f(int n, int *a)
{
  int i, found = 0;
#pragma omp parallel shared(found)
  {
#pragma omp for
    for (i = 0; i < n; i++) {
      if (a[i]) {
        found = i;
#pragma omp cancel for
      }
#pragma omp cancellation point for
    }
#pragma omp single
    found++;
    if (found > 1) {
#pragma omp cancel parallel
    }
  }
  return found;
}
