/* A thread of rank 1 is late to a barrier. So its rank is late to where all ranks meet. */
#include "causes.h"

int main(int argc, char **argv)
{
    int rank, line = 0, sum;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < ROUNDS; i++) {
        if (rank == 1) {
#pragma omp parallel num_threads(2)
            if (omp_get_thread_num() == 1) {
#pragma pomp inst begin(solve)
                work(40 * MS);
#pragma pomp inst end(solve)
            }
        }
        came[i] = now();
        line = __LINE__ + 1;
        MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    }
    gather();
    if (rank == 0)
        truth_cause("mpi-collective", line, later(all_came[1], 0) + later(all_came[1], 2), "caused in collective.c:13 region(solve), by rank 1 thread 1");
    MPI_Finalize();
    return 0;
}
