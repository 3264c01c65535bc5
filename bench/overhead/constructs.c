#include <omp.h>
#include "overhead.h"

static long shared_sum;

static struct locks locks;
#ifdef OVERHEAD_OWN
#pragma omp threadprivate(locks)
#endif

void k_parallel(long repetitions)
{
    for (long i = 0; i < repetitions; i++) {
#pragma omp parallel
        work();
    }
}

void k_parallel_for(long repetitions)
{
    for (long i = 0; i < repetitions; i++) {
#pragma omp parallel for schedule(static)
        for (int j = 0; j < 2; j++)
            work();
    }
}

void k_reduction(long repetitions)
{
    int sum = 0;
    for (long i = 0; i < repetitions; i++) {
#pragma omp parallel reduction(+ : sum)
        sum += 1;
    }
    shared_sum = sum;
}

void k_for_static(long repetitions)
{
#pragma omp parallel
    for (long i = 0; i < repetitions; i++) {
#pragma omp for schedule(static)
        for (int j = 0; j < 2; j++)
            work();
    }
}

void k_for_nowait(long repetitions)
{
#pragma omp parallel
    for (long i = 0; i < repetitions; i++) {
#pragma omp for schedule(static) nowait
        for (int j = 0; j < 2; j++)
            work();
    }
}

void k_for_dynamic(long repetitions)
{
#pragma omp parallel
    for (long i = 0; i < repetitions; i++) {
#pragma omp for schedule(dynamic, 4)
        for (int j = 0; j < 8; j++)
            work();
    }
}

void k_sections(long repetitions)
{
#pragma omp parallel
    for (long i = 0; i < repetitions; i++) {
#pragma omp sections
        {
#pragma omp section
            work();
#pragma omp section
            work();
        }
    }
}

void k_single(long repetitions)
{
#pragma omp parallel
    for (long i = 0; i < repetitions; i++) {
#pragma omp single
        work();
    }
}

void k_single_nowait(long repetitions)
{
#pragma omp parallel
    for (long i = 0; i < repetitions; i++) {
#pragma omp single nowait
        {
            work();
            longer();
        }
        apart();
    }
}

void k_barrier(long repetitions)
{
#pragma omp parallel
    for (long i = 0; i < repetitions; i++) {
        work();
#pragma omp barrier
    }
}

void k_master(long repetitions)
{
#pragma omp parallel
    for (long i = 0; i < repetitions; i++) {
#pragma omp master
        work();
    }
}

void k_critical(long repetitions)
{
#pragma omp parallel
    for (long i = 0; i < repetitions; i++) {
#pragma omp critical
        {
            work();
            longer();
        }
        apart();
    }
}

void k_critical_named(long repetitions)
{
#pragma omp parallel
    for (long i = 0; i < repetitions; i++) {
#pragma omp critical(name)
        {
            work();
            longer();
        }
        apart();
    }
}

void k_atomic(long repetitions)
{
#pragma omp parallel
    for (long i = 0; i < repetitions; i++) {
#pragma omp atomic
        shared_sum += 1;
    }
}

void k_lock(long repetitions)
{
    EACH_THREAD
    omp_init_lock(&locks.plain);
#pragma omp parallel
    for (long i = 0; i < repetitions; i++) {
        omp_set_lock(&locks.plain);
        work();
        longer();
        omp_unset_lock(&locks.plain);
        apart();
    }
    EACH_THREAD
    omp_destroy_lock(&locks.plain);
}

void k_nest_lock(long repetitions)
{
    EACH_THREAD
    omp_init_nest_lock(&locks.nest);
#pragma omp parallel
    for (long i = 0; i < repetitions; i++) {
        omp_set_nest_lock(&locks.nest);
        work();
        longer();
        omp_unset_nest_lock(&locks.nest);
        apart();
    }
    EACH_THREAD
    omp_destroy_nest_lock(&locks.nest);
}

void k_flush(long repetitions)
{
#pragma omp parallel
    for (long i = 0; i < repetitions; i++) {
#pragma omp flush
        work();
    }
}

void k_ordered(long repetitions)
{
#pragma omp parallel for ordered schedule(static, 1)
    for (long i = 0; i < repetitions; i++) {
#pragma omp ordered
        {
            work();
            longer();
        }
        apart();
    }
}

void k_task(long repetitions)
{
#pragma omp parallel
    for (long i = 0; i < repetitions; i++) {
#pragma omp task
        {
            work();
            longer();
        }
        apart();
        if (i % 32 == 31) { /* not more than the runtime queues before it runs them at once */
#pragma omp taskwait
        }
    }
}

void k_taskwait(long repetitions)
{
#pragma omp parallel
    for (long i = 0; i < repetitions; i++) {
        work();
#pragma omp taskwait
    }
}
