/* Heat conduction in a triangular plate, by Jacobi's method. */
#ifndef HEAT_H
#define HEAT_H

/* A plate of n rows; row i has i + 1 cells. Cells hold temperatures in degrees. */
struct plate {
    int n;
    double *now, *next; /* rows of n cells each, of which the first i + 1 are used */
};

/* What a computation came to. */
struct outcome {
    int steps;
    double change; /* largest change of a cell in the last step */
    double mean;   /* mean temperature */
};

int plate_create(struct plate *p, int n); /* 0, or -1 when there is no memory */
void plate_destroy(struct plate *p);

struct outcome relax(struct plate *p, int steps, double enough);

void print_outcome(const struct plate *p, const struct outcome *o);

#endif
