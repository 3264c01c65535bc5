/* Ranks with the same work, which meet, broadcast and exchange messages after each piece of it. */
#include <mpi.h>
#include <stdio.h>
#include <time.h>

enum { ROUNDS = 60 };

static volatile double sink;

/* Takes 2 ms of a processor, however long that lasts. */
static void work(void)
{
    struct timespec t;
    double end = 0;
    for (;;) {
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
        const double now = (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
        if (end == 0)
            end = now + 2e6;
        if (now >= end)
            return;
        for (int i = 0; i < 1000; i++)
            sink = sink + i;
    }
}

int main(int argc, char **argv)
{
    int rank, size, value = 1, other;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < ROUNDS; i++) {
#pragma omp parallel num_threads(1)
        work();
        MPI_Allreduce(&value, &other, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
        work();
        MPI_Sendrecv(&value, 1, MPI_INT, (rank + 1) % size, 0, &other, 1, MPI_INT,
                     (rank + size - 1) % size, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        work();
        MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD);
    }
    if (rank == 0)
        printf("%d\n", value + other);
    MPI_Finalize();
    return 0;
}
