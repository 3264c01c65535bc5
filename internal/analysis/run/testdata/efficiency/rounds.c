/* In each round the initial thread works alone, then two threads work one after the other in a critical region, and share work unevenly. With RANKS the ranks
 * have different work, too, and meet in MPI_Allreduce. The program notes itself how long it is where, and prints each efficiency by POP's and TALP's formulas:
 * its key and its value. */
#include <omp.h>
#include <stdio.h>
#include <time.h>
#ifdef RANKS
#include <mpi.h>
#endif

enum { ROUNDS = 6, THREADS = 2, RUNTIME = 0, TEAM = 1, USEFUL = 2, WAITED = 3, UNEVEN = 4, COMMUNICATION = 5, NOTES = 6 };

static double note[NOTES], notes[2][NOTES];

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

/* Works for so many ms. */
static void work(double ms)
{
    for (const double start = now(); now() < start + ms;)
        ;
}

static void team(double ms)
{
    double begin[THREADS], asked[THREADS], entered[THREADS], end[THREADS];
    const double fork = now();
#pragma omp parallel num_threads(THREADS)
    {
        const int me = omp_get_thread_num();
        begin[me] = now();
        work(1);
        asked[me] = now();
#pragma omp critical
        {
            entered[me] = now();
            work(ms / 2);
        }
        work(me == 0 ? 2 * ms : ms);
        end[me] = now();
    }
    note[TEAM] += now() - fork;
    for (int i = 0; i < THREADS; i++) {
        note[USEFUL] += end[i] - begin[i] - (entered[i] - asked[i]);
        note[WAITED] += entered[i] - asked[i];
    }
    note[UNEVEN] += end[0] > end[1] ? end[0] - end[1] : end[1] - end[0];
}

static void print(int ranks)
{
    double sum[NOTES] = {0}, most = 0;
    for (int r = 0; r < ranks; r++) {
        for (int i = 0; i < NOTES; i++)
            sum[i] += notes[r][i];
        const double outside = 1 - notes[r][COMMUNICATION] / notes[r][RUNTIME];
        most = outside > most ? outside : most;
    }
    const double serial = sum[RUNTIME] - sum[TEAM] - sum[COMMUNICATION], useful = serial + sum[USEFUL];
    const double all = THREADS * sum[RUNTIME], outside = all - THREADS * sum[COMMUNICATION];
    const double parallel = outside - (THREADS - 1) * serial - sum[WAITED], balanced = parallel - sum[UNEVEN];
    printf("parallel-efficiency %.4f openmp-serialisation %.4f openmp-load-balance %.4f openmp-scheduling %.4f", useful / all, parallel / outside,
           balanced / parallel, useful / balanced);
    if (ranks > 1)
        printf(" mpi %.4f mpi-load-balance %.4f mpi-communication %.4f openmp %.4f", outside / all, outside / all / most, most, useful / outside);
    printf("\n");
}

int main(int argc, char **argv)
{
    int rank = 0, ranks = 1;
#ifdef RANKS
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
#else
    (void)argc;
    (void)argv;
#endif
    const double begin = now();
    for (int i = 0; i < ROUNDS; i++) {
        work(10);
        team(rank == 0 ? 20 : 12);
#ifdef RANKS
        int one = 1, all;
        const double start = now();
        MPI_Allreduce(&one, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        note[COMMUNICATION] += now() - start;
#endif
    }
    note[RUNTIME] = now() - begin;
#ifdef RANKS
    MPI_Gather(note, NOTES, MPI_DOUBLE, notes, NOTES, MPI_DOUBLE, 0, MPI_COMM_WORLD);
#else
    for (int i = 0; i < NOTES; i++)
        notes[0][i] = note[i];
#endif
    if (rank == 0)
        print(ranks);
#ifdef RANKS
    MPI_Finalize();
#endif
    return 0;
}
