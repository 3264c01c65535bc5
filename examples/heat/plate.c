#include <stdlib.h>
#include "heat.h"

int plate_create(struct plate *p, int n)
{
    p->n = n;
    p->now = calloc((size_t)n * (size_t)n, sizeof *p->now);
    p->next = calloc((size_t)n * (size_t)n, sizeof *p->next);
    if (!p->now || !p->next) {
        plate_destroy(p);
        return -1;
    }
/* The left edge is hot, the slanting edge is cold; the bottom falls from one to the other. */
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        double *a = p->now + (size_t)i * (size_t)n, *b = p->next + (size_t)i * (size_t)n;
        a[0] = b[0] = 100.0;
        for (int j = 1; j <= i; j++)
            a[j] = b[j] = i == n - 1 ? 100.0 * (n - 1 - j) / (n - 1) : 0.0;
    }
    return 0;
}

void plate_destroy(struct plate *p)
{
    free(p->now);
    free(p->next);
    p->now = p->next = NULL;
}
