/* The details of constructs, for a library that asks for them: the value of final, once evaluated, and the iterations of loops. */
extern int f(int);
void visit(int n, int *a)
{
#pragma omp task if(n > 2) final(f(n)) firstprivate(n)
    visit(n - 1, a);
#pragma omp task
    f(n);
    if (n > 0)
#pragma omp parallel for default(none) shared(n, a) collapse(2)
        for (int i = 0; i < n; i++)
            for (int j = n; j >= 2; j -= 2)
                a[i] += j;
    else
#pragma omp taskloop
        for (int i = 0; i < 100; i += 3)
            a[i] = 0;
#pragma omp for
    for (int i = 0; i < f(n); i++)
        a[i] = 1;
}
