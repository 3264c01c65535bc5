// std: 11 14
// Brackets of attributes and of what stands around them as digraphs and trigraphs.
#include <cstdio>
int main() {
  int s = 0, n = 0;
  ??(??(omp::directive(parallel for reduction(+ : s))??)??)
  for (int i = 0; i < 10; i++) s += i;
  <:<:omp::sequence(directive(parallel num_threads(2)), directive(critical)):>:>
  s++;
  [??(omp::directive(parallel num_threads(3))]??) ??< [<: omp::directive(atomic) ]:> n++; ??>
  ??=pragma omp parallel num_threads(2)
  <%
  %:pragma omp barrier
    ??(??(omp::directive(single)??)??)
    ??<
      n += 10;
    ??>
  %>
  std::printf("%d %d\n", s, n);
}
