/* data.c: constructs of the target family that map or update data; see target.c. */
#include "../state/state.h"

#include <stdlib.h>

/* A target data region of the thread, between its begin and its end. */
struct pomp_data_region {
    struct pomp_data_region *outer;
    int device;
    struct pomp_items items;
};

static OPARI_TLS struct pomp_data_region *pomp_data_regions;

POMP_GOMP void GOMP_target_data_ext(int device, size_t n, void **host, size_t *size,
                                    unsigned short *kind)
{
    POMP_NEXT(GOMP_target_data_ext);
    struct opari_thread *t = pomp_observes_target();
    struct pomp_data_region *r = t != NULL ? malloc(sizeof *r) : NULL;
    if (r != NULL) {
        const struct pomp_mapping m = {n, host, size, kind};
        pomp_items_take(&r->items, &m);
        r->device = pomp_device(device);
        r->outer = pomp_data_regions;
        pomp_data_regions = r;
        struct pomp_kernel k = {.kind = ompt_target_enter_data,
                                .device = r->device,
                                .region = pomp_target_region(t),
                                .ra = POMP_CALLER};
        if (pomp_is_discrete(r->device)) {
            pomp_discrete_data_begin(t, &k, &r->items);
            next(device, n, host, size, kind);
            if (pomp_discrete_data_end(&k, &r->items) != NULL)
                opari_event_end();
            return;
        }
        pomp_data_events(t, &k, &r->items);
    }
    if (t != NULL)
        opari_event_end();
    next(device, n, host, size, kind);
}

POMP_GOMP void GOMP_target_end_data(void)
{
    POMP_NEXT(GOMP_target_end_data);
    struct pomp_data_region *r = pomp_data_regions;
    const int discrete = r != NULL && pomp_is_discrete(r->device);
    if (!discrete)
        next();
    if (OPARI_LIKELY(r == NULL))
        return;
    pomp_data_regions = r->outer;
    struct opari_thread *t = pomp_known_thread();
    struct pomp_kernel k = {.kind = ompt_target_exit_data, .device = r->device, .ra = POMP_CALLER};
    if (t != NULL) {
        k.region = pomp_target_region(t);
        if (discrete)
            pomp_discrete_data_begin(t, &k, &r->items);
        else
            pomp_data_events(t, &k, &r->items);
    }
    if (discrete)
        next();
    if (t != NULL && (!discrete || pomp_discrete_data_end(&k, &r->items) != NULL))
        opari_event_end();
    pomp_items_give(&r->items);
    free(r);
}

static void pomp_data_waits(void **depend, void *frame)
{
    struct opari_thread *t = depend != NULL ? pomp_observes_target() : NULL;
    if (t == NULL)
        return;
    opari_set_enter_frame(t->task, frame);
    opari_event_end();
}

/* Runs after the runtime's call, when everything has been done. With nowait, the construct is a
 * target task, which was executed at once on the initial device. */
static OPARI_NOINLINE void pomp_observed_data(struct opari_thread *t, struct pomp_kernel *k,
                                              unsigned flags, void **depend)
{
    opari_clear_enter_frame(t->task);
    if ((flags & POMP_GOMP_NOWAIT) != 0 && k->device == opari_initial_device() &&
        opari_has_task_room(t)) {
        (void)pomp_target_task_create(t, k, ompt_task_undeferred, depend);
        t = opari_self;
        if (opari_has_room(t))
            pomp_data_execute(t, k);
        pomp_target_task_created(opari_self);
    } else {
        pomp_items_take(&k->items, &k->mapping);
        pomp_data_events(t, k, &k->items);
        pomp_items_give(&k->items);
    }
    opari_event_end();
}

static void pomp_data_of(struct pomp_kernel *k, const struct opari_thread *t, int kind, int device,
                         unsigned flags, const void *ra, void *frame)
{
    k->fn = NULL;
    k->region = pomp_target_region(t);
    k->ra = ra;
    k->frame = frame;
    k->task = k->parent = NULL;
    k->moves = NULL;
    k->kind = (flags & POMP_GOMP_NOWAIT) != 0 ? kind + 8 : kind;
    k->device = pomp_device(device);
}

/* With depend and nowait, a target task does the work later. For the initial device, the runtime
 * has such tasks only for kernels, so the library uses one of these. Returns whether it did. */
static OPARI_NOINLINE int pomp_data_deferred(struct pomp_kernel *k, int kind, int device,
                                             unsigned flags, void **depend, const void *ra,
                                             void *frame)
{
    POMP_NEXT(GOMP_target_ext);
    struct opari_thread *t = pomp_observes_target();
    if (t == NULL)
        return 0;
    pomp_data_of(k, t, kind, device, flags, ra, frame);
    if (k->device == opari_initial_device() &&
        pomp_target_deferred(t, k, next, device, (flags & POMP_GOMP_NOWAIT), depend, NULL))
        return 1;
    opari_event_end();
    return 0;
}

#ifndef POMP_WRAPPED
/* Replaces the runtime's call. A target task on the host does the work that has to wait for other
 * tasks. */
static int pomp_discrete_data(struct pomp_kernel *k, pomp_moves_t moves, int kind, int device,
                              unsigned flags, void **depend, const void *ra, void *frame)
{
    POMP_NEXT(GOMP_target_ext);
    const int nowait = (flags & POMP_GOMP_NOWAIT) != 0;
    struct opari_thread *t = pomp_observes_target();
    if (OPARI_LIKELY(t == NULL))
        return 0;
    pomp_data_of(k, t, kind, device, flags, ra, frame);
    if (!pomp_is_discrete(k->device)) {
        opari_event_end();
        return 0;
    }
    k->moves = moves;
    k->flags = flags;
    if (nowait && depend != NULL &&
        pomp_target_deferred(t, k, next, POMP_GOMP_HOST, POMP_GOMP_NOWAIT, depend, NULL))
        return 1;
    const int task = nowait && depend == NULL && opari_has_task_room(t);
    if (task) {
        (void)pomp_target_task_create(t, k, ompt_task_undeferred, NULL);
        t = opari_self;
        pomp_target_task_begin(t, k, POMP_OWN_FRAME);
    }
    t = pomp_discrete_moves(opari_self, k, flags, depend);
    if (t == NULL)
        return 1;
    if (task) {
        pomp_target_task_end(t, k);
        pomp_target_task_created(opari_self);
    }
    opari_event_end();
    return 1;
}
#else
static int pomp_discrete_data(struct pomp_kernel *k, pomp_moves_t moves, int kind, int device,
                              unsigned flags, void **depend, const void *ra, void *frame)
{
    return (void)k, (void)moves, (void)kind, (void)device, (void)flags, (void)depend, (void)ra,
           (void)frame, 0;
}
#endif

#define POMP_MOVES(name, how) \
    typedef void (*pomp_##name##_t)(int, size_t, void **, size_t *, unsigned short *, unsigned, \
                                    void **); \
    POMP_GOMP void name(int device, size_t n, void **host, size_t *size, unsigned short *kind, \
                        unsigned flags, void **depend); \
    POMP_GOMP void name(int device, size_t n, void **host, size_t *size, unsigned short *kind, \
                        unsigned flags, void **depend) \
    { \
        POMP_NEXT(name); \
        if ((flags & POMP_GOMP_NOWAIT) != 0) \
            pomp_team_gets_tasks(); \
        struct pomp_kernel k; \
        k.mapping = (struct pomp_mapping){n, host, size, kind}; \
        if (pomp_discrete_data(&k, next, how, device, flags, depend, POMP_CALLER, POMP_FRAME)) \
            return; \
        if (depend != NULL && (flags & POMP_GOMP_NOWAIT) != 0 && \
            pomp_data_deferred(&k, how, device, flags, depend, POMP_CALLER, POMP_FRAME)) \
            return; \
        pomp_data_waits(depend, POMP_FRAME); \
        next(device, n, host, size, kind, flags, depend); \
        struct opari_thread *t = pomp_observes_target(); \
        if (OPARI_UNLIKELY(t != NULL)) { \
            pomp_data_of(&k, t, how, device, flags, POMP_CALLER, POMP_FRAME); \
            pomp_observed_data(t, &k, flags, depend); \
        } \
    }
POMP_MOVES(GOMP_target_update_ext, ompt_target_update)
POMP_MOVES(GOMP_target_enter_exit_data,
           flags &POMP_GOMP_EXIT_DATA ? ompt_target_exit_data : ompt_target_enter_data)
