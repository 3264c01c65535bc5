/* The root comes early to a reduction, because rank 2 has more to do. */
#include "causes.h"

int main(int argc, char **argv)
{
    int rank, line = 0, sum;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < ROUNDS; i++) {
        if (rank == 2) {
#pragma pomp inst begin(fill)
            work(40 * MS);
#pragma pomp inst end(fill)
        }
        came[i] = now();
        line = __LINE__ + 1;
        MPI_Reduce(&rank, &sum, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    }
    gather();
    if (rank == 0)
        truth_cause("early-reduce", line, later(all_came[2], 0), "caused in reduce.c:11 region(fill), by rank 2 thread 0");
    MPI_Finalize();
    return 0;
}
