/* 10,000 regions in one unit, each entered by each of two threads, three times. */
#include "unit.h"

#include <omp.h>

enum { REGIONS = 10000 };
static struct ompregdescr pomp_d[REGIONS];
static struct pomp_unit pomp_unit = {1, REGIONS, pomp_d, 0, 0};

static __attribute__((constructor)) void start(void)
{
    for (int i = 0; i < REGIONS; i++) {
        struct ompregdescr d = {"for", "", 0, __FILE__, i + 1, i + 1, i + 1, i + 1, {0, 0, 0, 0}, 0, "for", POMP_KIND_FOR, 0, 0, 0, 0};
        pomp_d[i] = d;
    }
    if (pomp_unit_1)
        pomp_unit_1(&pomp_unit);
}

static __attribute__((destructor)) void stop(void)
{
    if (pomp_unit_1)
        pomp_unit_1(&pomp_unit);
}

int main(void)
{
#pragma omp parallel num_threads(2)
    for (int round = 0; round < 3; round++) {
        for (int i = 1; i <= REGIONS; i++) {
            EVENT(For_enter, i);
            EVENT(For_exit, i);
        }
    }
    return 0;
}
