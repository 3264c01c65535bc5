/* target.c: constructs of the target family; see gomp/interposed.c. GCC passes its runtime what a
 * construct maps, with addresses and sizes, so the library evaluates no expression of the user's.
 *
 * The runtime calls this file's functions for code on the initial device. They show that a
 * construct with depend or nowait begins when its target task does. The kernel of another device
 * begins and ends around the runtime's call.
 */
#include "../state/state.h"

#include <stdlib.h>

static OPARI_TLS struct pomp_kernel
    *pomp_kernel_next; /* the kernel that the runtime is about to execute on this thread */

/* Returns num_teams from the runtime's arguments: pairs of a meaning and a value, or both in one
 * word. 0 means that it is absent, or known only to the device. */
static unsigned pomp_requested_teams(void **argument)
{
    for (; argument != NULL && *argument != NULL; argument++) {
        const uintptr_t what = (uintptr_t)*argument;
        const int separate = (what & POMP_GOMP_VALUE_NEXT) != 0;
        if ((what >> 8 & 0xff) == POMP_GOMP_NUM_TEAMS) {
            const intptr_t value = separate ? (intptr_t)argument[1] : (intptr_t)what >> 16;
            return value > 0 ? (unsigned)value : 0;
        }
        argument += separate;
    }
    return 0;
}

static void pomp_target_enter(struct opari_thread *t, struct pomp_kernel *k)
{
    struct opari_target *g = &k->target;
    struct opari_device *on = opari_device_use(k->device);
    if (on != NULL)
        opari_device_load(on, (const void *)(uintptr_t)k->fn);
    pomp_target_begin(t, g, k);
    g->arrivals = k->arrivals;
    pomp_items_take(&k->items, &k->mapping);
    t->state = ompt_state_wait_target_map;
    opari_target_map(t, g, k->items.item, k->items.n);
    opari_items_enter(t, g, k->items.item, k->items.n);
    t->state = ompt_state_wait_target;
    opari_submit_begin(g, k->requested);
}

static void pomp_target_exit(struct opari_thread *t, struct pomp_kernel *k)
{
    struct opari_target *g = &k->target;
    t->state = ompt_state_wait_target;
    opari_submit_end(t, g);
    t->state = ompt_state_wait_target_map;
    opari_items_exit(t, g, k->items.item, k->items.n);
    pomp_items_give(&k->items);
    t->state = ompt_state_wait_target;
    opari_target_end(t, g);
}

/* Executes a target region on the initial device, from its begin to its end. */
static void pomp_kernel_execute(struct pomp_kernel *k, void *data)
{
    struct opari_thread *t = opari_event_begin(k->region);
    if (t == NULL) {
        k->fn(data);
        return;
    }
    if (k->task != NULL)
        pomp_target_task_begin(t, k, POMP_OWN_FRAME);
    else
        opari_clear_enter_frame(t->task); /* its wait is over */
    pomp_target_enter(t, k);
    t->state = k->state;
    opari_event_end();
    k->fn(data);
    t = opari_event_begin(k->region);
    if (t == NULL)
        return;
    pomp_target_exit(t, k);
    if (k->task != NULL)
        pomp_target_task_end(t, k);
    opari_event_end();
}

static void pomp_kernel_run(void *data)
{
    struct pomp_kernel *k = pomp_kernel_next;
    pomp_kernel_next = NULL;
    pomp_kernel_execute(k, data);
}

/* Executes a target task that maps or updates data. Data on the initial device stay in place, so
 * only the events remain to be raised. Afterwards the thread may be in no event. */
static void pomp_data_execute(struct opari_thread *t, struct pomp_kernel *k)
{
    if (k->moves != NULL) {
        pomp_target_task_begin(t, k, POMP_OWN_FRAME);
        t = pomp_discrete_moves(opari_self, k, k->flags, NULL);
        if (t != NULL)
            pomp_target_task_end(t, k);
        return;
    }
    pomp_items_take(&k->items, &k->mapping);
    pomp_target_task_begin(t, k, POMP_OWN_FRAME);
    pomp_data_events(t, k, &k->items);
    pomp_target_task_end(opari_self, k);
    pomp_items_give(&k->items);
}

/* Removes the first item, which is the library's; the region does not know it. */
static void pomp_target_task_run(void *data)
{
    void **item = data;
    struct pomp_kernel *k = item[0];
    (void)pomp_mapping_at(&k->mapping, k + 1, k->mapping.n);
    if (k->fn != NULL) {
        pomp_kernel_execute(k, item + 1);
        return;
    }
    struct opari_thread *t = opari_event_begin(k->region);
    if (t == NULL)
        return;
    pomp_data_execute(t, k);
    opari_event_end();
}

/* Creates a target task, which may run later on another thread. Returns 0 if there is no memory. */
static int pomp_target_deferred(struct opari_thread *t, struct pomp_kernel *k,
                                pomp_GOMP_target_ext_t next, int device, unsigned flags,
                                void **depend, void **arguments)
{
    enum { POMP_ITEM = sizeof(void *) + sizeof(size_t) + sizeof(unsigned short), POMP_UNIT = 16 };
    const size_t n = k->mapping.n, passed = k->fn != NULL ? n : 0;
    const size_t size = (sizeof *k + n * POMP_ITEM + POMP_UNIT - 1) / POMP_UNIT * POMP_UNIT;
    struct pomp_kernel *own = malloc(size + (passed + 1) * POMP_ITEM);
    if (own == NULL || !opari_has_task_room(t)) {
        free(own);
        return 0;
    }
    *own = *k;
    (void)pomp_mapping_at(&own->mapping, own + 1, n);
    pomp_mapping_copy(&own->mapping, 0, &k->mapping, n);
    struct pomp_mapping m;
    (void)pomp_mapping_at(&m, (char *)own + size, passed + 1);
    m.host[0] = own;
    m.size[0] = size;
    m.kind[0] = POMP_GOMP_FIRSTPRIVATE;
    pomp_mapping_copy(&m, 1, &k->mapping, passed);
    (void)pomp_target_task_create(t, own, 0, depend);
    opari_event_end();
    next(device, pomp_target_task_run, m.n, m.host, m.size, m.kind, flags, depend, arguments);
    free(own);
    t = pomp_again(t, k->region);
    if (t != NULL) {
        pomp_target_task_created(t);
        opari_event_end();
    }
    return 1;
}

static OPARI_NOINLINE void pomp_observed_target(struct opari_thread *t, struct pomp_kernel *k,
                                                pomp_GOMP_target_ext_t next, int device,
                                                unsigned flags, void **depend, void **arguments)
{
    struct pomp_mapping *m = &k->mapping;
    const int host = k->device == opari_initial_device();
    k->region = pomp_target_region(t);
    k->requested = pomp_requested_teams(arguments);
    (void)opari_device_use(k->device);
    k->arrivals = opari_record_time();
    k->state = t->state;
    k->kind = flags & POMP_GOMP_NOWAIT ? ompt_target_nowait : ompt_target;
    k->task = k->parent = NULL;
    if (host && (flags & POMP_GOMP_NOWAIT) != 0 &&
        pomp_target_deferred(t, k, next, device, flags, depend, arguments))
        return;
    if (!host && pomp_is_discrete(k->device)) {
        pomp_discrete_target(t, k, next, device, flags, depend, arguments);
        return;
    }
    t->state = ompt_state_wait_target;
    pomp_target_waits(t, k, depend);
    if (!host)
        pomp_target_enter(t, k);
    opari_event_end();
    struct pomp_kernel *outer = pomp_kernel_next;
    pomp_kernel_next = k;
    next(device, host ? pomp_kernel_run : k->fn, m->n, m->host, m->size, m->kind, flags, depend,
         arguments);
    pomp_kernel_next = outer;
    t = pomp_again(t, k->region);
    if (t == NULL)
        return;
    opari_clear_enter_frame(t->task);
    if (!host)
        pomp_target_exit(t, k);
    t->state = k->state;
    opari_event_end();
}

POMP_GOMP void GOMP_target_ext(int device, void (*fn)(void *), size_t n, void **host, size_t *size,
                               unsigned short *kind, unsigned flags, void **depend,
                               void **arguments)
{
    POMP_NEXT(GOMP_target_ext);
    if ((flags & POMP_GOMP_NOWAIT) != 0) {
        pomp_rule_out_pool();
        pomp_team_gets_tasks();
    }
    struct opari_thread *t = pomp_observes_target();
    if (OPARI_LIKELY(t == NULL)) {
        next(device, fn, n, host, size, kind, flags, depend, arguments);
        return;
    }
    struct pomp_kernel k;
    k.fn = fn;
    k.mapping = (struct pomp_mapping){n, host, size, kind};
    k.ra = POMP_CALLER;
    k.frame = POMP_FRAME;
    k.device = pomp_device(device);
    pomp_observed_target(t, &k, next, device, flags, depend, arguments);
}

/* Notes how many teams the region really has. */
typedef _Bool (*pomp_GOMP_teams4_t)(unsigned, unsigned, unsigned, _Bool);
POMP_GOMP _Bool GOMP_teams4(unsigned lower, unsigned upper, unsigned threads, _Bool first);
POMP_GOMP _Bool GOMP_teams4(unsigned lower, unsigned upper, unsigned threads, _Bool first)
{
    POMP_NEXT(GOMP_teams4);
    const _Bool more = next(lower, upper, threads, first);
    struct opari_target *g = opari_self != NULL ? opari_self->target : NULL;
    if (first && g != NULL && omp_get_num_teams != NULL)
        g->granted = (unsigned)omp_get_num_teams();
    return more;
}
