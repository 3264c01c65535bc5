/* A nestable lock belongs to the task that has set it: a task of the same thread cannot have it. Exit code 1 if it does. */
#include "unit.h"

#include <omp.h>

enum { LOCK = 1 };

UNIT(REGION(LOCK, NEST_LOCK, "omp_test_nest_lock"))

static int test(omp_nest_lock_t *lock) { return ON ? POMP_Test_nest_lock(D(LOCK), lock) : omp_test_nest_lock(lock); }

int main(void)
{
    int wrong = 0;
    omp_nest_lock_t lock;
    INIT_LOCK(Init_nest_lock, omp_init_nest_lock, &lock);
    wrong += test(&lock) != 1;
    wrong += test(&lock) != 2;
#pragma omp task if (0) shared(lock, wrong)
    wrong += test(&lock) != 0;
    wrong += test(&lock) != 3;
    return wrong != 0;
}
