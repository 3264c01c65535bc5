/* causes.h: ranks with a defect of known size. Rank 0 prints a line as those of ../seeds do, of what all ranks have measured together. */
#include <mpi.h>

#include "../seeds/seed.h"

enum { ROUNDS = 8, RANKS = 3 };

static int64_t came[ROUNDS], all_came[RANKS][ROUNDS]; /* when a rank came to the routine of a round */
static int64_t sent[ROUNDS], all_sent[RANKS][ROUNDS]; /* and when it sent something there */

/* Gives rank 0 the times of all. */
static inline void gather(void)
{
    MPI_Gather(came, ROUNDS, MPI_INT64_T, all_came, ROUNDS, MPI_INT64_T, 0, MPI_COMM_WORLD);
    MPI_Gather(sent, ROUNDS, MPI_INT64_T, all_sent, ROUNDS, MPI_INT64_T, 0, MPI_COMM_WORLD);
}

/* How much later something was than a rank came, in all rounds. */
static inline int64_t later(const int64_t *something, int rank)
{
    int64_t sum = 0;
    for (int i = 0; i < ROUNDS; i++)
        sum += something[i] > all_came[rank][i] ? something[i] - all_came[rank][i] : 0;
    return sum;
}
