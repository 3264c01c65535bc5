/* Messages of all kinds; mpi_test.go knows how many there are, and how long. Every rank sends to its right neighbour unless it says otherwise. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 5 };
static int rank, size, left, right;

static void check(int good, const char *what)
{
    if (!good) {
        fprintf(stderr, "rank %d: %s\n", rank, what);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
}

/* N receives and sends of 1 to N ints, with the tag; all[2N], buffers of N*N. */
static void post(MPI_Request all[], int in[], int out[], int tag)
{
    for (int i = 0; i < N; i++) {
        for (int k = 0; k <= i; k++)
            out[N * i + k] = 1000 * rank + 10 * i + k;
        MPI_Irecv(&in[N * i], i + 1, MPI_INT, left, tag, MPI_COMM_WORLD, &all[i]);
    }
    for (int i = 0; i < N; i++)
        MPI_Isend(&out[N * i], i + 1, MPI_INT, right, tag, MPI_COMM_WORLD, &all[N + i]);
}

static void compare(const int in[])
{
    for (int i = 0; i < N; i++)
        for (int k = 0; k <= i; k++)
            check(in[N * i + k] == 1000 * left + 10 * i + k, "wrong data");
}

static void waits(void)
{
    MPI_Request all[2 * N];
    MPI_Status statuses[2 * N];
    int in[N * N], out[N * N], flag, index, indices[2 * N], done;
    post(all, in, out, 10);
    MPI_Waitall(2 * N, all, MPI_STATUSES_IGNORE);
    compare(in);
    post(all, in, out, 11);
    MPI_Waitall(2 * N, all, statuses);
    check(statuses[N - 1].MPI_SOURCE == left && statuses[N - 1].MPI_TAG == 11, "status");
    post(all, in, out, 12);
    for (int i = 0; i < 2 * N; i++)
        MPI_Waitany(2 * N, all, &index, MPI_STATUS_IGNORE);
    MPI_Waitany(2 * N, all, &index, MPI_STATUS_IGNORE);
    check(index == MPI_UNDEFINED, "requests are left");
    compare(in);
    post(all, in, out, 13);
    for (int n = 0; n < 2 * N; n += done)
        MPI_Waitsome(2 * N, all, &done, indices, n % 2 ? statuses : MPI_STATUSES_IGNORE);
    post(all, in, out, 14);
    do
        MPI_Testall(2 * N, all, &flag, MPI_STATUSES_IGNORE);
    while (!flag);
    post(all, in, out, 15);
    for (int n = 0; n < 2 * N; n += flag)
        MPI_Testany(2 * N, all, &index, &flag, MPI_STATUS_IGNORE);
    post(all, in, out, 16);
    for (int n = 0; n < 2 * N; n += done)
        MPI_Testsome(2 * N, all, &done, indices, MPI_STATUSES_IGNORE);
    post(all, in, out, 17);
    for (int i = 0; i < 2 * N; i++)
        for (flag = 0; !flag;)
            MPI_Test(&all[i], &flag, MPI_STATUS_IGNORE);
    post(all, in, out, 18);
    for (int i = 0; i < 2 * N; i++)
        MPI_Wait(&all[i], &statuses[i]);
    compare(in);
}

static void persistent(void)
{
    MPI_Request all[2];
    double in[7], out[7] = {0};
    MPI_Recv_init(in, 7, MPI_DOUBLE, left, 20, MPI_COMM_WORLD, &all[0]);
    MPI_Send_init(out, 7, MPI_DOUBLE, right, 20, MPI_COMM_WORLD, &all[1]);
    for (int i = 0; i < 4; i++) {
        if (i % 2) {
            MPI_Startall(2, all);
        } else {
            MPI_Start(&all[0]);
            MPI_Start(&all[1]);
        }
        MPI_Waitall(2, all, MPI_STATUSES_IGNORE);
        MPI_Waitall(2, all, MPI_STATUSES_IGNORE); /* they are not active: nothing is received */
    }
    MPI_Request_free(&all[0]);
    MPI_Request_free(&all[1]);
}

static void special(void)
{
    MPI_Request r;
    MPI_Status status;
    int value = rank, flag;
    MPI_Send(&value, 1, MPI_INT, MPI_PROC_NULL, 21, MPI_COMM_WORLD);
    MPI_Recv(&value, 1, MPI_INT, MPI_PROC_NULL, 21, MPI_COMM_WORLD, &status);
    MPI_Irecv(&value, 1, MPI_INT, MPI_PROC_NULL, 21, MPI_COMM_WORLD, &r);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    if (rank == 0)
        for (int i = 1; i < size; i++)
            MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    else
        MPI_Send(&value, 1, MPI_INT, 0, 30 + rank, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD); /* what comes next is not for MPI_ANY_TAG */
    MPI_Irecv(&value, 1, MPI_INT, left, 39, MPI_COMM_WORLD, &r);
    MPI_Cancel(&r);
    MPI_Wait(&r, &status);
    MPI_Test_cancelled(&status, &flag);
    check(flag, "it was not cancelled");
    value = rank;
    MPI_Isend(&value, 1, MPI_INT, right, 40, MPI_COMM_WORLD, &r);
    MPI_Request_free(&r);
    int got;
    MPI_Recv(&got, 1, MPI_INT, left, 40, MPI_COMM_WORLD, &status);
    check(got == left, "of a freed request");
    MPI_Barrier(MPI_COMM_WORLD);
}

static void probes(void)
{
    MPI_Request r;
    MPI_Status status;
    MPI_Message message;
    int values[3] = {1, 2, 3}, in[3], flag = 0;
    for (int tag = 50; tag < 54; tag++)
        MPI_Bsend(values, 3, MPI_INT, right, tag, MPI_COMM_WORLD);
    MPI_Probe(left, 50, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(in, 3, MPI_INT, left, 50, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    while (!flag)
        MPI_Iprobe(left, 51, MPI_COMM_WORLD, &flag, &status);
    MPI_Recv(in, 3, MPI_INT, left, 51, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Mprobe(left, 52, MPI_COMM_WORLD, &message, &status);
    MPI_Mrecv(in, 3, MPI_INT, &message, MPI_STATUS_IGNORE);
    for (flag = 0; !flag;)
        MPI_Improbe(left, 53, MPI_COMM_WORLD, &flag, &message, MPI_STATUS_IGNORE);
    MPI_Imrecv(in, 3, MPI_INT, &message, &r);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
}

static void communicators(void)
{
    MPI_Comm half, twin, between;
    int own, n, value = 0, in, sum;
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, 0, &half);
    MPI_Comm_rank(half, &own);
    MPI_Comm_size(half, &n);
    MPI_Comm_set_name(half, rank % 2 ? "odd" : "even");
    MPI_Sendrecv(&value, 1, MPI_INT, (own + 1) % n, 60, &in, 1, MPI_INT, (own + n - 1) % n, 60, half, MPI_STATUS_IGNORE);
    for (int i = 0; i < 3; i++) { /* the handle comes again */
        MPI_Comm_dup(half, &twin);
        MPI_Sendrecv_replace(&value, 1, MPI_INT, (own + 1) % n, 61, (own + n - 1) % n, 61, twin, MPI_STATUS_IGNORE);
        MPI_Comm_free(&twin);
    }
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, rank % 2 ? 0 : 1, 5, &between);
    MPI_Sendrecv(&value, 1, MPI_INT, own, 70, &in, 1, MPI_INT, own, 70, between, MPI_STATUS_IGNORE);
    MPI_Allreduce(&own, &sum, 1, MPI_INT, MPI_SUM, between);
    MPI_Comm_free(&between);
    MPI_Comm_free(&half);
}

static void collectives(void)
{
    double a[3] = {1, 2, 3}, *all = malloc(3 * sizeof *all * (size_t)size), *other = calloc(3 * (size_t)size, sizeof *all);
    int *counts = malloc(2 * sizeof *counts * (size_t)size), *at = counts + size;
    MPI_Request r;
    for (int i = 0; i < size; i++) {
        counts[i] = 3;
        at[i] = 3 * i;
        for (int k = 0; k < 3; k++)
            all[3 * i + k] = k;
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Bcast(a, 3, MPI_DOUBLE, 1, MPI_COMM_WORLD);
    MPI_Gather(a, 3, MPI_DOUBLE, all, 3, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Gather(rank == 0 ? MPI_IN_PLACE : a, 3, MPI_DOUBLE, all, 3, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Gatherv(a, 3, MPI_DOUBLE, all, counts, at, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Scatter(all, 3, MPI_DOUBLE, a, 3, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Scatterv(all, counts, at, MPI_DOUBLE, a, 3, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Allgather(a, 3, MPI_DOUBLE, all, 3, MPI_DOUBLE, MPI_COMM_WORLD);
    MPI_Allgatherv(a, 3, MPI_DOUBLE, all, counts, at, MPI_DOUBLE, MPI_COMM_WORLD);
    MPI_Alltoall(all, 3, MPI_DOUBLE, other, 3, MPI_DOUBLE, MPI_COMM_WORLD);
    MPI_Alltoallv(all, counts, at, MPI_DOUBLE, other, counts, at, MPI_DOUBLE, MPI_COMM_WORLD);
    MPI_Reduce(a, all, 3, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, a, 3, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    MPI_Reduce_scatter(other, a, counts, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    MPI_Reduce_scatter_block(other, a, 3, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    MPI_Scan(a, all, 3, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    MPI_Exscan(a, all, 3, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    MPI_Iallreduce(a, all, 3, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD, &r);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    MPI_Ibarrier(MPI_COMM_WORLD, &r);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    free(all);
    free(other);
    free(counts);
}

static void one_sided(void)
{
    MPI_Win w;
    double memory[2] = {0, 0}, value = rank;
    MPI_Win_create(memory, sizeof memory, sizeof memory[0], MPI_INFO_NULL, MPI_COMM_WORLD, &w);
    MPI_Win_fence(0, w);
    MPI_Put(&value, 1, MPI_DOUBLE, right, 1, 1, MPI_DOUBLE, w);
    MPI_Win_fence(0, w);
    check(memory[1] == left, "put");
    MPI_Win_free(&w);
}

/* Measurement is off between a request and its end, and for whole messages. */
static void off(void)
{
    MPI_Request r[2];
    int in, out = rank;
    MPI_Irecv(&in, 1, MPI_INT, left, 80, MPI_COMM_WORLD, &r[0]);
    MPI_Isend(&out, 1, MPI_INT, right, 80, MPI_COMM_WORLD, &r[1]);
    MPI_Pcontrol(0);
    MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
    for (int i = 0; i < 100; i++) {
        MPI_Isend(&out, 1, MPI_INT, right, 81, MPI_COMM_WORLD, &r[1]);
        MPI_Irecv(&in, 1, MPI_INT, left, 81, MPI_COMM_WORLD, &r[0]);
        MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
    }
    MPI_Pcontrol(1);
    MPI_Isend(&out, 1, MPI_INT, right, 82, MPI_COMM_WORLD, &r[1]);
    MPI_Irecv(&in, 1, MPI_INT, left, 82, MPI_COMM_WORLD, &r[0]);
    MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
}

static void threads(int provided)
{
    if (provided < MPI_THREAD_MULTIPLE)
        return;
#pragma omp parallel for num_threads(4) schedule(static, 1)
    for (int t = 0; t < 4; t++)
        for (int i = 0; i < 25; i++) {
            MPI_Request all[6];
            int in[3], out[3] = {t, i, rank};
            for (int k = 0; k < 3; k++) {
                MPI_Irecv(&in[k], 1, MPI_INT, left, 100 + t, MPI_COMM_WORLD, &all[k]);
                MPI_Isend(&out[k], 1, MPI_INT, right, 100 + t, MPI_COMM_WORLD, &all[3 + k]);
            }
            MPI_Waitall(6, all, MPI_STATUSES_IGNORE);
            check(in[0] == t && in[1] == i && in[2] == left, "another thread's message");
        }
}

int main(int argc, char **argv)
{
    int provided = MPI_THREAD_SINGLE;
    static char buffer[1 << 16];
    double d[100] = {0}, e[100];
    void *back;
    int n;
    if (argc > 1)
        MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    else
        MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    right = (rank + 1) % size;
    left = (rank + size - 1) % size;
    MPI_Buffer_attach(buffer, sizeof buffer);
    for (int i = 0; i < 3; i++)
        MPI_Sendrecv(d, 100, MPI_DOUBLE, right, 1, e, 100, MPI_DOUBLE, left, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    waits();
    persistent();
    special();
    probes();
    communicators();
    collectives();
    one_sided();
    off();
    threads(provided);
    MPI_Buffer_detach(&back, &n);
    if (rank == 0)
        printf("threads %d\n", provided == MPI_THREAD_MULTIPLE);
    MPI_Finalize();
    return 0;
}
