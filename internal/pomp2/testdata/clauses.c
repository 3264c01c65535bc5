/* Clauses of which POMP2's strings say more than that they are there. */
static int kept;
#pragma omp threadprivate(kept)

int main(void)
{
    int n = 0, a = 0, b = 0, c = 0, i, j;
#pragma omp parallel for default(none) shared(a, b) firstprivate(n) lastprivate(c) \
    schedule(dynamic, 3 * 1) private(j) if (a == 0) num_threads(2)
    for (i = 0; i < 1; i++)
        c = n + a + b;
#pragma omp parallel default(shared) private(j) copyin(kept) reduction(+ : n)
    {
#pragma omp for schedule(static) nowait
        for (i = 0; i < 1; i++)
            n++;
#pragma omp for schedule(guided, c ? 2 : 1) collapse(2) lastprivate(a)
        for (i = 0; i < 1; i++)
            for (j = 0; j < 1; j++)
                a = i + j;
#pragma omp for schedule(runtime) ordered
        for (i = 0; i < 1; i++)
            n++;
#pragma omp for schedule(auto)
        for (i = 0; i < 1; i++)
            n++;
#pragma omp single copyprivate(kept)
        kept++;
#pragma omp sections firstprivate(b) lastprivate(b) nowait
        {
#pragma omp section
            b++;
        }
#pragma omp task shared(c) default(none) firstprivate(a) untied if (a)
        c = a;
#pragma omp task mergeable final(a)
        a++;
#pragma omp task default(shared) private(i)
        i = 1;
    }
    return n < 0;
}
