/* Counts what a program sends, and its collective operations, by MPI's profiling interface: loaded
 * in front of a program that is not measured. Each process writes COUNT_MPI.RANK in MPI_Finalize:
 * "message FROM TO COUNT BYTES", ranks of MPI_COMM_WORLD, and "MPI_NAME COUNT". It knows nothing of
 * opari. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { RANKS = 1024, REQUESTS = 4096 };
static long count[RANKS], bytes[RANKS], allreduces, allgathers, barriers, bcasts, reduces, gathers,
    scans;
static struct {
    MPI_Request request;
    int to;
    long bytes;
} persistent[REQUESTS];
static int persistents;

static int world(MPI_Comm comm, int rank)
{
    MPI_Group all, own;
    int to = -1;
    PMPI_Comm_group(MPI_COMM_WORLD, &all);
    PMPI_Comm_group(comm, &own);
    PMPI_Group_translate_ranks(own, 1, &rank, all, &to);
    PMPI_Group_free(&all);
    PMPI_Group_free(&own);
    return to;
}

static long length(int n, MPI_Datatype type)
{
    int size;
    PMPI_Type_size(type, &size);
    return (long)n * size;
}

static void sent(int n, MPI_Datatype type, int dest, MPI_Comm comm)
{
    if (dest == MPI_PROC_NULL)
        return;
    const int to = world(comm, dest);
    count[to]++;
    bytes[to] += length(n, type);
}

int MPI_Send(const void *b, int n, MPI_Datatype t, int dest, int tag, MPI_Comm c)
{
    sent(n, t, dest, c);
    return PMPI_Send(b, n, t, dest, tag, c);
}
int MPI_Isend(const void *b, int n, MPI_Datatype t, int dest, int tag, MPI_Comm c, MPI_Request *r)
{
    sent(n, t, dest, c);
    return PMPI_Isend(b, n, t, dest, tag, c, r);
}
int MPI_Irsend(const void *b, int n, MPI_Datatype t, int dest, int tag, MPI_Comm c, MPI_Request *r)
{
    sent(n, t, dest, c);
    return PMPI_Irsend(b, n, t, dest, tag, c, r);
}
int MPI_Send_init(const void *b, int n, MPI_Datatype t, int dest, int tag, MPI_Comm c,
                  MPI_Request *r)
{
    const int error = PMPI_Send_init(b, n, t, dest, tag, c, r);
    if (persistents == REQUESTS)
        abort();
    persistent[persistents].request = *r;
    persistent[persistents].to = world(c, dest);
    persistent[persistents++].bytes = length(n, t);
    return error;
}
int MPI_Startall(int n, MPI_Request r[])
{
    for (int i = 0; i < n; i++)
        for (int k = 0; k < persistents; k++)
            if (persistent[k].request == r[i]) {
                count[persistent[k].to]++;
                bytes[persistent[k].to] += persistent[k].bytes;
                break;
            }
    return PMPI_Startall(n, r);
}
int MPI_Request_free(MPI_Request *r)
{
    for (int k = 0; k < persistents; k++)
        if (persistent[k].request == *r)
            persistent[k] = persistent[--persistents];
    return PMPI_Request_free(r);
}

int MPI_Allreduce(const void *s, void *r, int n, MPI_Datatype t, MPI_Op o, MPI_Comm c)
{
    return allreduces++, PMPI_Allreduce(s, r, n, t, o, c);
}
int MPI_Allgather(const void *s, int n, MPI_Datatype t, void *r, int m, MPI_Datatype u, MPI_Comm c)
{
    return allgathers++, PMPI_Allgather(s, n, t, r, m, u, c);
}
int MPI_Barrier(MPI_Comm c) { return barriers++, PMPI_Barrier(c); }
int MPI_Bcast(void *b, int n, MPI_Datatype t, int root, MPI_Comm c)
{
    return bcasts++, PMPI_Bcast(b, n, t, root, c);
}
int MPI_Reduce(const void *s, void *r, int n, MPI_Datatype t, MPI_Op o, int root, MPI_Comm c)
{
    return reduces++, PMPI_Reduce(s, r, n, t, o, root, c);
}
int MPI_Scan(const void *s, void *r, int n, MPI_Datatype t, MPI_Op o, MPI_Comm c)
{
    return scans++, PMPI_Scan(s, r, n, t, o, c);
}
int MPI_Gather(const void *s, int n, MPI_Datatype t, void *r, int m, MPI_Datatype u, int root,
               MPI_Comm c)
{
    gathers++;
    return PMPI_Gather(s, n, t, r, m, u, root, c);
}

int MPI_Finalize(void)
{
    char name[4096];
    int rank, size;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    PMPI_Comm_size(MPI_COMM_WORLD, &size);
    snprintf(name, sizeof name, "%s.%d", getenv("COUNT_MPI"), rank);
    FILE *f = fopen(name, "w");
    for (int to = 0; f != NULL && to < size; to++)
        if (count[to] > 0)
            fprintf(f, "message %d %d %ld %ld\n", rank, to, count[to], bytes[to]);
    const struct {
        const char *name;
        long n;
    } all[] = {{"MPI_Allreduce", allreduces},
               {"MPI_Allgather", allgathers},
               {"MPI_Barrier", barriers},
               {"MPI_Bcast", bcasts},
               {"MPI_Reduce", reduces},
               {"MPI_Gather", gathers},
               {"MPI_Scan", scans}};
    for (size_t i = 0; f != NULL && i < sizeof all / sizeof all[0]; i++)
        if (all[i].n > 0)
            fprintf(f, "%s %ld\n", all[i].name, all[i].n);
    if (f != NULL)
        fclose(f);
    return PMPI_Finalize();
}
