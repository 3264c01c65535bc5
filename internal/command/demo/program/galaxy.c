/* A galaxy of stars, with three defects that cost its threads time. `opari demo` wrote this file.
 * Each defect has a comment that says how to mend it. The results stay the same. */
#include <stdio.h>
#include <stdlib.h>

enum { STARS = 16000, BINS = 40000, STEPS = 4 };

static float x[STARS], y[STARS], force[STARS], light[STARS];
static float bounds[BINS];
static long histogram[BINS];

/* Defect 1, load imbalance: the later a star, the longer its iteration, and schedule(static)
 * gives the last thread the longest ones. To mend it: schedule(dynamic, 64). */
static void attract(void)
{
#pragma omp parallel for schedule(static)
    for (int i = 0; i < STARS; i++) {
        float sum = 0;
        for (int j = 0; j < i; j++) {
            float dx = x[i] - x[j], dy = y[i] - y[j];
            sum += 1 / (dx * dx + dy * dy + 1);
        }
        force[i] = sum;
    }
}

/* Defect 2, a critical section in a hot loop: each iteration waits for its turn. To mend it:
 * reduction(+ : histogram) on the loop, and no critical section. */
static void count(void)
{
#pragma omp parallel for schedule(static)
    for (int i = 0; i < STARS; i++)
        for (int part = 1; part <= 4; part++) {
#pragma omp critical(histogram)
            {
                int bin = 0;
                while (bin < BINS - 1 && bounds[bin] < force[i] / (float)part)
                    bin++;
                histogram[bin]++;
            }
        }
}

/* Defect 3, a serial part: one thread works, and the others wait. To mend it: put
 * `#pragma omp parallel for` before the outer loop. */
static void shine(void)
{
    for (int i = 0; i < STARS; i++) {
        float sum = 0;
        for (int j = 0; j < STARS; j += 2) {
            float dx = x[i] - x[j], dy = y[i] - y[j];
            sum += force[j] / (dx * dx + dy * dy + 1);
        }
        light[i] = sum;
    }
}

int main(void)
{
    double sum = 0, stars = STARS;
    srand(1);
    for (int i = 0; i < STARS; i++) {
        x[i] = (float)(rand() % 1000);
        y[i] = (float)(rand() % 1000);
    }
    for (int i = 0; i < BINS; i++)
        bounds[i] = (float)i / 10000;
    for (int step = 0; step < STEPS; step++) {
        attract();
        count();
        shine();
        for (int i = 0; i < STARS; i++)
            x[i] += force[i] / 100;
    }
    for (int i = 0; i < STARS; i++)
        sum += light[i];
    printf("%d stars shine with %.4f, %ld of them alone\n", STARS, sum / stars, histogram[0]);
    return 0;
}
