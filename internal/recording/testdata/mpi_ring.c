/* Each rank sends its number around five times, to the right; the sum of what all have got is printed. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, size, sum = 0;
    MPI_Comm twin;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_dup(MPI_COMM_WORLD, &twin);
    if (rank == size - 1)
        MPI_Comm_set_name(twin, "twin");
    for (int i = 0; i < 5; i++) {
        int number = rank;
        MPI_Sendrecv_replace(&number, 1, MPI_INT, (rank + 1) % size, 7, (rank + size - 1) % size, 7, i % 2 ? twin : MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#pragma omp parallel for reduction(+ : sum)
        for (int k = 0; k < 2; k++)
            sum += k * number;
    }
    if (rank == 0)
        MPI_Barrier(MPI_COMM_SELF); /* a region that the others have not */
    MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_SUM, twin);
    if (rank == 0)
        printf("sum %d\n", sum);
    MPI_Comm_free(&twin);
    MPI_Finalize();
    return 0;
}
