/* requests.c: what the requests of receives and of persistent sends stand for.
 *
 * A hash table in stripes has a lock per stripe, which a thread holds for some instructions. A
 * thread takes a lock only inside a routine, while it counts as being inside. A signal handler on
 * that thread goes straight to MPI, so it never waits for the lock.
 *
 * An implementation may reuse the handle of a request as soon as the request is complete. So if
 * several threads may be in MPI, the layer takes a request out of the table before MPI tests it. It
 * puts the request back if it is not complete.
 */
#include <sched.h>

#include "layer.h"

enum { LAYER_STRIPES = 64, LAYER_FIRST_ROOM = 64 };

static struct {
    int lock;
    unsigned used, room; /* room: a power of two */
    struct layer_request *table;
} layer_stripes[LAYER_STRIPES] __attribute__((aligned(64)));

static uint64_t layer_hash(uintptr_t handle)
{
    return (uint64_t)handle * UINT64_C(0x9e3779b97f4a7c15);
}

static unsigned layer_lock(uint64_t hash)
{
    const unsigned s = (unsigned)(hash >> 58);
    for (unsigned tries = 0; __atomic_exchange_n(&layer_stripes[s].lock, 1, __ATOMIC_ACQUIRE) != 0;)
        if (++tries % 64 == 0)
            (void)sched_yield();
    return s;
}

static void layer_unlock(unsigned s)
{
    __atomic_store_n(&layer_stripes[s].lock, 0, __ATOMIC_RELEASE);
}

/* Returns the entry of the handle in the stripe, or the free one for it. */
static struct layer_request *layer_slot(unsigned s, uintptr_t handle, uint64_t hash)
{
    const unsigned mask = layer_stripes[s].room - 1;
    unsigned at = (unsigned)(hash >> 26) & mask;
    while (layer_stripes[s].table[at].handle != 0 && layer_stripes[s].table[at].handle != handle)
        at = (at + 1) & mask;
    return &layer_stripes[s].table[at];
}

static LAYER_COLD int layer_grow(unsigned s)
{
    struct layer_request *old = layer_stripes[s].table;
    const unsigned room = layer_stripes[s].room;
    struct layer_request *table = calloc(room > 0 ? 2 * room : LAYER_FIRST_ROOM, sizeof *table);
    if (table == NULL)
        return 0;
    layer_stripes[s].table = table;
    layer_stripes[s].room = room > 0 ? 2 * room : LAYER_FIRST_ROOM;
    for (unsigned i = 0; i < room; i++)
        if (old[i].handle != 0)
            *layer_slot(s, old[i].handle, layer_hash(old[i].handle)) = old[i];
    free(old);
    return 1;
}

void layer_request_back(const struct layer_request *r)
{
    if (r->handle == 0)
        return;
    const uint64_t hash = layer_hash(r->handle);
    const unsigned s = layer_lock(hash);
    if (2 * (layer_stripes[s].used + 1) <= layer_stripes[s].room || layer_grow(s)) {
        struct layer_request *slot = layer_slot(s, r->handle, hash);
        if (slot->handle == 0) {
            layer_stripes[s].used++;
            (void)__atomic_fetch_add(&layer.pending, 1, __ATOMIC_RELAXED);
        }
        *slot = *r;
    }
    layer_unlock(s);
}

/* Closes the gap that a removed entry leaves: later entries move up unless they are already in
 * their own place. */
static void layer_remove(unsigned s, struct layer_request *slot)
{
    struct layer_request *table = layer_stripes[s].table;
    const unsigned mask = layer_stripes[s].room - 1;
    unsigned gap = (unsigned)(slot - table), at = gap;
    for (;;) {
        at = (at + 1) & mask;
        if (table[at].handle == 0)
            break;
        const unsigned home = (unsigned)(layer_hash(table[at].handle) >> 26) & mask;
        if (((at - home) & mask) >= ((at - gap) & mask)) {
            table[gap] = table[at];
            gap = at;
        }
    }
    table[gap].handle = 0;
    layer_stripes[s].used--;
    (void)__atomic_fetch_sub(&layer.pending, 1, __ATOMIC_RELAXED);
}

static struct layer_request layer_find(uintptr_t handle, int remove, int start)
{
    struct layer_request found = {0};
    if (handle == 0 || __atomic_load_n(&layer.pending, __ATOMIC_RELAXED) == 0)
        return found;
    const uint64_t hash = layer_hash(handle);
    const unsigned s = layer_lock(hash);
    if (layer_stripes[s].room > 0) {
        struct layer_request *slot = layer_slot(s, handle, hash);
        if (slot->handle != 0) {
            if (start) {
                slot->active = 1;
                slot->number = layer_request_number();
            }
            found = *slot;
            if (remove || slot->kind == LAYER_SEND || slot->kind == LAYER_RECEIVE ||
                slot->kind == LAYER_MESSAGE)
                layer_remove(s, slot);
            else if (!start)
                slot->active = 0;
        }
    }
    layer_unlock(s);
    return found;
}

uint64_t layer_request_number(void)
{
    return layer.numbers ? __atomic_add_fetch(&layer.numbered, 1, __ATOMIC_RELAXED) : 0;
}

struct layer_request layer_request_take(MPI_Request request)
{
    return layer_find((uintptr_t)request, 0, 0);
}

void layer_request_of(MPI_Request request, enum layer_request_kind kind, unsigned communicator,
                      int peer, int tag, uint64_t bytes)
{
    if (!layer.tracing || request == MPI_REQUEST_NULL)
        return;
    const struct layer_request r = {(uintptr_t)request,
                                    kind,
                                    0,
                                    communicator,
                                    peer,
                                    tag,
                                    bytes,
                                    kind == LAYER_RECEIVE ? layer_request_number() : 0};
    layer_request_is(POMP_MESSAGE_REQUESTED, r.number);
    layer_request_back(&r);
}

/* MPICH gives all sends that are complete at once the same handle, so a send whose handle comes
 * again is complete. */
void layer_request_sent(MPI_Request request, uint64_t number)
{
    if (number == 0 || request == MPI_REQUEST_NULL)
        return;
    const struct layer_request before = layer_find((uintptr_t)request, 1, 0);
    if (before.kind == LAYER_SEND)
        layer_request_is(POMP_MESSAGE_COMPLETE, before.number);
    const struct layer_request r = {(uintptr_t)request, LAYER_SEND, 0, 0, 0, 0, 0, number};
    layer_request_back(&r);
}

void layer_request_new(MPI_Request request, enum layer_request_kind kind, MPI_Comm comm, int peer,
                       int tag, uint64_t bytes)
{
    if (layer.tracing && peer != MPI_PROC_NULL)
        layer_request_of(request, kind, layer_communicator(comm), peer, tag, bytes);
}

/* Starts a persistent request; for a send this reports its message. Each start has a number. */
void layer_start(MPI_Request request)
{
    const struct layer_request r = layer_find((uintptr_t)request, 0, 1);
    if (r.kind == LAYER_PERSISTENT_SEND)
        layer_sent_by(r.communicator, r.peer, r.tag, r.bytes, r.number);
    else if (r.kind == LAYER_PERSISTENT_RECEIVE)
        layer_request_is(POMP_MESSAGE_REQUESTED, r.number);
}

/* The trace never has a receive whose request is freed before it is complete, because nobody learns
 * when it completes. */
void layer_request_freed(MPI_Request request) { (void)layer_find((uintptr_t)request, 1, 0); }

/* MPI has found a taken request complete. */
void layer_completed(struct layer_request *r, const MPI_Status *status)
{
    int cancelled = 0;
    if (r->kind == LAYER_RECEIVE || (r->kind == LAYER_PERSISTENT_RECEIVE && r->active))
        layer_received_by(r->communicator, status, r->number);
    else if (r->number != 0 &&
             (r->kind == LAYER_SEND || (r->kind == LAYER_PERSISTENT_SEND && r->active)))
        layer_request_is(PMPI_Test_cancelled(status, &cancelled) == MPI_SUCCESS && cancelled
                             ? POMP_MESSAGE_CANCELLED
                             : POMP_MESSAGE_COMPLETE,
                         r->number);
    r->handle = 0;
}

/* Handles of messages that a matching probe has found share the table with requests. A message's
 * handle has its lowest bit inverted, which keeps the two apart in all known implementations. */
void layer_message_new(MPI_Message message, MPI_Comm comm)
{
    if (!layer.tracing || message == MPI_MESSAGE_NULL || message == MPI_MESSAGE_NO_PROC)
        return;
    const struct layer_request r = {
        (uintptr_t)message ^ 1, LAYER_MESSAGE, 0, layer_communicator(comm), 0, 0, 0, 0};
    layer_request_back(&r);
}

unsigned layer_message_take(MPI_Message message)
{
    return layer_find((uintptr_t)message ^ 1, 1, 0).communicator;
}
