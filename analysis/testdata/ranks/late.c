/* Two ranks with two threads each. In each round rank 0 sends, broadcasts, and reduces late, and rank 1 comes late to where all meet; what they were late is
 * measured by themselves and printed by rank 0: sender, root, reduce, collective, ns; then the time that rank 1's initial thread was in MPI_Recv. */
#include <mpi.h>
#include <stdio.h>
#include <time.h>

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static void spend(double ms, double *sum)
{
    const double start = now();
    struct timespec t = {0, (long)(ms * 1e6)};
    nanosleep(&t, NULL);
    *sum += now() - start;
}

int main(int argc, char **argv)
{
    int rank, value = 0, all;
    double late[5] = {0}, ours[5], nothing = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 8; i++) {
#pragma omp parallel num_threads(2)
        {
            double own = 0;
            spend(1, &own);
        }
        MPI_Barrier(MPI_COMM_WORLD);
        if (rank == 0) {
            spend(40, &late[0]);
            MPI_Send(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
        } else {
            const double start = now();
            MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* line 40 */
            late[4] += now() - start;
        }
        MPI_Barrier(MPI_COMM_WORLD);
        if (rank == 0)
            spend(30, &late[1]);
        MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD); /* line 46 */
        MPI_Barrier(MPI_COMM_WORLD);
        if (rank == 1)
            spend(25, &late[2]);
        MPI_Reduce(&rank, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD); /* line 50 */
        MPI_Barrier(MPI_COMM_WORLD);
        spend(rank == 1 ? 35 : 1, rank == 1 ? &late[3] : &nothing);
        MPI_Allreduce(&rank, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD); /* line 53 */
    }
    if (rank == 0)
        late[3] = -nothing;
    MPI_Reduce(late, ours, 5, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%.0f %.0f %.0f %.0f %.0f\n", ours[0], ours[1], ours[2], ours[3], ours[4]);
    MPI_Finalize();
    return 0;
}
