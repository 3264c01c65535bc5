/* Constructs that POMP2 does not know, or that OPARI2 does not take. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 40 };

static long tree(int depth)
{
    long a = 0, b = 0;
    if (depth == 0)
        return 1;
#pragma omp taskgroup
    {
#pragma omp task shared(a) untied
        a = tree(depth - 1);
#pragma omp task shared(b) if (depth > 2) final(depth < 2) mergeable
        b = tree(depth - 1);
    }
    return a + b;
}

int main(void)
{
    int a[N], order = 0, sum = 0, count = 0, found = 0;
    omp_lock_t lock;
    omp_init_lock(&lock);
#pragma omp parallel
    {
#pragma omp masked
        count++;
#pragma omp scope reduction(+ : sum)
        sum += 1;
#pragma omp loop
        for (int i = 0; i < N; i++)
            a[i] = i;
#pragma omp single
        {
#pragma omp taskloop grainsize(4) shared(a)
            for (int i = 0; i < N; i++)
                a[i]++;
#pragma omp taskloop nogroup num_tasks(3) shared(a)
            for (int i = 0; i < N; i++)
                a[i]++;
#pragma omp taskwait
#pragma omp task depend(out : order)
            order++;
#pragma omp task depend(inout : order)
            order++;
#pragma omp taskyield
        }
#pragma omp for ordered(1)
        for (int i = 1; i < N; i++) {
#pragma omp ordered depend(sink : i - 1)
            a[i] += a[i - 1] > 0;
#pragma omp ordered depend(source)
        }
        omp_set_lock(&lock);
        count++;
        omp_unset_lock(&lock);
    }
#pragma omp parallel master taskloop
    for (int i = 0; i < N; i++)
        a[i]++;
#pragma omp parallel masked
    count += tree(6) == 64;
#pragma omp teams distribute parallel for num_teams(2)
    for (int i = 0; i < N; i++)
        a[i]++;
#pragma omp target teams distribute parallel for map(tofrom : a)
    for (int i = 0; i < N; i++)
        a[i]++;
#pragma omp parallel
    {
#pragma omp for simd schedule(dynamic, 2) nowait
        for (int i = 0; i < N; i++)
            a[i]++;
#pragma omp sections
        {
#pragma omp atomic update
            found++;
#pragma omp section
#pragma omp atomic write
            found = 1;
        }
#pragma omp critical(x) hint(omp_sync_hint_contended)
        count++;
    }
    omp_destroy_lock(&lock);
    printf("%d %d\n", order, sum > 0);
    return order != 2 || count < 2;
}
