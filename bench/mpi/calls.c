/* calls.c: what a call of MPI costs, in ns: one rank, loops of calls that have hardly anything to
 * do; the least of several times of each. Prints "name ns, name ns, ...". */
#include <mpi.h>
#include <stdio.h>

enum { CALLS = 20000, TIMES = 25 };

static double buffer[2], other[2];

static void send_to_nobody(void)
{
    for (int i = 0; i < CALLS; i++)
        MPI_Send(buffer, 1, MPI_DOUBLE, MPI_PROC_NULL, 1, MPI_COMM_SELF);
}

/* Four calls a message. */
static void message_to_itself(void)
{
    for (int i = 0; i < CALLS; i += 4) {
        MPI_Request r[2];
        MPI_Irecv(other, 1, MPI_DOUBLE, 0, 1, MPI_COMM_SELF, &r[0]);
        MPI_Isend(buffer, 1, MPI_DOUBLE, 0, 1, MPI_COMM_SELF, &r[1]);
        MPI_Wait(&r[0], MPI_STATUS_IGNORE);
        MPI_Wait(&r[1], MPI_STATUS_IGNORE);
    }
}

static void allreduce(void)
{
    for (int i = 0; i < CALLS; i++)
        MPI_Allreduce(buffer, other, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_SELF);
}

static void barrier(void)
{
    for (int i = 0; i < CALLS; i++)
        MPI_Barrier(MPI_COMM_SELF);
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*run)(void);
    } loops[] = {{"send to nobody", send_to_nobody},
                 {"irecv isend wait wait", message_to_itself},
                 {"allreduce", allreduce},
                 {"barrier", barrier}};
    MPI_Init(&argc, &argv);
    for (unsigned k = 0; k < sizeof loops / sizeof *loops; k++) {
        double least = 1e9;
        for (int time = 0; time < TIMES; time++) {
            const double start = MPI_Wtime();
            loops[k].run();
            const double ns = (MPI_Wtime() - start) / CALLS * 1e9;
            least = ns < least ? ns : least;
        }
        printf("%s%s %.1f", k ? ", " : "", loops[k].name, least);
    }
    printf("\n");
    return MPI_Finalize();
}
