/* A basin of rows x columns cells in which a drop spreads: blocks of rows to the ranks, rows of a
 * block to the threads. Neighbours exchange a row each step while the threads compute what does not
 * need it. usage: ocean [rows columns steps]
 */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

struct basin {
    int rank, ranks, first, rows, all_rows, columns;
    double *now, *next; /* rows 1 to rows are ours, 0 and rows + 1 the neighbours' */
};

/* The calling thread's share of some rows; the largest change in it. */
static double relax(const struct basin *b, int from, int to)
{
    const size_t n = (size_t)b->columns;
    double change = 0;
#pragma omp for schedule(static) nowait
    for (int i = from; i <= to; i++)
        for (size_t j = 1; j + 1 < n; j++) {
            const double *c = b->now + (size_t)i * n + j;
            const int row = b->first + i - 1;
            double *out = b->next + (size_t)i * n + j;
            *out = row == 0 || row == b->all_rows - 1
                       ? *c
                       : *c + 0.2 * (c[-1] + c[1] + c[-(ptrdiff_t)n] + c[n] - 4 * *c);
            const double by = fabs(*out - *c);
            if (by > change)
                change = by;
        }
    return change;
}

static double step(const struct basin *b)
{
    const int up = b->rank > 0 ? b->rank - 1 : MPI_PROC_NULL,
              down = b->rank + 1 < b->ranks ? b->rank + 1 : MPI_PROC_NULL, n = b->columns;
    MPI_Request r[4];
    double change = 0, most = 0;
    MPI_Irecv(b->now, n, MPI_DOUBLE, up, 1, MPI_COMM_WORLD, &r[0]);
    MPI_Irecv(b->now + (size_t)(b->rows + 1) * (size_t)n, n, MPI_DOUBLE, down, 2, MPI_COMM_WORLD,
              &r[1]);
    MPI_Isend(b->now + n, n, MPI_DOUBLE, up, 2, MPI_COMM_WORLD, &r[2]);
    MPI_Isend(b->now + (size_t)b->rows * (size_t)n, n, MPI_DOUBLE, down, 1, MPI_COMM_WORLD, &r[3]);
#pragma omp parallel reduction(max : change)
    {
        change = relax(b, 2, b->rows - 1);
#pragma omp master
        MPI_Waitall(4, r, MPI_STATUSES_IGNORE);
#pragma omp barrier
        const double first = relax(b, 1, 1), last = relax(b, b->rows, b->rows);
        change = fmax(change, fmax(first, last));
    }
    MPI_Allreduce(&change, &most, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return most;
}

int main(int argc, char **argv)
{
    struct basin b = {.all_rows = argc > 1 ? atoi(argv[1]) : 400,
                      .columns = argc > 2 ? atoi(argv[2]) : 400};
    const int steps = argc > 3 ? atoi(argv[3]) : 200;
    int provided;
    double change = 0, sum = 0, total = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &b.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &b.ranks);
    b.first = (int)((long)b.all_rows * b.rank / b.ranks);
    b.rows = (int)((long)b.all_rows * (b.rank + 1) / b.ranks) - b.first;
    if (b.rows < 2) {
        fprintf(stderr, "ocean: a rank needs two rows\n");
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    const size_t cells = (size_t)(b.rows + 2) * (size_t)b.columns;
    b.now = calloc(cells, sizeof *b.now);
    b.next = calloc(cells, sizeof *b.next);
    if (b.now == NULL || b.next == NULL)
        MPI_Abort(MPI_COMM_WORLD, 1);
    const int drop = b.all_rows / 3 - b.first + 1;
    if (drop >= 1 && drop <= b.rows)
        b.now[(size_t)drop * (size_t)b.columns + (size_t)b.columns / 2] = 1000;
    for (int s = 0; s < steps; s++) {
        change = step(&b);
        double *t = b.now;
        b.now = b.next;
        b.next = t;
    }
    for (size_t i = (size_t)b.columns; i < cells - (size_t)b.columns; i++)
        sum += b.now[i];
    MPI_Reduce(&sum, &total, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (b.rank == 0)
        printf("%d x %d cells, %d steps: %.6f left, last change %.6f\n", b.all_rows, b.columns,
               steps, total, change);
    free(b.now);
    free(b.next);
    MPI_Finalize();
    return 0;
}
