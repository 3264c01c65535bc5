#pragma once
template <typename T> struct Header {
  static int count(const T *a, int n) {
    int r = 0;
#pragma omp parallel for reduction(+ : r)
    for (int i = 0; i < n; i++) r += a[i] > 0;
    return r;
  }
};
inline int in_header(int *a, int n) {
#pragma omp parallel
#pragma omp for
  for (int i = 0; i < n; i++) a[i]++;
  return a[n - 1];
}
extern template struct Header<long>;
int elsewhere();
