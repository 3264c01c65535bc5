/* Counts the pairs of points in a square that lie close together. The result is right; the time is
 * not: docs/tutorial finds out why. */
#include <stdio.h>
#include <stdlib.h>

struct point {
    float x, y;
};

static int close_pairs(const struct point *p, int n, float distance)
{
    int pairs = 0;
#pragma omp parallel for schedule(static)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++) {
            float dx = p[i].x - p[j].x, dy = p[i].y - p[j].y;
            if (dx * dx + dy * dy < distance * distance) {
#pragma omp critical(count)
                pairs++;
            }
        }
    return pairs;
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 30000;
    struct point *p = malloc((size_t)n * sizeof *p);
    if (!p)
        return 1;
    for (int i = 0; i < n; i++)
        p[i] = (struct point){(float)rand() / (float)RAND_MAX, (float)rand() / (float)RAND_MAX};
    printf("%d points, %d close pairs\n", n, close_pairs(p, n, 0.03f));
    free(p);
    return 0;
}
