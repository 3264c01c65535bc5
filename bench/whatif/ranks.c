// halve work of HERE
#include "work.h"

#include <mpi.h>

/* One rank works longer, and the other one waits for it in a collective operation. It prints how
 * long that took, because starting ranks takes long, too. */
int main(int argc, char **argv)
{
    int rank, sum = 0;
    double start, took;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Barrier(MPI_COMM_WORLD);
    start = MPI_Wtime();
    for (int step = 0; step < 10; step++) {
#pragma omp parallel num_threads(2)
        {
#pragma omp for schedule(static) /* HERE */
            for (int i = 0; i < 2; i++)
                work(rank ? BEFORE_OR_AFTER(10, 5) : BEFORE_OR_AFTER(80, 40));
#pragma omp master
            work(rank ? 25 : 10);
        }
        MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    }
    took = MPI_Wtime() - start;
    if (rank == 0)
        printf("%.0f\n", took * 1e9);
    MPI_Finalize();
    return sum != 1;
}
