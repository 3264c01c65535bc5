/* discrete.c: devices with storage of their own. The library observes what their plugin does for a
 * construct, and raises events for the list items concerned. The runtime may map many items with
 * one allocation and one copy; each item gets its own part of it. */
#include "../core/bridge.h"

#include <stdlib.h>

enum { OPARI_ACT_ALLOC, OPARI_ACT_TO, OPARI_ACT_FROM };

/* An act of a plugin on the calling thread for which no event has been raised yet. */
struct opari_act {
    int what, number; /* number: the device's */
    uintptr_t device;
    size_t bytes;
    uint64_t begins, ends;
};

enum {
    OPARI_ACTS = 8, /* acts that need no memory: in threads that run already, the loader has little
                       room for a library's thread-local variables */
    OPARI_ACTS_MOST = 1 << 14 /* with so many, those that belong to no construct are forgotten */
};

static OPARI_TLS struct {
    size_t n, room;
    struct opari_act *more, few[OPARI_ACTS]; /* more: null, or all acts, with space for room of
                                                them */
} opari_acts;

static OPARI_MAYBE struct opari_act *opari_acts_all(void)
{
    return opari_acts.more != NULL ? opari_acts.more : opari_acts.few;
}

static OPARI_MAYBE void opari_acts_forget(void)
{
    free(opari_acts.more);
    opari_acts.more = NULL;
    opari_acts.n = 0;
}

/* Notes an act. Without memory it gets no event. */
static OPARI_MAYBE void opari_act(const struct opari_act *a)
{
    if (opari_acts.n == OPARI_ACTS_MOST)
        opari_acts_forget();
    const size_t room = opari_acts.more != NULL ? opari_acts.room : OPARI_ACTS;
    if (opari_acts.n == room) {
        struct opari_act *grown = realloc(opari_acts.more, 2 * room * sizeof *grown);
        if (grown == NULL)
            return;
        if (opari_acts.more == NULL)
            memcpy(grown, opari_acts.few, sizeof opari_acts.few);
        opari_acts.more = grown;
        opari_acts.room = 2 * room;
    }
    opari_acts_all()[opari_acts.n++] = *a;
}

/* Returns the last act of that kind whose bytes contain those of the item; null if there is
 * none. */
static struct opari_act *opari_act_of(int what, int number, const struct opari_item *i)
{
    struct opari_act *a = opari_acts_all();
    const uintptr_t at = (uintptr_t)i->device;
    for (size_t k = opari_acts.n; at != 0 && k-- > 0;)
        if (a[k].what == what && a[k].number == number && a[k].device <= at &&
            at + i->bytes <= a[k].device + a[k].bytes)
            return &a[k];
    return NULL;
}

/* Raises the copy of one item. Of a copy of many items each one gets the share of the time that its
 * bytes have of all bytes. */
static void opari_discrete_copied(struct opari_thread *t, struct opari_target *g,
                                  const struct opari_item *i, int type, const struct opari_act *a)
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
        const struct opari_act *block = opari_act_of(OPARI_ACT_ALLOC, g->device, &item[i]);
        item[i].fresh = block != NULL;
        if (block != NULL)
            opari_moves(t, g, &item[i], ompt_target_data_alloc, block->begins, block->ends);
        const struct opari_act *copy = (item[i].flags & ompt_target_map_flag_to) != 0
                                           ? opari_act_of(OPARI_ACT_TO, g->device, &item[i])
                                           : NULL;
        if (copy != NULL) /* no act is forgotten meanwhile, because a tool calls no OpenMP */
            opari_discrete_copied(t, g, &item[i], ompt_target_data_transfer_to_device, copy);
    }
}

/* Raises the copy back of an item and forgets it: of two kernels that end at the same time the
 * second must not raise it again. */
static OPARI_MAYBE void opari_discrete_returned(struct opari_thread *t, struct opari_target *g,
                                                const struct opari_item *i)
{
    struct opari_act *copy = opari_act_of(OPARI_ACT_FROM, g->device, i);
    if (copy == NULL)
        return;
    opari_discrete_copied(t, g, i, ompt_target_data_transfer_from_device, copy);
    struct opari_act *last = &opari_acts_all()[--opari_acts.n];
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
        const struct opari_act *copy = (item[i].flags & ompt_target_map_flag_to) != 0
                                           ? opari_act_of(OPARI_ACT_TO, g->device, &item[i])
                                           : NULL;
        if (copy != NULL)
            opari_discrete_copied(t, g, &item[i], ompt_target_data_transfer_to_device, copy);
        else
            opari_discrete_returned(t, g, &item[i]);
    }
}
