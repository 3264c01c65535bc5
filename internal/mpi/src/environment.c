/* environment.c: initialization and end of MPI, and switching measurement on and off. */
#include <stdio.h>
#include <unistd.h>

#include "layer.h"

static int layer_begun;

/* Writes the process's line and measures its clock. The ranks of a node have one clock. Without a
 * trace it sends no message. */
LAYER_COLD void layer_begin(void)
{
    int size = 1, level = MPI_THREAD_SINGLE, node = 0, recorded = 1;
    char world[64] = "", host[256] = "";
    const int inside = layer_depth;
    if (layer_begun || pomp_message_1 == NULL || pomp_recording_1 == NULL || !layer.unit.active ||
        pomp_recording_1() == NULL)
        return;
    layer_depth = 1;
    layer_begun = 1;
    (void)PMPI_Comm_rank(MPI_COMM_WORLD, &layer.rank);
    (void)PMPI_Comm_size(MPI_COMM_WORLD, &size);
    (void)PMPI_Query_thread(&level);
    layer.several = level == MPI_THREAD_MULTIPLE;
    (void)gethostname(host, sizeof host - 1);
    for (char *c = host; *c != 0; c++)
        if (*c == '"' || *c == '\\' || (unsigned char)*c < ' ')
            *c = '_';
    (void)snprintf(world, sizeof world, "%.32s-%ld", host, (long)getpid());
    node = layer.rank;
    if ((layer.all = layer_meet(layer.rank, size)) != MPI_COMM_NULL) {
        (void)PMPI_Comm_size(layer.all, &recorded);
        (void)PMPI_Bcast(world, sizeof world, MPI_CHAR, 0, layer.all);
        if (PMPI_Comm_split_type(layer.all, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &layer.node) ==
            MPI_SUCCESS)
            (void)PMPI_Bcast(&node, 1, MPI_INT, 0, layer.node);
    }
    layer_write("{\"world\":\"%s\",\"rank\":%d,\"size\":%d,\"recorded\":%d,\"host\":\"%s\","
                "\"node\":%d,\"threads\":%d}\n",
                world, layer.rank, size, recorded, host, node,
                level == MPI_THREAD_MULTIPLE     ? 3
                : level == MPI_THREAD_SERIALIZED ? 2
                : level == MPI_THREAD_FUNNELED   ? 1
                                                 : 0);
    layer.numbers = pomp_variable("OPARI_TRACE_NUMBERS") != NULL;
    layer.tracing = 1;
    layer_clock("begin");
    (void)layer_communicator(MPI_COMM_WORLD);
    (void)layer_communicator(MPI_COMM_SELF);
    layer_depth = inside;
}

LAYER_COLD void layer_end(void)
{
    const int inside = layer_depth;
    if (!layer_begun)
        return;
    layer_depth = 1;
    layer_clock("end");
    layer_unify();
    layer.tracing = 0;
    if (layer.node != MPI_COMM_NULL)
        (void)PMPI_Comm_free(&layer.node);
    if (layer.all != MPI_COMM_NULL)
        (void)PMPI_Comm_free(&layer.all);
    layer_depth = inside;
}

/* MPI 3.1 [14.2.4]: level 0 switches profiling off, 1 on. The profiling library decides what other
 * levels do; the layer ignores them. */
void layer_control(int level)
{
    if (level == 0 && POMP_Off != NULL)
        POMP_Off();
    else if (level == 1 && POMP_On != NULL)
        POMP_On();
}

LAYER_API int MPI_Init(int *argc, char ***argv)
{
    if (!layer_on())
        return PMPI_Init(argc, argv);
    struct ompregdescr *d = layer_enter(LAYER_Init, LAYER_CALLER);
    layer_announce();
    const int error = PMPI_Init(argc, argv);
    if (error == MPI_SUCCESS)
        layer_begin();
    layer_leave(d);
    return error;
}

LAYER_API int MPI_Init_thread(int *argc, char ***argv, int required, int *provided)
{
    if (!layer_on())
        return PMPI_Init_thread(argc, argv, required, provided);
    struct ompregdescr *d = layer_enter(LAYER_Init_thread, LAYER_CALLER);
    layer_announce();
    const int error = PMPI_Init_thread(argc, argv, required, provided);
    if (error == MPI_SUCCESS)
        layer_begin();
    layer_leave(d);
    return error;
}

LAYER_API int MPI_Finalize(void)
{
    if (!layer_on()) {
        layer_end(); /* Even while this process is switched off, the others need it to measure
                        clocks. */
        return PMPI_Finalize();
    }
    struct ompregdescr *d = layer_enter(LAYER_Finalize, LAYER_CALLER);
    layer_end();
    const int error = PMPI_Finalize();
    layer_leave(d);
    return error;
}

/* PMPI_Abort does not return, so the region stays open. */
LAYER_API int MPI_Abort(MPI_Comm comm, int errorcode)
{
    if (layer_on())
        (void)layer_enter(LAYER_Abort, LAYER_CALLER);
    return PMPI_Abort(comm, errorcode);
}

LAYER_API int MPI_Pcontrol(const int level, ...)
{
    layer_control(level);
    return PMPI_Pcontrol(level);
}
