/* mapped.c: what target constructs map: whole variables, array sections, members of a structure, what a pointer points to; once and several times. */
#include <stdlib.h>

enum { N = 100 };
static int a[N], b[N], s;
static struct pair {
    int first[10], second[10];
} p;

static void one_by_one(void)
{
#pragma omp target map(tofrom : a)
    a[0] = 1;
#pragma omp target map(to : p.second[2 : 3]) map(from : s)
    s = p.second[2];
#pragma omp target teams distribute parallel for num_teams(2) thread_limit(1) map(tofrom : b)
    for (int i = 0; i < N; i++)
        b[i] = i;
}

static void nested(int x)
{
#pragma omp target data map(to : a) map(from : b[8 : 16]) map(alloc : x)
    {
#pragma omp target map(tofrom : a, b[8 : 16])
        b[9] = a[0];
#pragma omp target update to(a[2 : 5])
#pragma omp target map(always, to : a)
        a[1] = 4;
#pragma omp target data map(tofrom : a[1 : 2]) map(to : s)
        {
#pragma omp target update from(b[8 : 4])
        }
    }
}

static void pointed_to(int n)
{
    int *h = malloc((size_t)n * sizeof *h);
    for (int i = 0; i < n; i++)
        h[i] = i;
#pragma omp target enter data map(to : h[0 : n]) map(alloc : b)
#pragma omp target enter data map(to : h[0 : n])
#pragma omp target map(tofrom : h[0 : n])
    h[1] = 7;
#pragma omp target exit data map(from : h[0 : n])
#pragma omp target exit data map(always, from : h[0 : n]) map(delete : b)
#pragma omp target nowait map(tofrom : s) depend(out : s)
    s++;
#pragma omp target update to(s) nowait depend(inout : s)
#pragma omp taskwait
    free(h);
}

int main(void)
{
    one_by_one();
    nested(5);
    pointed_to(N);
    return 0;
}
