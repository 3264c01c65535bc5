// Directives that are given by attributes: OpenMP 5.2 [3.1].
int a[10], n, s;
void f(int);

void g() {
    [[omp::directive(parallel for, reduction(+ : s))]] for (int i = 0; i < n; i++)
        s += a[i];
    [[omp::sequence(directive(parallel num_threads(4)),
                    omp::directive(for schedule(static, 1)))]] // two in one attribute
    for (int i = 0; i < n; i++) {
        [[using omp : directive(critical(sum), hint(0))]] { s++; }
        if (i == 3) [[omp::directive(taskyield)]]; else f(i);
        f(1); [[omp::sequence(directive(taskwait), directive(flush(s)))]]; f(2);
    }
    [[omp::sequence(directive(parallel), directive(simd))]] for (int i = 0; i < n; i++) a[i]++;
    #pragma omp parallel sections
    {
        f(1);
        [[omp::directive(section)]] { f(2); }
        [[omp::directive(section)]] f(3);
    }
    [[omp::directive(simd)]] // no call may stand in it
    for (int i = 0; i < n; i++) a[i]--;
    [[likely, omp::directive(single)]] f(3);
    [[omp::directive(declare simd)]] int h(int);
    [[omp::directive(target teams distribute parallel for)]] for (int i = 0; i < n; i++) a[i]++;
    [[omp::directive /* comments */ (ordered, // and lines
      simd)]]
    { f(4); }
}
