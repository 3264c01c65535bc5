/* A lock that its owner sets twice. */
#include <omp.h>
#include <stdio.h>
static omp_nest_lock_t l;
static int n;
static void add(void)
{
    omp_set_nest_lock(&l);
    n++;
    omp_unset_nest_lock(&l);
}
int main(void)
{
    omp_init_nest_lock(&l);
#pragma omp parallel num_threads(4)
    {
        omp_set_nest_lock(&l);
        add();
        n++;
        omp_unset_nest_lock(&l);
    }
    omp_destroy_nest_lock(&l);
    printf("%d\n", n);
    return 0;
}
