/* kernel.c: what a construct of the target family asks of the runtime, and the target task that it
 * may be.
 */
#include "../state/state.h"

#include <stdlib.h>

enum {
    POMP_GOMP_HOST = -2,  /* device number for the initial device, chosen by an if clause */
    POMP_GOMP_NOWAIT = 1, /* bits of flags */
    POMP_GOMP_EXIT_DATA = 2,
    POMP_GOMP_NUM_TEAMS = 1,      /* meaning of an argument, in its bits 8 to 15 */
    POMP_GOMP_VALUE_NEXT = 1 << 7 /* the next word holds the value; otherwise the upper bits do */
};

static struct ompregdescr *pomp_target_region(const struct opari_thread *t)
{
    struct ompregdescr *d = t->top->region;
    return t->top->what == OPARI_AT_REGION && d != NULL && d->kind >= POMP_KIND_TARGET &&
                   d->kind <= POMP_KIND_TARGET_UPDATE
               ? d
               : NULL;
}

/* Returns the calling thread, in an event, if it is known and some tool gets events of the target
 * family; else null. */
static struct opari_thread *pomp_observes_target(void)
{
    if (OPARI_LIKELY(!OPARI_LOAD(&opari_targets_observed)))
        return NULL;
    return pomp_known_thread();
}

static int pomp_device(int device)
{
    return device == POMP_GOMP_HOST ? opari_initial_device() : opari_device_number(device);
}

typedef void (*pomp_moves_t)(int, size_t, void **, size_t *, unsigned short *, unsigned, void **);

typedef void (*pomp_GOMP_target_ext_t)(int, void (*)(void *), size_t, void **, size_t *,
                                       unsigned short *, unsigned, void **, void **);
POMP_GOMP void GOMP_target_ext(int device, void (*fn)(void *), size_t n, void **host, size_t *size,
                               unsigned short *kind, unsigned flags, void **depend,
                               void **arguments);

typedef void (*pomp_GOMP_target_data_ext_t)(int, size_t, void **, size_t *, unsigned short *);
POMP_GOMP void GOMP_target_data_ext(int device, size_t n, void **host, size_t *size,
                                    unsigned short *kind);

typedef void (*pomp_GOMP_target_end_data_t)(void);
POMP_GOMP void GOMP_target_end_data(void);

/* A construct's request. With nowait, it passes through the runtime as the first item of the target
 * task, followed by the arrays of the mapping. It is then copied with the task and freed with it,
 * even if a cancel discards the task. */
struct pomp_kernel {
    void (*fn)(void *); /* null: the construct maps or updates data */
    struct pomp_mapping mapping;
    struct ompregdescr *region;
    const void *ra;
    struct opari_task *task, *parent; /* with nowait: the target task; its creator */
    unsigned parent_life;
    int kind, device, state;
    unsigned requested;
    uint64_t arrivals;
    void *frame; /* where the encountering task enters the runtime */
    struct opari_target target;
    struct pomp_items items;
    /* For a device with its own memory: */
    pomp_moves_t moves;        /* the runtime's routine that maps or updates data */
    int ran;                   /* the plugin has been called for it */
    unsigned flags;            /* the construct's flags */
    uintptr_t block;           /* with nowait: the memory that is freed when it has ended */
    struct pomp_kernel *later; /* with nowait: the next construct whose data are mapped */
};

/* With depend and without nowait, the encountering task waits first. Its thread may execute other
 * tasks meanwhile. */
static void pomp_target_waits(struct opari_thread *t, const struct pomp_kernel *k, void **depend)
{
    if (depend != NULL)
        opari_set_enter_frame(t->task, k->frame);
}

/* Begins the construct with the data words of the encountering task, which may have ended, and of
 * the target task. */
static void pomp_target_begin(struct opari_thread *t, struct opari_target *g,
                              const struct pomp_kernel *k)
{
    ompt_data_t *encountering = k->parent != NULL && OPARI_LOAD(&k->parent->lives) == k->parent_life
                                    ? k->parent->data
                                    : t->task->data;
    opari_target_begin(t, g, k->kind, k->device, encountering,
                       k->task != NULL ? k->task->data : NULL, k->ra);
}

/* Begins the target task; k->state becomes the state inside it. */
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

/* Creates the target task of k on thread t. Such tasks are untied by definition, OpenMP 5.1
 * [1.2.5]. */
static struct opari_task *pomp_target_task_create(struct opari_thread *t, struct pomp_kernel *k,
                                                  int flags, void **depend)
{
    k->parent = t->task;
    k->parent_life = t->task->lives;
    k->task = opari_task_create_begin(t, k->region, ompt_task_target | ompt_task_untied | flags,
                                      depend != NULL, k->ra, k->frame);
    if (depend != NULL)
        pomp_raise_dependences(k->task, depend);
    return k->task;
}

/* Ends the creation of a target task, which may have run. */
static void pomp_target_task_created(struct opari_thread *t)
{
    if (t->top->what == OPARI_AT_CREATE)
        opari_task_create_end(t);
}

/* Raises all events of an enter, exit or update, from begin to end. */
static void pomp_data_events(struct opari_thread *t, const struct pomp_kernel *k,
                             const struct pomp_items *items)
{
    struct opari_target g;
    const int state = t->state, what = k->kind & 7;
    t->state =
        what == ompt_target_update ? ompt_state_wait_target_update : ompt_state_wait_target_map;
    pomp_target_begin(t, &g, k);
    if (what == ompt_target_update) {
        opari_items_update(t, &g, items->item, items->n);
    } else {
        opari_target_map(t, &g, items->item, items->n);
        if (what == ompt_target_enter_data)
            opari_items_enter(t, &g, items->item, items->n);
        else
            opari_items_exit(t, &g, items->item, items->n);
    }
    opari_target_end(t, &g);
    opari_self->state = state;
}
