#include <math.h>
#include <stddef.h>
#include "heat.h"

/* One step over row i: each cell becomes the mean of its neighbours. Returns the largest change. */
static double relax_row(const struct plate *p, int i)
{
    size_t n = (size_t)p->n;
    const double *up = p->now + (size_t)(i - 1) * n, *here = up + n, *down = here + n;
    double *out = p->next + (size_t)i * n, change = 0;
    for (int j = 1; j < i; j++) {
        out[j] = 0.25 * (up[j] + down[j] + here[j - 1] + here[j + 1]);
        change = fmax(change, fabs(out[j] - here[j]));
    }
    return change;
}

/* Relaxes until a step changes no cell by more than `enough`, at most `steps` times. Rows near the
 * tip are short and rows near the bottom long: how OMP_SCHEDULE deals them out decides whether the
 * threads finish together. */
struct outcome relax(struct plate *p, int steps, double enough)
{
    struct outcome o = {0, 0, 0};
    double change = 0, sum = 0;
    int step = 0, done = 0;
#pragma omp parallel
    {
        while (!done) {
#pragma omp for schedule(runtime) reduction(max : change)
            for (int i = 1; i < p->n - 1; i++)
                change = fmax(change, relax_row(p, i));
#pragma omp single
            {
                double *t = p->now;
                p->now = p->next;
                p->next = t;
                done = ++step == steps || change <= enough;
                o.change = change;
                change = 0;
            }
        }
        double mine = 0;
#pragma omp for schedule(runtime) nowait
        for (int i = 0; i < p->n; i++)
            for (int j = 0; j <= i; j++)
                mine += p->now[(size_t)i * (size_t)p->n + (size_t)j];
#pragma omp critical(total)
        sum += mine;
    }
    o.steps = step;
    o.mean = sum / (0.5 * p->n * (p->n + 1.0));
    return o;
}
