#include <stdio.h>
#include <stdlib.h>
#include "heat.h"

void print_outcome(const struct plate *p, const struct outcome *o)
{
    printf("plate of %d rows: %d steps, last change %.6f, mean temperature %.4f\n", p->n, o->steps,
           o->change, o->mean);
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 2000, steps = argc > 2 ? atoi(argv[2]) : 200;
    if (n < 3 || n > 20000 || steps < 1) {
        fprintf(stderr, "usage: heat [ROWS [STEPS]], 3 to 20000 rows\n");
        return 2;
    }
    struct plate p;
    if (plate_create(&p, n)) {
        fprintf(stderr, "heat: no memory for %d rows\n", n);
        return 1;
    }
    struct outcome o = relax(&p, steps, 1e-6);
    print_outcome(&p, &o);
    plate_destroy(&p);
    return 0;
}
