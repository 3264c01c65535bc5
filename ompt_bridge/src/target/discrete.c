/* discrete.c: devices with storage of their own. The library observes what their plugin does for a
 * construct, and raises events for the list items concerned. The runtime may map many items with
 * one allocation and one copy; each item gets its own part of it. */
#include "../core/bridge.h"

#include <stdlib.h>

enum { OPARI_OP_ALLOC, OPARI_OP_TO, OPARI_OP_FROM };

/* An operation of a plugin, on the calling thread, whose event is pending. */
struct opari_pending_op {
    int what, number; /* number: the device's */
    uintptr_t device;
    size_t bytes;
    uint64_t begins, ends;
};

enum {
    OPARI_PENDING_OPS = 8, /* operations that need no memory: in threads that run already, the
                       loader has little room for a library's thread-local variables */
    OPARI_PENDING_OPS_MOST =
        1 << 14 /* with so many, those that belong to no construct are forgotten */
};

static OPARI_TLS struct {
    size_t n, room;
    struct opari_pending_op *more, few[OPARI_PENDING_OPS]; /* more: null, or all operations, with
                                                space for room of them */
} opari_pending_ops;

static OPARI_MAYBE struct opari_pending_op *opari_pending_ops_all(void)
{
    return opari_pending_ops.more != NULL ? opari_pending_ops.more : opari_pending_ops.few;
}

static OPARI_MAYBE void opari_pending_ops_forget(void)
{
    free(opari_pending_ops.more);
    opari_pending_ops.more = NULL;
    opari_pending_ops.n = 0;
}

/* Notes an operation. Without memory it gets no event. */
static OPARI_MAYBE void opari_pending_op(const struct opari_pending_op *a)
{
    if (opari_pending_ops.n == OPARI_PENDING_OPS_MOST)
        opari_pending_ops_forget();
    const size_t room = opari_pending_ops.more != NULL ? opari_pending_ops.room : OPARI_PENDING_OPS;
    if (opari_pending_ops.n == room) {
        struct opari_pending_op *grown = realloc(opari_pending_ops.more, 2 * room * sizeof *grown);
        if (grown == NULL)
            return;
        if (opari_pending_ops.more == NULL)
            memcpy(grown, opari_pending_ops.few, sizeof opari_pending_ops.few);
        opari_pending_ops.more = grown;
        opari_pending_ops.room = 2 * room;
    }
    opari_pending_ops_all()[opari_pending_ops.n++] = *a;
}

/* Returns the last operation of that kind whose bytes contain those of the item; null if there is
 * none. */
static struct opari_pending_op *opari_pending_op_of(int what, int number,
                                                    const struct opari_item *i)
{
    struct opari_pending_op *a = opari_pending_ops_all();
    const uintptr_t at = (uintptr_t)i->device;
    for (size_t k = opari_pending_ops.n; at != 0 && k-- > 0;)
        if (a[k].what == what && a[k].number == number && a[k].device <= at &&
            at + i->bytes <= a[k].device + a[k].bytes)
            return &a[k];
    return NULL;
}

/* Raises the copy of one item. Of a copy of many items each one gets the share of the time that its
 * bytes have of all bytes. */
static void opari_discrete_copied(struct opari_thread *t, struct opari_target *g,
                                  const struct opari_item *i, int type,
                                  const struct opari_pending_op *a)
{
    const double length = (double)(a->ends - a->begins) / (double)a->bytes;
    const uint64_t begins =
        a->begins + (uint64_t)(length * (double)((uintptr_t)i->device - a->device));
    opari_moves(t, g, i, type, begins, begins + (uint64_t)(length * (double)i->bytes));
}

/* Mapping on entry is done: every item has its device address. */
static OPARI_MAYBE void opari_discrete_entered(struct opari_thread *t, struct opari_target *g,
                                               struct opari_item *item, size_t n)
{
    opari_target_map(t, g, item, n);
    for (size_t i = 0; i < n; i++) {
        const struct opari_pending_op *block =
            opari_pending_op_of(OPARI_OP_ALLOC, g->device, &item[i]);
        item[i].fresh = block != NULL;
        if (block != NULL)
            opari_moves(t, g, &item[i], ompt_target_data_alloc, block->begins, block->ends);
        const struct opari_pending_op *copy =
            (item[i].flags & ompt_target_map_flag_to) != 0
                ? opari_pending_op_of(OPARI_OP_TO, g->device, &item[i])
                : NULL;
        if (copy != NULL) /* no operation is forgotten meanwhile, because a tool calls no OpenMP */
            opari_discrete_copied(t, g, &item[i], ompt_target_data_transfer_to_device, copy);
    }
}

/* Raises the copy back of an item and forgets it: of two kernels that end at the same time the
 * second must not raise it again. */
static OPARI_MAYBE void opari_discrete_returned(struct opari_thread *t, struct opari_target *g,
                                                const struct opari_item *i)
{
    struct opari_pending_op *copy = opari_pending_op_of(OPARI_OP_FROM, g->device, i);
    if (copy == NULL)
        return;
    opari_discrete_copied(t, g, i, ompt_target_data_transfer_from_device, copy);
    struct opari_pending_op *last = &opari_pending_ops_all()[--opari_pending_ops.n];
    memmove(copy, copy + 1, (size_t)(last - copy) * sizeof *copy);
}

/* Mapping on exit: the items with gone set have been deleted. */
static OPARI_MAYBE void opari_discrete_left(struct opari_thread *t, struct opari_target *g,
                                            const struct opari_item *item, size_t n)
{
    for (size_t i = n; i-- > 0;)
        opari_discrete_returned(t, g, &item[i]);
    for (size_t i = n; i-- > 0;)
        if (item[i].gone)
            opari_moves(t, g, &item[i], ompt_target_data_delete, 0, 0);
}

static OPARI_MAYBE void opari_discrete_updated(struct opari_thread *t, struct opari_target *g,
                                               const struct opari_item *item, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const struct opari_pending_op *copy =
            (item[i].flags & ompt_target_map_flag_to) != 0
                ? opari_pending_op_of(OPARI_OP_TO, g->device, &item[i])
                : NULL;
        if (copy != NULL)
            opari_discrete_copied(t, g, &item[i], ompt_target_data_transfer_to_device, copy);
        else
            opari_discrete_returned(t, g, &item[i]);
    }
}
