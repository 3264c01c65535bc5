/* Every construct that POMP2 and OPARI2 know. What a thread does depends on its number alone. */
#include <omp.h>
#include <stdio.h>

static int kept;
#pragma omp threadprivate(kept)

static int fib(int n)
{
    int a, b;
    if (n < 2)
        return n;
#pragma omp task shared(a) if (n > 2)
    a = fib(n - 1);
#pragma omp task shared(b) untied
    b = fib(n - 2);
#pragma omp taskwait
    return a + b;
}

static void orphan(int *count)
{
#pragma omp for schedule(static) nowait
    for (int i = 0; i < 4; i++) {
#pragma omp atomic
        (*count)++;
    }
#pragma omp barrier
}

int main(void)
{
    int count = 0, sum = 0, n = 0;
    omp_lock_t lock;
    omp_nest_lock_t nest;
    omp_init_lock(&lock);
    omp_init_nest_lock(&nest);
#pragma pomp inst init
#pragma omp parallel for reduction(+ : sum) schedule(static, 2) default(shared) firstprivate(n)
    for (int i = 0; i < 8; i++)
        sum += i + n;
#pragma pomp inst begin(whole)
#pragma omp parallel num_threads(omp_get_max_threads()) if (sum > 0) copyin(kept)
    {
        orphan(&count);
#pragma omp critical
        count++;
#pragma omp critical(named)
        {
            count++;
        }
#pragma omp master
        count++;
#pragma omp flush
#pragma omp for ordered schedule(static)
        for (int i = 0; i < 4; i++) {
#pragma omp ordered
            {
                count++;
            }
        }
#pragma omp for collapse(2) schedule(static) lastprivate(n)
        for (int i = 0; i < 2; i++)
            for (int j = 0; j < 2; j++)
                n = i + j;
        if (omp_get_num_threads() == 1) {
#pragma omp single
            count += fib(6);
#pragma omp single nowait
            count++;
#pragma omp sections
            {
#pragma omp section
                count++;
#pragma omp section
                count++;
            }
        }
        omp_set_lock(&lock);
        if (!omp_test_lock(&lock))
            omp_unset_lock(&lock);
    }
#pragma omp parallel sections num_threads(1)
    {
#pragma omp section
        count++;
#pragma omp section
        count++;
    }
#pragma pomp inst end(whole)
    omp_set_nest_lock(&nest);
    n += omp_test_nest_lock(&nest);
    omp_unset_nest_lock(&nest);
    omp_unset_nest_lock(&nest);
    omp_destroy_nest_lock(&nest);
    omp_destroy_lock(&lock);
#pragma omp parallel num_threads(1)
#pragma omp parallel num_threads(1)
    {
#pragma omp atomic
        count++;
    }
    printf("sum %d\n", sum);
    return count < 10;
}
