/* Loops whose chunks the runtime hands out, each twice on 2 threads, and one that it does not. */
#include "unit.h"

#include <omp.h>

enum { PAR = 1, UP, DOWN, LONG, SET, OUTER, NESTED, INNER, FIXED, AROUND };

UNIT(REGION(PAR, PARALLEL, "parallel"), REGION(UP, FOR, "for"), REGION(DOWN, FOR, "for"), REGION(LONG, FOR, "for"),
     REGION(SET, FOR, "for"), REGION(OUTER, FOR, "for"), REGION(NESTED, PARALLEL, "parallel"), REGION(INNER, FOR, "for"),
     REGION(FIXED, FOR, "for"), REGION(AROUND, FOR, "for"))

static int sums[64];

static void add(long i) { sums[omp_get_thread_num()] += (int)i; }

static void inner(void)
{
    void *handle = POMP_Parallel_fork ? POMP_Parallel_fork(&pomp_d[NESTED - 1], 1, 1) : 0;
#pragma omp parallel num_threads(1)
    {
        if (handle)
            POMP_Parallel_begin(&pomp_d[NESTED - 1], handle);
        EVENT(For_enter, INNER);
#pragma omp for schedule(dynamic, 1) nowait
        for (int i = 0; i < 10; i++)
            add(i);
        EVENT(For_exit, INNER);
        if (handle)
            POMP_Parallel_end(&pomp_d[NESTED - 1], handle);
    }
    if (handle)
        POMP_Parallel_join(&pomp_d[NESTED - 1], handle);
}

/* This stands for code that is not instrumented. */
static void foreign(void)
{
#pragma omp parallel for num_threads(1) schedule(dynamic, 1)
    for (int i = 0; i < 10; i++)
        add(i);
}

static void loops(void)
{
    EVENT(For_enter, UP);
#pragma omp for schedule(dynamic, 3) nowait
    for (int i = 0; i < 100; i++)
        add(i);
    EVENT(For_exit, UP);
    EVENT(For_enter, DOWN);
#pragma omp for schedule(dynamic, 2) nowait
    for (long i = 1000; i > 0; i -= 7)
        add(i);
    EVENT(For_exit, DOWN);
    EVENT(For_enter, LONG);
#pragma omp for schedule(dynamic, 5) nowait
    for (unsigned long long i = 1ull << 63; i < (1ull << 63) + 303; i += 3)
        add((long)(i & 7));
    EVENT(For_exit, LONG);
    EVENT(For_enter, SET);
#pragma omp for schedule(runtime) nowait
    for (int i = 0; i < 40; i++)
        add(i);
    EVENT(For_exit, SET);
    EVENT(For_enter, OUTER);
#pragma omp for schedule(dynamic, 1) nowait
    for (int i = 0; i < 4; i++)
        inner();
    EVENT(For_exit, OUTER);
    EVENT(For_enter, FIXED);
#pragma omp for schedule(static) nowait
    for (int i = 0; i < 40; i++)
        foreign();
    EVENT(For_exit, FIXED);
    EVENT(For_enter, AROUND);
#pragma omp for schedule(dynamic, 1) nowait
    for (int i = 0; i < 40; i++)
        foreign();
    EVENT(For_exit, AROUND);
}

int main(void)
{
    omp_set_schedule(omp_sched_dynamic, 4);
    omp_set_max_active_levels(2);
    for (int i = 0; i < 2; i++) {
        void *handle = POMP_Parallel_fork ? POMP_Parallel_fork(&pomp_d[PAR - 1], 1, 2) : 0;
#pragma omp parallel num_threads(2)
        {
            if (handle)
                POMP_Parallel_begin(&pomp_d[PAR - 1], handle);
            loops();
            if (handle)
                POMP_Parallel_end(&pomp_d[PAR - 1], handle);
        }
        if (handle)
            POMP_Parallel_join(&pomp_d[PAR - 1], handle);
    }
    return 0;
}
