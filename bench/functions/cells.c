/* cells.c: a program of many small functions: cells of a mesh, whose state comes from functions of
 * some 10 to 100 ns, in sweeps of ms. It prints the ns of processor time that the sweeps took.
 *
 * usage: cells SWEEPS */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { CELLS = 20000, GROUPS = 8 };

static double density[CELLS], energy[CELLS], flow[CELLS][GROUPS];

#define OWN __attribute__((noinline))

/* 10 ns */
OWN static double limited(double a, double b)
{
    const double r = a / (b * b + 1e-9);
    return (r + fabs(r)) / (1 + fabs(r));
}

/* 25 ns */
OWN static double pressure(double d, double e)
{
    const double p = 0.4 * d * e, c = sqrt(1.4 * p / d);
    return p + 0.1 * c * sqrt(c + 1) / (1 + c);
}

/* 80 ns */
OWN static double transferred(int i, double source)
{
    double sum = source;
    for (int g = 0; g < GROUPS; g++) {
        const double psi = (sum + flow[i][g]) / (1.5 + density[i] * (g + 1));
        flow[i][g] = 2 * psi - 0.5 * sum;
        sum = 0.5 * (sum + psi);
    }
    return sum;
}

/* 250 ns */
OWN static void cell(int i)
{
    const int left = (i + CELLS - 1) % CELLS, right = (i + 1) % CELLS;
    const double p = pressure(density[i], energy[i]);
    const double slope = limited(energy[i] - energy[left], energy[right] - energy[i]);
    const double t = transferred(i, p * (1 + 0.1 * slope));
    energy[i] = 0.999 * energy[i] + 0.001 * fabs(t);
}

/* 10 us */
OWN static void block(int from, int to)
{
    for (int i = from; i < to; i++)
        cell(i);
}

OWN static void sweep(void)
{
#pragma omp parallel for schedule(static)
    for (int b = 0; b < CELLS; b += 100)
        block(b, b + 100);
}

static double now(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

int main(int argc, char **argv)
{
    const int sweeps = argc > 1 ? atoi(argv[1]) : 100;
    for (int i = 0; i < CELLS; i++) {
        density[i] = 1 + 0.1 * (i % 7);
        energy[i] = 2 + 0.1 * (i % 13);
    }
    const double start = now();
    for (int i = 0; i < sweeps; i++)
        sweep();
    printf("%.0f\n", now() - start);
    return energy[3] < 0;
}
