/* communicators.c: numbers of communicators and windows, and what the trace needs to know of each:
 * its members as ranks of MPI_COMM_WORLD.
 *
 * Each process numbers its communicators by itself, without a message. Two processes mean the same
 * communicator if its members are equal and it is the nth one with these members in both. That is
 * right because MPI demands that the members of a communicator make others from it in the same
 * order.
 */
#include <pthread.h>
#include <stdio.h>

#include "layer.h"

struct layer_known {
    uintptr_t handle;
    unsigned number;
};

/* Readers take no lock. A table is filled before it becomes visible, and an entry's number is
 * stored before its handle. A table that has become too small stays allocated, as a reader may
 * still use it. */
struct layer_table {
    unsigned room, used; /* room: a power of two */
    struct layer_known entry[];
};
static struct layer_table *layer_tables[2]; /* communicators, windows */
static pthread_mutex_t layer_numbers_lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned layer_numbers;
static MPI_Group layer_world;

/* A set of members, and how many earlier communicators had it. */
static struct layer_group {
    uint64_t hash;
    unsigned times;
    struct layer_group *next;
} *layer_groups;

static struct layer_known *layer_known_slot(struct layer_table *t, uintptr_t handle)
{
    unsigned at = (unsigned)((uint64_t)handle * UINT64_C(0x9e3779b97f4a7c15) >> 32) & (t->room - 1);
    for (;;) {
        const uintptr_t there = __atomic_load_n(&t->entry[at].handle, __ATOMIC_ACQUIRE);
        if (there == handle || there == 0)
            return &t->entry[at];
        at = (at + 1) & (t->room - 1);
    }
}

static unsigned layer_number_of(int table, uintptr_t handle)
{
    struct layer_table *t = __atomic_load_n(&layer_tables[table], __ATOMIC_ACQUIRE);
    const struct layer_known *k = t != NULL ? layer_known_slot(t, handle) : NULL;
    return k != NULL && k->handle == handle ? __atomic_load_n(&k->number, __ATOMIC_RELAXED) : 0;
}

/* The caller holds the lock. */
static LAYER_COLD void layer_number_set(int table, uintptr_t handle, unsigned number)
{
    struct layer_table *t = layer_tables[table];
    if (t == NULL || 2 * (t->used + 1) > t->room) {
        const unsigned room = t != NULL ? 2 * t->room : 64;
        struct layer_table *more = calloc(1, sizeof *more + room * sizeof more->entry[0]);
        if (more == NULL)
            return;
        more->room = room;
        for (unsigned i = 0; t != NULL && i < t->room; i++)
            if (t->entry[i].number != 0) {
                *layer_known_slot(more, t->entry[i].handle) = t->entry[i];
                more->used++;
            }
        __atomic_store_n(&layer_tables[table], more, __ATOMIC_RELEASE);
        t = more;
    }
    struct layer_known *k = layer_known_slot(t, handle);
    __atomic_store_n(&k->number, number, __ATOMIC_RELAXED);
    if (k->handle == 0) {
        t->used++;
        __atomic_store_n(&k->handle, handle, __ATOMIC_RELEASE);
    }
}

LAYER_COLD char *layer_runs(const int *number, int n)
{
    char *text = malloc(36 * (size_t)(n + 1)), *end = text;
    if (text == NULL)
        return NULL;
    *end = 0;
    for (int i = 0, run; i < n; i += run) {
        const int step = i + 1 < n ? number[i + 1] - number[i] : 0;
        for (run = 1; number[i] >= 0 && step > 0 && i + run < n &&
                      number[i + run] - number[i + run - 1] == step;)
            run++;
        if (run == 2 && i + 2 < n)
            run = 1; /* the second number may begin a longer run */
        end += sprintf(end, i > 0 ? ",%d" : "%d", number[i] >= 0 ? number[i] : -1);
        if (run > 1)
            end += sprintf(end, step > 1 ? "-%d:%d" : "-%d", number[i + run - 1], step);
    }
    return text;
}

/* Returns the ranks of a group as text; -1 for a process of another world. The caller frees it. */
static LAYER_COLD char *layer_ranks(MPI_Group group)
{
    int n = 0;
    (void)PMPI_Group_size(group, &n);
    int *own = malloc(2 * sizeof *own * (size_t)(n + 1)), *rank = own != NULL ? own + n + 1 : NULL;
    if (own == NULL)
        return NULL;
    for (int i = 0; i < n; i++)
        own[i] = i;
    if (n > 0)
        (void)PMPI_Group_translate_ranks(group, n, own, layer_world, rank);
    char *text = layer_runs(rank, n);
    free(own);
    return text;
}

static LAYER_COLD unsigned layer_times(const char *members, const char *remote)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (const char *s = members; *s != 0; s++)
        hash = (hash ^ (unsigned char)*s) * UINT64_C(0x100000001b3);
    hash = (hash ^ '/') * UINT64_C(0x100000001b3);
    for (const char *s = remote; *s != 0; s++)
        hash = (hash ^ (unsigned char)*s) * UINT64_C(0x100000001b3);
    for (struct layer_group *g = layer_groups; g != NULL; g = g->next)
        if (g->hash == hash)
            return ++g->times;
    struct layer_group *g = calloc(1, sizeof *g);
    if (g == NULL)
        return 0;
    *g = (struct layer_group){hash, 0, layer_groups};
    layer_groups = g;
    return 0;
}

/* Reads the name for use in JSON: _ replaces each character that would need an escape. */
static LAYER_COLD void layer_name(MPI_Comm comm, char name[MPI_MAX_OBJECT_NAME])
{
    int n = 0;
    name[0] = 0;
    (void)PMPI_Comm_get_name(comm, name, &n);
    for (char *c = name; *c != 0; c++)
        if (*c == '"' || *c == '\\' || (unsigned char)*c < ' ' || (unsigned char)*c > '~')
            *c = '_';
}

/* Gives comm a number. The caller holds the lock. */
static LAYER_COLD unsigned layer_define(MPI_Comm comm)
{
    MPI_Group group = MPI_GROUP_NULL, other = MPI_GROUP_NULL;
    int two = 0;
    char name[MPI_MAX_OBJECT_NAME], *members, *remote = NULL;
    if (layer_numbers + 1 >= 1u << 20)
        return 0;
    if (layer_numbers == 0 && PMPI_Comm_group(MPI_COMM_WORLD, &layer_world) != MPI_SUCCESS)
        return 0;
    if (PMPI_Comm_group(comm, &group) != MPI_SUCCESS)
        return 0;
    members = layer_ranks(group);
    (void)PMPI_Group_free(&group);
    (void)PMPI_Comm_test_inter(comm, &two);
    if (two && PMPI_Comm_remote_group(comm, &other) == MPI_SUCCESS) {
        remote = layer_ranks(other);
        (void)PMPI_Group_free(&other);
    }
    layer_name(comm, name);
    if (members != NULL) {
        const char *far = remote != NULL ? remote : "";
        layer_numbers++;
        layer_number_set(0, (uintptr_t)comm, layer_numbers);
        /* both sides must count it as the same pair of groups */
        const int swap = remote != NULL && strcmp(members, remote) > 0;
        layer_write("{\"communicator\":%u,\"members\":\"%s\",\"remote\":\"%s\",\"times\":%u,"
                    "\"name\":\"%s\"}\n",
                    layer_numbers, members, far,
                    swap ? layer_times(far, members) : layer_times(members, far), name);
    }
    free(members);
    free(remote);
    return members != NULL ? layer_numbers : 0;
}

unsigned layer_communicator(MPI_Comm comm)
{
    unsigned number = layer_number_of(0, (uintptr_t)comm);
    if (number != 0 || comm == MPI_COMM_NULL)
        return number;
    pthread_mutex_lock(&layer_numbers_lock);
    if ((number = layer_number_of(0, (uintptr_t)comm)) == 0)
        number = layer_define(comm);
    pthread_mutex_unlock(&layer_numbers_lock);
    return number;
}

/* If the handle is already known, MPI has freed its communicator where the layer did not see it. */
void layer_communicator_new(MPI_Comm comm)
{
    if (!layer.tracing || comm == MPI_COMM_NULL)
        return;
    pthread_mutex_lock(&layer_numbers_lock);
    (void)layer_define(comm);
    pthread_mutex_unlock(&layer_numbers_lock);
}

void layer_communicator_freed(MPI_Comm comm)
{
    if (!layer.tracing || comm == MPI_COMM_NULL || layer_number_of(0, (uintptr_t)comm) == 0)
        return;
    pthread_mutex_lock(&layer_numbers_lock);
    layer_number_set(0, (uintptr_t)comm, 0);
    pthread_mutex_unlock(&layer_numbers_lock);
}

void layer_communicator_named(MPI_Comm comm)
{
    char name[MPI_MAX_OBJECT_NAME];
    const unsigned number = layer.tracing ? layer_communicator(comm) : 0;
    if (number == 0)
        return;
    layer_name(comm, name);
    layer_write("{\"communicator\":%u,\"name\":\"%s\"}\n", number, name);
}

void layer_window_new(MPI_Win win, MPI_Comm comm)
{
    if (!layer.tracing || win == MPI_WIN_NULL)
        return;
    const unsigned number = layer_communicator(comm);
    pthread_mutex_lock(&layer_numbers_lock);
    layer_number_set(1, (uintptr_t)win, number);
    pthread_mutex_unlock(&layer_numbers_lock);
}

void layer_window_freed(MPI_Win win)
{
    if (!layer.tracing)
        return;
    pthread_mutex_lock(&layer_numbers_lock);
    layer_number_set(1, (uintptr_t)win, 0);
    pthread_mutex_unlock(&layer_numbers_lock);
}

unsigned layer_window(MPI_Win win) { return layer_number_of(1, (uintptr_t)win); }
