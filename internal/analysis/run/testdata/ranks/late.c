/* Two ranks with two threads each, of one machine and so with one clock. In each round rank 0 sends, broadcasts and reduces late, and rank 1 comes late to
 * where all meet and to what is sent to it. Rank 0 prints by how much the ones came before the others, by what both have noted: sender, root, reduce,
 * collective, receiver, ns; then the time that rank 1's initial thread was in MPI_Recv. */
#include <mpi.h>
#include <stdio.h>
#include <time.h>

enum { ROUNDS = 8, SEND = 0, ROOT = SEND + ROUNDS, REDUCE = ROOT + ROUNDS, ALL = REDUCE + ROUNDS, RECEIVER = ALL + ROUNDS, RECEIVING = RECEIVER + ROUNDS, NOTES };

static double note[NOTES], notes[2][NOTES];

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static void spend(double ms)
{
    struct timespec t = {0, (long)(ms * 1e6)};
    nanosleep(&t, NULL);
}

/* How long rank `waits` waited for the other in all rounds; 2: whichever came first. */
static double waited(int what, int waits)
{
    double sum = 0;
    for (int i = what; i < what + ROUNDS; i++) {
        const double late = notes[1][i] - notes[0][i], time = waits == 0 ? late : waits == 1 ? -late : late < 0 ? -late : late;
        sum += time > 0 ? time : 0;
    }
    return sum;
}

int main(int argc, char **argv)
{
    int rank, value = 0, all;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < ROUNDS; i++) {
#pragma omp parallel num_threads(2)
        spend(1);
        MPI_Barrier(MPI_COMM_WORLD);
        if (rank == 0) {
            spend(40);
            note[SEND + i] = now();
            MPI_Send(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
        } else {
            const double start = note[SEND + i] = now();
            MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* line 51 */
            note[RECEIVING] += now() - start;
        }
        MPI_Barrier(MPI_COMM_WORLD);
        if (rank == 0)
            spend(30);
        note[ROOT + i] = now();
        MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD); /* line 58 */
        MPI_Barrier(MPI_COMM_WORLD);
        if (rank == 1)
            spend(25);
        note[REDUCE + i] = now();
        MPI_Reduce(&rank, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD); /* line 63 */
        MPI_Barrier(MPI_COMM_WORLD);
        if (rank == 1)
            spend(35);
        note[ALL + i] = now();
        MPI_Allreduce(&rank, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD); /* line 68 */
        MPI_Barrier(MPI_COMM_WORLD);
        if (rank == 1) {
            spend(30);
            note[RECEIVER + i] = now();
            MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        } else {
            note[RECEIVER + i] = now();
            MPI_Ssend(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD); /* line 76 */
        }
    }
    MPI_Gather(note, NOTES, MPI_DOUBLE, notes, NOTES, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%.0f %.0f %.0f %.0f %.0f %.0f\n", waited(SEND, 1), waited(ROOT, 1), waited(REDUCE, 0), waited(ALL, 2), waited(RECEIVER, 0), notes[1][RECEIVING]);
    MPI_Finalize();
    return 0;
}
