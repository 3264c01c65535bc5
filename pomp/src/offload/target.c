/* target.c: constructs of the target family and the routines for device memory: see gomp/barriers.c. GCC hands its runtime what a construct
 * maps, with addresses and sizes, so nothing of the user's has to be evaluated for it.
 *
 * What the initial device executes, the runtime calls here: that a construct with depend or nowait begins when its target task does is seen
 * there. Another device's kernel is told around the runtime's call.
 */
#include "../pomp_lib.h"

#include <stdlib.h>

enum {
    POMP_GOMP_HOST = -2,      /* device: the initial one, since an if clause says so */
    POMP_GOMP_NOWAIT = 1,     /* flags */
    POMP_GOMP_EXIT_DATA = 2,
    POMP_GOMP_NUM_TEAMS = 1,  /* bits 8 to 15 of an argument: what it is */
    POMP_GOMP_VALUE_NEXT = 1 << 7 /* its value is the next word, else its upper bits */
};

static struct ompregdescr *pomp_target_region(const struct opari_thread *t)
{
    struct ompregdescr *d = t->top->region;
    return t->top->what == OPARI_AT_REGION && d != NULL && d->kind >= POMP_KIND_TARGET && d->kind <= POMP_KIND_TARGET_UPDATE ? d : NULL;
}

/* The calling thread, entered, where somebody hears of the target family; null: nobody does, or it is no thread that is known. */
static struct opari_thread *pomp_hears_target(void)
{
    if (OPARI_LIKELY(!OPARI_LOAD(&opari_targets_heard)))
        return NULL;
    return pomp_known();
}

static int pomp_device(int device) { return device == POMP_GOMP_HOST ? opari_initial_device() : opari_device_number(device); }

/* ---- target */

typedef void (*pomp_moves_t)(int, size_t, void **, size_t *, unsigned short *, unsigned, void **);

/* What a construct asks for. With nowait it passes through the runtime as a first item of the target task's, which is copied with the task and freed
 * with it, also where a cancel discards the task; the arrays of the mapping follow it then. */
struct pomp_kernel {
    void (*fn)(void *); /* null: data are mapped or updated */
    struct pomp_mapping mapping;
    struct ompregdescr *region;
    const void *ra;
    struct opari_task *task, *parent; /* with nowait: the target task; who made it */
    unsigned parent_life;
    int kind, device, state;
    unsigned requested;
    uint64_t met;
    void *frame; /* where the encountering task enters the runtime */
    struct opari_target target;
    struct pomp_items items;
    /* On a device with storage of its own. */
    pomp_moves_t moves; /* the runtime's routine that maps or updates data */
    int ran;            /* the plugin has been called for it */
    unsigned flags;     /* that the construct has */
    uintptr_t block;    /* with nowait: what is given back when it has ended */
    struct pomp_kernel *later; /* with nowait, of those whose data are mapped */
};

static int pomp_is_apart(int number);

/* With depend and without nowait the encountering task waits first, while its thread may execute other tasks. */
static void pomp_target_waits(struct opari_thread *t, const struct pomp_kernel *k, void **depend)
{
    if (depend != NULL)
        opari_set_enter_frame(t->task, k->frame);
}

static OPARI_TLS struct pomp_kernel *pomp_kernel_next; /* that the runtime is about to execute on this thread */

static void pomp_data_events(struct opari_thread *t, const struct pomp_kernel *k, const struct pomp_items *items);
static struct opari_thread *pomp_apart_moves(struct opari_thread *t, struct pomp_kernel *k, unsigned flags, void **depend);

/* num_teams as the runtime is told: pairs of what and value, or both in one word. 0: not said, or known to the device only. */
static unsigned pomp_requested_teams(void **argument)
{
    for (; argument != NULL && *argument != NULL; argument++) {
        const uintptr_t what = (uintptr_t)*argument;
        const int apart = (what & POMP_GOMP_VALUE_NEXT) != 0;
        if ((what >> 8 & 0xff) == POMP_GOMP_NUM_TEAMS) {
            const intptr_t value = apart ? (intptr_t)argument[1] : (intptr_t)what >> 16;
            return value > 0 ? (unsigned)value : 0;
        }
        argument += apart;
    }
    return 0;
}

/* The words of the encountering task, which may have ended, and of the target task. */
static void pomp_target_begin(struct opari_thread *t, struct opari_target *g, const struct pomp_kernel *k)
{
    ompt_data_t *encountering = k->parent != NULL && OPARI_LOAD(&k->parent->lives) == k->parent_life ? k->parent->data : t->task->data;
    opari_target_begin(t, g, k->kind, k->device, encountering, k->task != NULL ? k->task->data : NULL, k->ra);
}

static void pomp_target_enter(struct opari_thread *t, struct pomp_kernel *k)
{
    struct opari_target *g = &k->target;
    struct opari_device *on = opari_device_use(k->device);
    if (on != NULL)
        opari_device_load(on, (const void *)(uintptr_t)k->fn);
    pomp_target_begin(t, g, k);
    g->met = k->met;
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

/* The target task begins; k->state is the state in it. */
static void pomp_target_task_begin(struct opari_thread *t, struct pomp_kernel *k, void *frame)
{
    opari_task_before(t);
    if (opari_has_room(t))
        opari_task_begin(t, k->region, k->task, frame);
    k->state = t->state;
}

static void pomp_target_task_end(struct opari_thread *t, const struct pomp_kernel *k)
{
    t->regions.counted = 1;
    opari_task_end(t, k->task);
    opari_self->regions.counted = 0;
}

/* A target region on the initial device, from its begin to its end. */
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
        opari_clear_enter_frame(t->task); /* it has waited */
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

/* A target task that maps or updates data: the initial device's stay where they are, so its events are all there is to do. The thread may be in
 * no event then. */
static void pomp_data_execute(struct opari_thread *t, struct pomp_kernel *k)
{
    if (k->moves != NULL) {
        pomp_target_task_begin(t, k, POMP_OWN_FRAME);
        t = pomp_apart_moves(opari_self, k, k->flags, NULL);
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

/* The first item is ours: the region does not know of it. */
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

/* The target task of k, which thread t creates: untied, as such tasks are by definition, OpenMP 5.1 [1.2.5]. */
static struct opari_task *pomp_target_task_create(struct opari_thread *t, struct pomp_kernel *k, int flags, void **depend)
{
    k->parent = t->task;
    k->parent_life = t->task->lives;
    k->task = opari_task_create_begin(t, k->region, ompt_task_target | ompt_task_untied | flags, depend != NULL, k->ra, k->frame);
    if (depend != NULL)
        pomp_tell_dependences(k->task, depend);
    return k->task;
}

/* The creation of a target task ends, which may have run. */
static void pomp_target_task_created(struct opari_thread *t)
{
    if (t->top->what == OPARI_AT_CREATE)
        opari_task_create_end(t);
}

typedef void (*pomp_GOMP_target_ext_t)(int, void (*)(void *), size_t, void **, size_t *, unsigned short *, unsigned, void **, void **);

/* A target task may run later, on another thread. Returns 0 where there is no memory. */
static int pomp_target_deferred(struct opari_thread *t, struct pomp_kernel *k, pomp_GOMP_target_ext_t next, int device, unsigned flags, void **depend,
                                void **arguments)
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

static void pomp_told_apart(struct opari_thread *t, struct pomp_kernel *k, pomp_GOMP_target_ext_t next, int device, unsigned flags, void **depend,
                            void **arguments);

static OPARI_APART void pomp_told_target(struct opari_thread *t, struct pomp_kernel *k, pomp_GOMP_target_ext_t next, int device, unsigned flags,
                                         void **depend, void **arguments)
{
    struct pomp_mapping *m = &k->mapping;
    const int host = k->device == opari_initial_device();
    k->region = pomp_target_region(t);
    k->requested = pomp_requested_teams(arguments);
    (void)opari_device_use(k->device);
    k->met = opari_record_time();
    k->state = t->state;
    k->kind = flags & POMP_GOMP_NOWAIT ? ompt_target_nowait : ompt_target;
    k->task = k->parent = NULL;
    if (host && (flags & POMP_GOMP_NOWAIT) != 0 && pomp_target_deferred(t, k, next, device, flags, depend, arguments))
        return;
    if (!host && pomp_is_apart(k->device)) {
        pomp_told_apart(t, k, next, device, flags, depend, arguments);
        return;
    }
    t->state = ompt_state_wait_target;
    pomp_target_waits(t, k, depend);
    if (!host)
        pomp_target_enter(t, k);
    opari_event_end();
    struct pomp_kernel *outer = pomp_kernel_next;
    pomp_kernel_next = k;
    next(device, host ? pomp_kernel_run : k->fn, m->n, m->host, m->size, m->kind, flags, depend, arguments);
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

POMP_GOMP void GOMP_target_ext(int device, void (*fn)(void *), size_t n, void **host, size_t *size, unsigned short *kind, unsigned flags,
                               void **depend, void **arguments);
POMP_GOMP void GOMP_target_ext(int device, void (*fn)(void *), size_t n, void **host, size_t *size, unsigned short *kind, unsigned flags,
                               void **depend, void **arguments)
{
    POMP_NEXT(GOMP_target_ext);
    if ((flags & POMP_GOMP_NOWAIT) != 0) {
        pomp_spoils_pool();
        pomp_meet_tasks();
    }
    struct opari_thread *t = pomp_hears_target();
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
    pomp_told_target(t, &k, next, device, flags, depend, arguments);
}

/* How many teams the region really has. */
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
