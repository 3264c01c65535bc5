/* discrete.c: constructs on devices with their own memory; see target.c. Their events come from
 * what the device's plugin does (plugin.c) and from where the runtime reports the data. A kernel
 * with nowait begins on the thread that starts it. The thread that unmaps its data raises its end.
 */
#include "../state/state.h"

#ifndef POMP_WRAPPED
#include <stdlib.h>

enum {
    POMP_GOMP_DEVICE_ADDRESS = 16, /* kind of an item: the runtime replaces its address with the
                                      device's if it is mapped */
    POMP_GOMP_MARK =
        0x7f |
        1 << 7, /* an argument for a device type that does not exist; the next word is its value */
    POMP_ARGUMENTS = 16,
    POMP_ADDRESSES = 64
};

enum { POMP_PLUGINS = 2 }; /* GCC's plugins are nvptx and amdgcn */

struct pomp_plugin {
    void *handle;
    int first, devices; /* the number of its first device, and how many devices it has */
    int (*get_num_devices)(unsigned);
    void *(*alloc)(int, size_t);
    _Bool (*free)(int, void *);
    _Bool (*host2dev)(int, void *, const void *, size_t),
        (*dev2host)(int, void *, const void *, size_t);
    void (*run)(int, void *, void *, void **), (*async_run)(int, void *, void *, void **, void *);
};

static struct pomp_plugin
    pomp_plugin[POMP_PLUGINS]; /* written during the runtime's initialization, on one thread */
static int pomp_plugins;

/* Returns whether the device is one whose plugin these functions call. */
static int pomp_is_discrete(int number)
{
    for (int i = 0; i < OPARI_LOAD(&pomp_plugins); i++)
        if (number >= pomp_plugin[i].first &&
            number < pomp_plugin[i].first + pomp_plugin[i].devices)
            return 1;
    return 0;
}

typedef int (*pomp_omp_target_is_present_t)(const void *, int);

/* Finds the items' addresses on the device. behind means that the construct has ended; then it
 * finds out which items are gone. */
static void pomp_addresses(int device, struct opari_item *item, size_t n, int behind)
{
    POMP_NEXT(GOMP_target_data_ext);
    static void *end, *present;
    if (end == NULL) {
        (void)pomp_next(&present, "omp_target_is_present");
        (void)pomp_next(&end, "GOMP_target_end_data");
    }
    for (size_t first = 0; first < n; first += POMP_ADDRESSES) {
        const size_t part = n - first < POMP_ADDRESSES ? n - first : POMP_ADDRESSES;
        void *at[POMP_ADDRESSES];
        size_t size[POMP_ADDRESSES] = {0};
        unsigned short kind[POMP_ADDRESSES];
        for (size_t i = 0; i < part; i++) { /* of the second byte: an object that ends at the first
                                               one would count as the item */
            at[i] = item[first + i].host + (item[first + i].bytes > 1);
            kind[i] = POMP_GOMP_DEVICE_ADDRESS;
        }
        next(device, part, at, size, kind);
        ((pomp_GOMP_target_end_data_t)(uintptr_t)end)();
        for (size_t i = 0; i < part; i++) {
            struct opari_item *of = &item[first + i];
            const int second = of->bytes > 1;
            const int there =
                at[i] != of->host + second &&
                (second || ((pomp_omp_target_is_present_t)(uintptr_t)present)(of->host, device));
            if (behind)
                of->gone = of->device != NULL && !there;
            else
                of->device = there ? (char *)at[i] - second : NULL;
        }
    }
}

/* A construct with depend and without nowait begins when its predecessors have ended, OpenMP 5.1
 * [2.14.5]. The data may be there only then. Returns null if the thread is in no event. */
static struct opari_thread *pomp_discrete_waits(struct opari_thread *t, const struct pomp_kernel *k,
                                                void **depend)
{
    static void *found;
    if (depend == NULL)
        return t;
    pomp_target_waits(t, k, depend);
    opari_event_end();
    void *wait = OPARI_LOAD(&found);
    if (wait == NULL)
        wait = pomp_next(&found, "GOMP_taskwait_depend");
    if (wait != NULL)
        ((void (*)(void **))(uintptr_t)wait)(depend);
    if ((t = opari_event_begin(k->region)) != NULL)
        opari_clear_enter_frame(t->task);
    return t;
}

/* ---- data */

static OPARI_TLS int
    pomp_unmaps; /* whether the construct that the thread is in copies its own data back */

/* The thread is in an event before this function and not after it. */
static void pomp_discrete_data_begin(struct opari_thread *t, struct pomp_kernel *k,
                                     struct pomp_items *items)
{
    const int what = k->kind & 7;
    k->state = t->state;
    t->state =
        what == ompt_target_update ? ompt_state_wait_target_update : ompt_state_wait_target_map;
    pomp_target_begin(t, &k->target, k);
    if (what != ompt_target_enter_data)
        pomp_addresses(k->device, items->item, items->n, 0);
    if (what == ompt_target_exit_data)
        opari_target_map(t, &k->target, items->item, items->n);
    opari_pending_ops_forget();
    opari_event_end();
    pomp_unmaps = what != ompt_target_enter_data;
}

/* Returns the thread, which is in an event again, or null. */
static struct opari_thread *pomp_discrete_data_end(struct pomp_kernel *k, struct pomp_items *items)
{
    const int what = k->kind & 7;
    struct opari_thread *t = opari_event_begin(k->region);
    pomp_unmaps = 0;
    if (t == NULL)
        return NULL;
    if (what == ompt_target_update) {
        opari_discrete_updated(t, &k->target, items->item, items->n);
    } else {
        pomp_addresses(k->device, items->item, items->n, what == ompt_target_exit_data);
        if (what == ompt_target_exit_data)
            opari_discrete_left(t, &k->target, items->item, items->n);
        else
            opari_discrete_entered(t, &k->target, items->item, items->n);
    }
    opari_pending_ops_forget();
    opari_target_end(t, &k->target);
    opari_self->state = k->state;
    return opari_self;
}

/* Executes enter data, exit data or update, including the runtime's call. The thread is in an event
 * before it, and also after it if the result is not null. */
static struct opari_thread *pomp_discrete_moves(struct opari_thread *t, struct pomp_kernel *k,
                                                unsigned flags, void **depend)
{
    const struct pomp_mapping *m = &k->mapping;
    t = pomp_discrete_waits(t, k, depend);
    if (t == NULL) {
        k->moves(k->device, m->n, m->host, m->size, m->kind, flags & ~(unsigned)POMP_GOMP_NOWAIT,
                 depend);
        return NULL;
    }
    pomp_items_take(&k->items, m);
    pomp_discrete_data_begin(t, k, &k->items);
    k->moves(k->device, m->n, m->host, m->size, m->kind, flags & ~(unsigned)POMP_GOMP_NOWAIT,
             depend);
    t = pomp_discrete_data_end(k, &k->items);
    pomp_items_give(&k->items);
    return t;
}

#endif
