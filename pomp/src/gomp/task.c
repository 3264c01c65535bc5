/* task.c: facts about tasks that GCC's runtime knows and the source does not show; see
 * interposed.c. */
#include "../state/state.h"

/* The runtime writes the event of a detachable task into the first word of the data and then copies
 * the data. This copy function informs the task of its event. */
struct pomp_detach {
    void *event;
    void *data;
    void (*copy)(void *, void *);
    long size;
    struct opari_task *task;
};

static void pomp_detach_copy(void *to, void *from)
{
    struct pomp_detach *detach = from;
    opari_task_await(detach->task, (uintptr_t)detach->event);
    *(void **)detach->data = detach->event;
    if (detach->copy != NULL)
        detach->copy(to, detach->data);
    else
        memcpy(to, detach->data, (size_t)detach->size);
}

static OPARI_NOINLINE void pomp_observed_task POMP_TASK_PARAMETERS
{
    const ompt_callback_task_create_t create = pomp_fortran_creates_plain(if_clause, flags);
    if (OPARI_LIKELY(create != NULL)) {
        pomp_fortran_plain_task(create, fn, data, copy, size, align, flags, priority);
        return;
    }
    const pomp_GOMP_task_t next = OPARI_LOAD(&pomp_next_GOMP_task);
    struct pomp_detach own = {NULL, data, copy, size, NULL};
    struct pomp_fortran_block_head head = {
        NULL, pomp_fortran_next_task.region, NULL, fn, copy, data, 0, (size_t)size, 0};
    if (head.region != NULL)
        head.task = pomp_fortran_create(if_clause, flags);
    const int wanted =
        (flags & (POMP_GOMP_DEPEND | POMP_GOMP_DETACH)) != 0 || opari_older.generation == 2013;
    struct opari_thread *t = wanted ? pomp_observer() : NULL;
    if (t != NULL) {
        struct opari_task *k = t->top->what == OPARI_AT_CREATE ? t->top->of.task : NULL;
        if (k != NULL)
            pomp_note(k->data, fn);
        if (k != NULL && (flags & POMP_GOMP_DEPEND) != 0)
            pomp_raise_dependences(k, depend);
        if (k != NULL && (flags & POMP_GOMP_DETACH) != 0 && data != NULL)
            own.task = k;
        opari_event_end();
    }
    if (head.task != NULL) {
        const size_t unit = align > 16 ? (size_t)align : 16;
        head.offset = pomp_fortran_offset(unit);
        head.detach = (flags & POMP_GOMP_DETACH) != 0 && data != NULL;
        next(pomp_fortran_run, &head, pomp_fortran_copy, (long)head.offset + size, (long)unit,
             if_clause, flags, depend, priority, detach);
    } else if (own.task == NULL)
        next POMP_TASK_ARGUMENTS;
    else
        next(fn, &own, pomp_detach_copy, size, align, if_clause, flags, depend, priority, detach);
}

POMP_GOMP void GOMP_task POMP_TASK_PARAMETERS;

/* Handles a task in a region that was not known to make any. */
static OPARI_COLD void pomp_first_task POMP_TASK_PARAMETERS
{
    pomp_team_gets_tasks();
    GOMP_task POMP_TASK_ARGUMENTS;
}

POMP_GOMP void GOMP_task POMP_TASK_PARAMETERS
{
    if (OPARI_UNLIKELY(!pomp_team_has_tasks(opari_here))) {
        pomp_first_task POMP_TASK_ARGUMENTS;
        return;
    }
    const int wanted =
        (flags & (POMP_GOMP_DEPEND | POMP_GOMP_DETACH)) != 0 || opari_older.generation == 2013;
    if (OPARI_LIKELY((!wanted || !pomp_has_tool()) && pomp_fortran_next_task.region == NULL))
        OPARI_LOAD(&pomp_next_GOMP_task) POMP_TASK_ARGUMENTS;
    else
        pomp_observed_task POMP_TASK_ARGUMENTS;
}

/* Any thread may fulfil an event, even one that has met nothing of OpenMP yet. */
static void pomp_fulfilled(uintptr_t event)
{
    struct opari_thread *t = pomp_has_tool() && pomp_is_active() ? opari_event_begin(NULL) : NULL;
    if (t == NULL)
        return;
    opari_task_fulfill(t, event);
    opari_event_end();
}

typedef void (*pomp_omp_fulfill_event_t)(uintptr_t);
POMP_GOMP void omp_fulfill_event(uintptr_t event);
POMP_GOMP void omp_fulfill_event(uintptr_t event)
{
    POMP_NEXT(omp_fulfill_event);
    pomp_fulfilled(event);
    next(event);
}

/* Fortran's routine also takes the event by value. */
typedef void (*pomp_omp_fulfill_event__t)(uintptr_t);
POMP_GOMP void omp_fulfill_event_(uintptr_t event);
POMP_GOMP void omp_fulfill_event_(uintptr_t event)
{
    POMP_NEXT(omp_fulfill_event_);
    pomp_fulfilled(event);
    next(event);
}

/* The dependences are raised before the thread waits, so it leaves the waiting state for that. */
static OPARI_COLD void pomp_taskwait_depends(struct opari_thread *t, void **depend)
{
    const int state = t->state;
    t->state = t->top->state;
    pomp_raise_dependences(t->top->of.task, depend);
    opari_self->state = state;
}

/* Handles a taskwait with depend that the program has announced. Without the announcement, as in
 * target, this routine raises nothing. */
typedef void (*pomp_GOMP_taskwait_depend_t)(void **);
POMP_GOMP void GOMP_taskwait_depend(void **depend);
POMP_GOMP void GOMP_taskwait_depend(void **depend)
{
    POMP_NEXT(GOMP_taskwait_depend);
    struct opari_thread *t = pomp_observer();
    if (t != NULL) {
        if ((t->top->flags & OPARI_ENTRY_TASKWAIT) != 0 && t->top->what == OPARI_AT_CREATE)
            pomp_taskwait_depends(t, depend);
        opari_event_end();
    }
    next(depend);
}

/* For a taskloop, the runtime copies the data once for each task and writes the task's part of the
 * loop into the first two words. The library therefore passes it a block with its own head before
 * the program's block. The head begins with the part; a reduction needs its third word. */
struct pomp_part {
    long from, to;
    uintptr_t *reductions;
    void (*fn)(void *);
    struct ompregdescr *region;
    struct opari_task *task;
    long data, origin, step; /* offset of the program's block; the loop's begin and step */
};

struct pomp_taskloop {
    struct pomp_part part; /* what the runtime takes for the program's data */
    const void *source;
    void (*copy)(void *, void *);
    long size;
    unsigned flags; /* as the runtime got them */
    const void *ra;
    void *frame;
};

/* The runtime copies the data of tasks that it executes at once to its own frame, and the data of
 * others to the heap. It executes tasks at once when a loop makes too many, for example. */
OPARI_INLINE int pomp_part_is_undeferred(const void *to, const struct pomp_taskloop *loop)
{
    const uintptr_t here = (uintptr_t)__builtin_frame_address(0);
    return (uintptr_t)to - here < (uintptr_t)loop->frame - here;
}

static void pomp_part_copy(void *to, void *from)
{
    struct pomp_taskloop *loop = from;
    struct pomp_part *part = to;
    *part = loop->part;
    void *data = (char *)to + part->data;
    if (loop->copy != NULL)
        loop->copy(data, (void *)(uintptr_t)loop->source);
    else
        memcpy(data, loop->source, (size_t)loop->size);
    struct opari_thread *t = opari_event_begin(part->region);
    if (t != NULL && opari_has_task_room(t)) {
        const int deferred =
            (loop->flags & POMP_GOMP_IF) != 0 && !pomp_part_is_undeferred(to, loop);
        const int flags =
            pomp_task_flags(t, part->region, deferred, (loop->flags & POMP_GOMP_FINAL) != 0);
        part->task = opari_task_create_begin(t, part->region, flags, 0, loop->ra, loop->frame);
        pomp_note(part->task->data, part->fn);
        opari_task_created(t);
        opari_set_enter_frame(
            opari_self->task,
            loop->frame); /* the task is in the runtime until the runtime has finished the loop */
    }
    if (t != NULL)
        opari_event_end();
    OPARI_HANDS_OVER(to);
}

static void pomp_part_run(void *block)
{
    OPARI_TAKES_OVER(block);
    struct pomp_part *part = block;
    long *data = (long *)(void *)((char *)block + part->data);
    data[0] = part->from;
    data[1] = part->to;
    struct opari_thread *t = part->task != NULL ? opari_event_begin(part->region) : NULL;
    if (t != NULL) {
        const long step = part->step != 0 ? part->step : 1, span = part->to - part->from,
                   before = part->from - part->origin;
        ompt_dispatch_chunk_t chunk = {(uint64_t)(before / step),
                                       (uint64_t)((span + step - (step > 0 ? 1 : -1)) / step)};
        opari_task_before(t);
        if (opari_has_room(t))
            opari_task_begin(t, part->region, part->task, POMP_OWN_FRAME);
        opari_raise_dispatch(t, ompt_dispatch_taskloop_chunk, (ompt_data_t){.ptr = &chunk});
        opari_event_end();
    }
    part->fn(data);
    t = part->task != NULL ? opari_event_begin(part->region) : NULL;
    if (t == NULL)
        return;
    opari_task_end(t, part->task);
    opari_event_end();
}

extern void GOMP_taskgroup_start(void) __attribute__((weak));

typedef void (*pomp_GOMP_taskgroup_end_t)(void);
POMP_GOMP void GOMP_taskgroup_end(void);

static void pomp_group_end(void)
{
    POMP_NEXT(GOMP_taskgroup_end);
    next();
    if (OPARI_UNLIKELY(pomp_has_tool()))
        pomp_group_reduces(ompt_scope_end);
}

POMP_GOMP void GOMP_taskgroup_end(void) { pomp_group_end(); }

/* Prepares the block for one taskloop. Returns 0 if nobody listens or the taskloop is not
 * instrumented. */
static int pomp_taskloop_begin(struct pomp_taskloop *loop, void (*fn)(void *), const void *data,
                               void (*copy)(void *, void *), long size, long align, long origin,
                               long step, unsigned flags)
{
    struct opari_thread *t = pomp_known_thread();
    if (t == NULL)
        return 0;
    struct ompregdescr *d = t->top->region;
    int ours = t->top->what == OPARI_AT_WORK && d != NULL && d->kind == POMP_KIND_TASKLOOP;
    loop->ra = t->top->ra;
    opari_event_end();
    if (!ours)
        return 0;
    const struct pomp_part *head = data; /* it has the same layout up to its third word */
    long room = (long)sizeof loop->part;
    loop->part.reductions = flags & POMP_GOMP_REDUCTION ? head->reductions : NULL;
    loop->part.fn = fn;
    loop->part.region = d;
    loop->part.task = NULL;
    loop->part.data = align > 1 ? (room + align - 1) / align * align : room;
    loop->part.origin = origin;
    loop->part.step = step;
    loop->flags = flags;
    loop->source = data;
    loop->copy = copy;
    loop->size = size;
    return 1;
}

/* The tasks have been made; from here on the thread waits for them, if there is a group. */
static void pomp_taskloop_made(void)
{
    struct opari_thread *t = pomp_observer();
    if (t == NULL)
        return;
    if (t->top->what == OPARI_AT_WORK)
        opari_taskloop_wait(t, t->top);
    opari_event_end();
}

/* Where the taskloop has a group of its own, the library opens and closes it here, as the runtime
 * would, so that its wait is visible. */
#define POMP_TASKLOOP(name, type) \
    typedef void (*pomp_##name##_t)(void (*)(void *), void *, void (*)(void *, void *), long, \
                                    long, unsigned, unsigned long, int, type, type, type); \
    POMP_GOMP void name(void (*fn)(void *), void *data, void (*copy)(void *, void *), long size, \
                        long align, unsigned flags, unsigned long tasks, int priority, type from, \
                        type to, type step); \
    POMP_GOMP void name(void (*fn)(void *), void *data, void (*copy)(void *, void *), long size, \
                        long align, unsigned flags, unsigned long tasks, int priority, type from, \
                        type to, type step) \
    { \
        POMP_NEXT(name); \
        if (OPARI_UNLIKELY((flags & POMP_GOMP_REDUCTION) != 0)) \
            pomp_rule_out_pool(); \
        pomp_team_gets_tasks(); \
        struct pomp_taskloop loop; \
        loop.frame = POMP_FRAME; \
        if (!pomp_taskloop_begin(&loop, fn, data, copy, size, align, (long)from, (long)step, \
                                 flags)) { \
            next(fn, data, copy, size, align, flags, tasks, priority, from, to, step); \
            return; \
        } \
        int group = (flags & POMP_GOMP_NOGROUP) == 0 && GOMP_taskgroup_start != NULL; \
        if (group) { \
            GOMP_taskgroup_start(); \
            if (OPARI_UNLIKELY((flags & POMP_GOMP_REDUCTION) != 0)) \
                GOMP_taskgroup_reduction_register(loop.part.reductions); \
            flags = (flags & ~(unsigned)POMP_GOMP_REDUCTION) | POMP_GOMP_NOGROUP; \
        } \
        next(pomp_part_run, &loop, pomp_part_copy, loop.part.data + size, align > 8 ? align : 8, \
             flags, tasks, priority, from, to, step); \
        pomp_taskloop_made(); \
        if (group) \
            pomp_group_end(); \
    }
POMP_TASKLOOP(GOMP_taskloop, long)
POMP_TASKLOOP(GOMP_taskloop_ull, unsigned long long)
