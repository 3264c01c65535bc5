/* Every construct, a known number of times, on 2 threads. */
#include "unit.h"

#include <omp.h>

enum { PAR = 1, FOR, SECTIONS, SECTION, SINGLE, MASTER, CRIT, NAMED, ORDERED, ATOMIC, BARRIER, TASK, TASKWAIT, GROUP, FLUSH, SET, UNSET,
       TEST, NSET, NUNSET, NTEST, USER, YIELD, LOOPO, GROUPTASK };

UNIT(REGION(PAR, PARALLEL, "parallel"), REGION_FULL(FOR, FOR, "for", "", 0, &pomp_d[PAR - 1]), REGION(SECTIONS, SECTIONS, "sections"),
     REGION(SECTION, SECTION, "section"), REGION(SINGLE, SINGLE, "single"), REGION(MASTER, MASTER, "master"),
     REGION(CRIT, CRITICAL, "critical"), REGION_FULL(NAMED, CRITICAL, "critical", "a \"name\"\t\\", 0, 0),
     REGION(ORDERED, ORDERED, "ordered"), REGION(ATOMIC, ATOMIC, "atomic"), REGION(BARRIER, BARRIER, "barrier"),
     REGION(TASK, TASK, "task"), REGION(TASKWAIT, TASKWAIT, "taskwait"), REGION(GROUP, TASKGROUP, "taskgroup"),
     REGION(FLUSH, FLUSH, "flush"), REGION_FULL(SET, LOCK, "lock", "omp_set_lock", 0, 0),
     REGION_FULL(UNSET, LOCK, "lock", "omp_unset_lock", 0, 0), REGION_FULL(TEST, LOCK, "lock", "omp_test_lock", 0, 0),
     REGION_FULL(NSET, NEST_LOCK, "lock", "omp_set_nest_lock", 0, 0), REGION_FULL(NUNSET, NEST_LOCK, "lock", "omp_unset_nest_lock", 0, 0),
     REGION_FULL(NTEST, NEST_LOCK, "lock", "omp_test_nest_lock", 0, 0), REGION_FULL(USER, REGION, "region", "main loop", 0, 0),
     REGION(YIELD, TASKYIELD, "taskyield"), REGION(LOOPO, FOR, "for"), REGION(GROUPTASK, TASK, "task"))

static omp_lock_t lock;
static omp_nest_lock_t nest;
static int shared_sum;

static void worksharing(void)
{
    EVENT(For_enter, FOR);
#pragma omp for nowait
    for (int i = 0; i < 4; i++)
        shared_sum += 0;
    EVENT(Barrier_enter, FOR);
#pragma omp barrier
    EVENT(Barrier_exit, FOR);
    EVENT(For_exit, FOR);
    EVENT(Sections_enter, SECTIONS);
#pragma omp sections
    {
#pragma omp section
        {
            EVENT(Section_begin, SECTION);
            EVENT(Section_end, SECTION);
        }
#pragma omp section
        {
            EVENT(Section_begin, SECTION);
            EVENT(Section_end, SECTION);
        }
    }
    EVENT(Sections_exit, SECTIONS);
    EVENT(Single_enter, SINGLE);
#pragma omp single nowait
    {
        EVENT(Single_begin, SINGLE);
        EVENT(Single_end, SINGLE);
    }
    EVENT(Barrier_enter, SINGLE);
#pragma omp barrier
    EVENT(Barrier_exit, SINGLE);
    EVENT(Single_exit, SINGLE);
#pragma omp master
    {
        EVENT(Master_begin, MASTER);
        EVENT(Master_end, MASTER);
    }
}

static void mutexes(void)
{
    for (int i = 0; i < 2; i++) {
        EVENT(Critical_enter, CRIT);
#pragma omp critical
        {
            EVENT(Critical_begin, CRIT);
            EVENT(Critical_enter, NAMED);
#pragma omp critical(inner)
            {
                EVENT(Critical_begin, NAMED);
                EVENT(Critical_end, NAMED);
            }
            EVENT(Critical_exit, NAMED);
            EVENT(Critical_end, CRIT);
        }
        EVENT(Critical_exit, CRIT);
    }
    EVENT(For_enter, LOOPO);
#pragma omp for ordered
    for (int i = 0; i < 10; i++) {
        EVENT(Ordered_enter, ORDERED);
#pragma omp ordered
        {
            EVENT(Ordered_begin, ORDERED);
            EVENT(Ordered_end, ORDERED);
        }
        EVENT(Ordered_exit, ORDERED);
    }
    EVENT(For_exit, LOOPO);
    EVENT(Atomic_enter, ATOMIC);
#pragma omp atomic
    shared_sum++;
    EVENT(Atomic_exit, ATOMIC);
    EVENT(Flush_enter, FLUSH);
#pragma omp flush
    EVENT(Flush_exit, FLUSH);
    EVENT(Barrier_enter, BARRIER);
#pragma omp barrier
    EVENT(Barrier_exit, BARRIER);
}

static void tasks(void)
{
    for (int i = 0; i < 3; i++) {
        CREATE(h, TASK, i != 1);
#pragma omp task firstprivate(h) if (i != 1)
        {
            WITH(Task_begin, TASK, h);
            EVENT(Taskyield_enter, YIELD);
#pragma omp taskyield
            EVENT(Taskyield_exit, YIELD);
            WITH(Task_end, TASK, h);
        }
        WITH(Task_create_end, TASK, h);
    }
    EVENT(Taskwait_enter, TASKWAIT);
#pragma omp taskwait
    EVENT(Taskwait_exit, TASKWAIT);
    EVENT(Taskgroup_enter, GROUP);
#pragma omp taskgroup
    {
        EVENT(Taskgroup_begin, GROUP);
        CREATE(h, GROUPTASK, 1);
#pragma omp task firstprivate(h)
        {
            WITH(Task_begin, GROUPTASK, h);
            WITH(Task_end, GROUPTASK, h);
        }
        WITH(Task_create_end, GROUPTASK, h);
        EVENT(Taskgroup_end, GROUP);
    }
    EVENT(Taskgroup_exit, GROUP);
}

/* Locks are tried as the unit's wrapper does it: with the library, or the original. */
static void locks(void)
{
    for (int i = 0; i < 2; i++) {
        if (ON)
            POMP_Set_lock(D(SET), &lock);
        else
            omp_set_lock(&lock);
        if (ON ? POMP_Test_lock(D(TEST), &lock) : omp_test_lock(&lock))
            abort();
        if (ON)
            POMP_Unset_lock(D(UNSET), &lock);
        else
            omp_unset_lock(&lock);
        if (ON)
            POMP_Set_nest_lock(D(NSET), &nest);
        else
            omp_set_nest_lock(&nest);
        if ((ON ? POMP_Test_nest_lock(D(NTEST), &nest) : omp_test_nest_lock(&nest)) != 2)
            abort();
        for (int k = 0; k < 2; k++) {
            if (ON)
                POMP_Unset_nest_lock(D(NUNSET), &nest);
            else
                omp_unset_nest_lock(&nest);
        }
    }
}

int main(void)
{
    INIT_LOCK(Init_lock, omp_init_lock, &lock);
    INIT_LOCK(Init_nest_lock, omp_init_nest_lock, &nest);
    USER(Begin, USER);
    for (int round = 0; round < 5; round++) {
        FORK(h, PAR, 2);
#pragma omp parallel num_threads(2) firstprivate(h)
        {
            WITH(Parallel_begin, PAR, h);
            worksharing();
            mutexes();
            tasks();
            locks();
            WITH(Parallel_end, PAR, h);
        }
        WITH(Parallel_join, PAR, h);
    }
    USER(End, USER);
    return shared_sum == 10 ? 0 : 1;
}
