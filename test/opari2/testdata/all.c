/* One of each construct that EZTrace counts. All teams have the same size, because EZTrace aborts
 * otherwise. */
#include <omp.h>
#include <stdio.h>

static omp_lock_t lock;
static omp_nest_lock_t nest;

static int constructs(void)
{
    int x = 0;
#pragma omp parallel
    {
#pragma omp for schedule(dynamic, 2)
        for (int i = 0; i < 2; i++)
#pragma omp atomic
            x += i;
#pragma omp single
        {
#pragma omp task
#pragma omp atomic
            x++;
#pragma omp task untied
#pragma omp atomic
            x++;
#pragma omp taskwait
        }
#pragma omp sections
        {
#pragma omp section
            x++;
#pragma omp section
#pragma omp atomic
            x++;
        }
#pragma omp critical(name)
        x++;
#pragma omp master
        x++;
#pragma omp barrier
#pragma omp flush
#pragma omp for ordered
        for (int i = 0; i < 2; i++)
#pragma omp ordered
            x++;
    }
#pragma omp parallel for reduction(+ : x)
    for (int i = 0; i < 2; i++)
        x += i;
    return x > 0;
}

int main(void)
{
    omp_init_lock(&lock);
    omp_init_nest_lock(&nest);
    int done = constructs();
    omp_set_lock(&lock);
    omp_unset_lock(&lock);
    if (omp_test_lock(&lock))
        omp_unset_lock(&lock);
    omp_set_nest_lock(&nest);
    omp_unset_nest_lock(&nest);
    puts(done ? "done" : "failed");
    return 0;
}
