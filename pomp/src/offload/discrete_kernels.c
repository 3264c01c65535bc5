/* discrete_kernels.c: target regions on devices with their own memory; see discrete.c. */
#include "../state/state.h"

#ifndef POMP_WRAPPED
#include <stdlib.h>

/* Copies a construct's arguments and appends a mark by which the plugin's routine finds k. Returns
 * null if there are too many. */
static void **pomp_mark(void **marked, void **arguments, struct pomp_kernel *k)
{
    int n = 0;
    for (; arguments != NULL && arguments[n] != NULL;
         n += ((uintptr_t)arguments[n] & POMP_GOMP_VALUE_NEXT) != 0 ? 2 : 1)
        if (n + 5 > POMP_ARGUMENTS)
            return NULL;
    if (n != 0)
        memcpy(marked, arguments, (size_t)n * sizeof *marked);
    marked[n] = (void *)(uintptr_t)POMP_GOMP_MARK;
    marked[n + 1] = k;
    marked[n + 2] = NULL;
    return marked;
}

/* Returns the construct that the arguments belong to and removes the mark, so that the plugin gets
 * its own arguments. Returns null if the construct has no events. */
static struct pomp_kernel *pomp_marked(void **argument)
{
    for (; argument != NULL && *argument != NULL;
         argument += ((uintptr_t)*argument & POMP_GOMP_VALUE_NEXT) != 0 ? 2 : 1)
        if ((uintptr_t)*argument == POMP_GOMP_MARK) {
            *argument = NULL;
            return argument[1];
        }
    return NULL;
}

/* Raises the operations on the data, which are now on the device, and the submission of the
 * kernel. */
static void pomp_discrete_mapped(struct opari_thread *t, struct pomp_kernel *k)
{
    pomp_addresses(k->device, k->items.item, k->items.n, 0);
    opari_discrete_entered(t, &k->target, k->items.item, k->items.n);
    opari_submit_begin(&k->target, k->requested);
}

static void pomp_discrete_begins(struct pomp_kernel *k)
{
    struct opari_thread *t = opari_self != NULL ? opari_event_begin(k->region) : NULL;
    if (t == NULL)
        return;
    k->ran = 1;
    pomp_discrete_mapped(t, k);
    opari_event_end();
}

static void pomp_discrete_ends(struct pomp_kernel *k)
{
    pomp_unmaps = 1;
    struct opari_thread *t = k->ran ? opari_event_begin(k->region) : NULL;
    if (t == NULL)
        return;
    opari_submit_end(t, &k->target);
    opari_event_end();
}

/* Kernels with nowait whose data are mapped. */
static struct {
    pthread_mutex_t lock;
    struct pomp_kernel *first;
} pomp_submitted = {PTHREAD_MUTEX_INITIALIZER, NULL};

static void pomp_discrete_forget(struct pomp_kernel *k)
{
    pomp_items_give(&k->items);
    free(k);
}

/* Runs before a kernel with nowait starts. data is the first byte mapped for it, 0 if there is
 * none. Returns 0 where no later call shows its end. */
static int pomp_discrete_submits(struct pomp_kernel *k, uintptr_t data)
{
    struct opari_thread *t = opari_self != NULL ? opari_event_begin(k->region) : NULL;
    if (t == NULL) {
        pomp_discrete_forget(k);
        return 1;
    }
    const int state = t->state;
    const struct opari_item table = {.device = (void *)data};
    const struct opari_pending_op *block = opari_pending_op_of(OPARI_OP_ALLOC, k->device, &table);
    t->state = ompt_state_wait_target;
    opari_target_began = block != NULL ? block->begins : 0; /* when its data were mapped */
    pomp_target_begin(t, &k->target, k);
    opari_target_began = 0;
    k->target.arrivals = k->arrivals;
    k->block = block != NULL ? block->device : data;
    pomp_discrete_mapped(t, k);
    k->ran = 1;
    opari_pending_ops_forget();
    t = opari_self;
    t->target = k->target.outer;
    t->state = state;
    opari_event_end();
    if (data == 0)
        return 0;
    pthread_mutex_lock(&pomp_submitted.lock);
    k->later = pomp_submitted.first;
    OPARI_STORE(&pomp_submitted.first, k);
    pthread_mutex_unlock(&pomp_submitted.lock);
    return 1;
}

/* Raises the end of a kernel with nowait, which shows before its first data are copied back. */
static void pomp_discrete_over(struct opari_thread *t, struct pomp_kernel *k)
{
    if (k->ran)
        opari_submit_end(t, &k->target);
    k->ran = 0;
}

/* Ends the construct, perhaps on another thread than the one that began it. */
static void pomp_discrete_submitted(struct pomp_kernel *k)
{
    struct opari_thread *t = opari_self != NULL ? opari_event_begin(k->region) : NULL;
    if (t != NULL) {
        k->target.outer = t->target;
        t->target = &k->target;
        pomp_discrete_over(t, k);
        opari_discrete_left(t, &k->target, k->items.item,
                            k->items.n); /* others may be of kernels that end now */
        opari_target_end(t, &k->target);
        opari_event_end();
    }
    pomp_discrete_forget(k);
}

/* Data that are about to be copied back may belong to a kernel with nowait, whichever thread unmaps
 * them. If so, raises the kernel's end and returns the kernel and the item. */
static struct pomp_kernel *pomp_returns_later(const struct opari_pending_op *a,
                                              struct opari_item **item)
{
    if (OPARI_LIKELY(OPARI_LOAD(&pomp_submitted.first) == NULL) || pomp_unmaps)
        return NULL;
    *item = NULL;
    pthread_mutex_lock(&pomp_submitted.lock);
    struct pomp_kernel *k = pomp_submitted.first; /* The runtime holds the device's lock, so none of
                                                     them is freed before the data are copied. */
    for (; k != NULL; k = k->later) {
        for (size_t i = 0; i < k->items.n && *item == NULL; i++)
            if (k->device == a->number && (uintptr_t)k->items.item[i].device == a->device &&
                k->items.item[i].bytes == a->bytes)
                *item = &k->items.item[i];
        if (*item != NULL)
            break;
    }
    pthread_mutex_unlock(&pomp_submitted.lock);
    struct opari_thread *t = k != NULL ? opari_event_begin(k->region) : NULL;
    if (t == NULL)
        return NULL;
    pomp_discrete_over(t, k);
    opari_event_end();
    return k;
}

static void pomp_returned_later(struct pomp_kernel *k, const struct opari_item *item,
                                const struct opari_pending_op *a)
{
    struct opari_thread *t = opari_event_begin(k->region);
    if (t == NULL)
        return;
    opari_discrete_copied(t, &k->target, item, ompt_target_data_transfer_from_device, a);
    opari_event_end();
}

/* Runs when memory of a device is freed. A kernel with nowait has its memory freed when it has
 * ended and all its data are copied. */
static void pomp_unmapped_later(int device, uintptr_t block)
{
    if (OPARI_LIKELY(OPARI_LOAD(&pomp_submitted.first) == NULL))
        return;
    pthread_mutex_lock(&pomp_submitted.lock);
    struct pomp_kernel **k = &pomp_submitted.first, *ended;
    while ((ended = *k) != NULL && (ended->device != device || ended->block != block))
        k = &ended->later;
    if (ended != NULL)
        OPARI_STORE(k, ended->later);
    pthread_mutex_unlock(&pomp_submitted.lock);
    if (ended == NULL)
        return;
    for (size_t i = 0; i < ended->items.n; i++)
        ended->items.item[i].gone = ended->items.item[i].fresh;
    pomp_discrete_submitted(ended);
}

/* Executes target on a device with its own memory. */
static void pomp_discrete_target(struct opari_thread *t, struct pomp_kernel *k,
                                 pomp_GOMP_target_ext_t next, int device, unsigned flags,
                                 void **depend, void **arguments)
{
    const struct pomp_mapping *m = &k->mapping;
    struct pomp_kernel *own = (flags & POMP_GOMP_NOWAIT) != 0 ? malloc(sizeof *own) : NULL;
    void *marks[POMP_ARGUMENTS], **marked = pomp_mark(marks, arguments, own != NULL ? own : k);
    struct opari_device *on = opari_device_use(k->device);
    k->ran = 0;
    if (on != NULL)
        opari_device_load(on, (const void *)(uintptr_t)k->fn);
    if (own != NULL && marked != NULL) {
        *own = *k;
        own->parent = t->task;
        own->parent_life = t->task->lives;
        pomp_items_take(&own->items, m);
        opari_event_end();
        next(device, k->fn, m->n, m->host, m->size, m->kind, flags, depend, marked);
        return;
    }
    free(own);
    if ((t = pomp_discrete_waits(t, k, depend)) == NULL) {
        next(device, k->fn, m->n, m->host, m->size, m->kind, flags, depend, arguments);
        return;
    }
    t->state = ompt_state_wait_target;
    pomp_target_begin(t, &k->target, k);
    k->target.arrivals = k->arrivals;
    pomp_items_take(&k->items, m);
    opari_pending_ops_forget();
    opari_event_end();
    next(device, k->fn, m->n, m->host, m->size, m->kind, flags, depend,
         marked != NULL ? marked : arguments);
    pomp_unmaps = 0;
    t = opari_event_begin(k->region);
    if (t != NULL) {
        if (k->ran) {
            pomp_addresses(k->device, k->items.item, k->items.n, 1);
            opari_discrete_left(t, &k->target, k->items.item, k->items.n);
        }
        opari_pending_ops_forget();
        opari_target_end(t, &k->target);
        opari_self->state = k->state;
        opari_event_end();
    }
    pomp_items_give(&k->items);
}

#else /* a static program has no plugins */
static int pomp_is_discrete(int number) { return (void)number, 0; }

static void pomp_discrete_target(struct opari_thread *t, struct pomp_kernel *k,
                                 pomp_GOMP_target_ext_t next, int device, unsigned flags,
                                 void **depend, void **arguments)
{
    (void)t, (void)k, (void)next, (void)device, (void)flags, (void)depend, (void)arguments;
}

static void pomp_discrete_data_begin(struct opari_thread *t, struct pomp_kernel *k,
                                     struct pomp_items *items)
{
    (void)t, (void)k, (void)items;
}

static struct opari_thread *pomp_discrete_data_end(struct pomp_kernel *k, struct pomp_items *items)
{
    return (void)k, (void)items, NULL;
}

static struct opari_thread *pomp_discrete_moves(struct opari_thread *t, struct pomp_kernel *k,
                                                unsigned flags, void **depend)
{
    return (void)k, (void)flags, (void)depend, t;
}
#endif
