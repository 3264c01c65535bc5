/* A thread of rank 0 is late to a barrier. So its other thread sends late to rank 1, which sends late to rank 2. All have a second thread. */
#include "causes.h"

int main(int argc, char **argv)
{
    int rank, line = 0, value = 0;
    int64_t lost;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < ROUNDS; i++) {
#pragma omp parallel num_threads(2)
        if (rank == 0 && omp_get_thread_num() == 1) {
#pragma pomp inst begin(assemble)
            work(40 * MS);
#pragma pomp inst end(assemble)
        }
        came[i] = now();
        line = __LINE__ + 2;
        if (rank > 0)
            MPI_Recv(&value, 1, MPI_INT, rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        sent[i] = now();
        if (rank < 2)
            MPI_Send(&value, 1, MPI_INT, rank + 1, 0, MPI_COMM_WORLD);
    }
    gather();
    lost = later(all_sent[0], 1) + later(all_sent[1], 2);
    if (rank == 0)
        truth_cause("late-sender", line, lost, "caused in sender.c:13 region(assemble), by rank 0 thread 1");
    MPI_Finalize();
    return 0;
}
