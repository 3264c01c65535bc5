/* A thread of rank 1 is late to a barrier. So its other thread receives late what ranks 0 and 2 send. */
#include "causes.h"

int main(int argc, char **argv)
{
    int rank, line = 0, value = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < ROUNDS; i++) {
        if (rank == 1) {
#pragma omp parallel num_threads(2)
            if (omp_get_thread_num() == 1) {
#pragma pomp inst begin(digest)
                work(40 * MS);
#pragma pomp inst end(digest)
            }
        }
        came[i] = now();
        line = __LINE__ + 2;
        if (rank != 1) {
            MPI_Ssend(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
        } else {
            MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Recv(&value, 1, MPI_INT, 2, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
    }
    gather();
    if (rank == 0)
        truth_cause("late-receiver", line, later(all_came[1], 0) + later(all_came[1], 2), "caused in receiver.c:13 region(digest), by rank 1 thread 1");
    MPI_Finalize();
    return 0;
}
