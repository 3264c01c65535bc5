/* clock.c: one clock for all processes.
 *
 * The ranks of a node read one clock. One rank of each node, its leader, measures how far its
 * parent's clock is ahead; the leaders form a binomial tree. Of several exchanges the fastest
 * counts: the parent read its clock in the middle of it, with an error of at most half its
 * duration. So the time grows with the logarithm of the number of nodes. Offsets add up from rank 0
 * downwards. Each process writes the offset of its clock; the conversion interpolates between two
 * measurements.
 */
#include <time.h>

#include "layer.h"

enum { LAYER_EXCHANGES = 16, LAYER_TAG = 1 };

static int64_t layer_ns(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* Returns how far the partner's clock is ahead, and adds to error how wrong that may be. */
static LAYER_COLD int64_t layer_measure_offset(int partner, MPI_Comm comm, int64_t *error)
{
    int64_t best = INT64_MAX, ahead = 0, there = 0;
    for (int i = 0; i < LAYER_EXCHANGES; i++) {
        const int64_t sent = layer_ns();
        (void)PMPI_Send(&there, 1, MPI_INT64_T, partner, LAYER_TAG, comm);
        (void)PMPI_Recv(&there, 1, MPI_INT64_T, partner, LAYER_TAG, comm, MPI_STATUS_IGNORE);
        const int64_t took = layer_ns() - sent;
        if (took < best) {
            best = took;
            ahead = there - (sent + took / 2);
        }
    }
    *error += best / 2;
    return ahead;
}

static LAYER_COLD void layer_serve_times(int partner, MPI_Comm comm)
{
    for (int i = 0; i < LAYER_EXCHANGES; i++) {
        int64_t now;
        (void)PMPI_Recv(&now, 1, MPI_INT64_T, partner, LAYER_TAG, comm, MPI_STATUS_IGNORE);
        now = layer_ns();
        (void)PMPI_Send(&now, 1, MPI_INT64_T, partner, LAYER_TAG, comm);
    }
}

/* Runs among the leaders. found: the offset to the first leader's clock, and its error. */
static LAYER_COLD void layer_compare_clocks(MPI_Comm leaders, int64_t found[2])
{
    int rank = 0, size = 1, bit = 1;
    (void)PMPI_Comm_rank(leaders, &rank);
    (void)PMPI_Comm_size(leaders, &size);
    while (bit < size && (rank & bit) == 0)
        bit <<= 1;
    if (rank > 0) {
        int64_t above[2] = {0, 0};
        found[0] = layer_measure_offset(rank - bit, leaders, &found[1]);
        (void)PMPI_Recv(above, 2, MPI_INT64_T, rank - bit, LAYER_TAG, leaders, MPI_STATUS_IGNORE);
        found[0] += above[0];
        found[1] += above[1];
    }
    for (bit >>= 1; bit > 0; bit >>= 1)
        if (rank + bit < size) {
            layer_serve_times(rank + bit, leaders);
            (void)PMPI_Send(found, 2, MPI_INT64_T, rank + bit, LAYER_TAG, leaders);
        }
}

LAYER_COLD void layer_clock(const char *when)
{
    MPI_Comm leaders = MPI_COMM_NULL;
    int64_t found[2] = {0, 0};
    int in_node = 1;
    if (layer.node != MPI_COMM_NULL)
        (void)PMPI_Comm_rank(layer.node, &in_node);
    if (layer.all == MPI_COMM_NULL ||
        PMPI_Comm_split(layer.all, in_node == 0 ? 0 : MPI_UNDEFINED, 0, &leaders) != MPI_SUCCESS ||
        layer.node == MPI_COMM_NULL)
        return;
    if (leaders != MPI_COMM_NULL) {
        layer_compare_clocks(leaders, found);
        (void)PMPI_Comm_free(&leaders);
    }
    (void)PMPI_Bcast(found, 2, MPI_INT64_T, 0, layer.node);
    layer_write("{\"clock\":\"%s\",\"ns\":%lld,\"ahead\":%lld,\"error\":%lld}\n", when,
                (long long)layer_ns(), (long long)found[0], (long long)found[1]);
}
