/* Registers a unit while nothing asks for measuring, and prints how many bytes of the heap that took. */
#include "unit.h"

#include <malloc.h>
#include <omp.h>

static struct ompregdescr regions[] = {REGION(1, PARALLEL, "parallel")};
static struct pomp_unit unit = {1, 1, regions, 0, 0};

int main(void)
{
    omp_set_num_threads(1);
    const struct mallinfo2 before = mallinfo2();
    pomp_unit_1(&unit);
    const struct mallinfo2 after = mallinfo2();
    printf("%zu\n", after.uordblks - before.uordblks);
    return unit.active != 0;
}
