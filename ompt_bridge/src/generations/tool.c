/* tool.c: what tools of the two older generations of OMPT share, 2016 and 2013.
 *
 * A tool of theirs is attached like any other, with callbacks of OpenMP 5.x in front of it that
 * translate. So the path of an event is the same with and without. The search ends with the first
 * tool, so there is one at most and its state is static; it is written before the tool is attached
 * and read afterwards.
 */
#include "../core/bridge.h"
#include "../core/older_numbers.h"

#include <string.h>

enum {
    OPARI_OLDER_EVENTS = 62,
    /* Of the words that every record has for each tool the last two are never an attached tool's.
     */
    OPARI_NOTES = OPARI_TOOLS - 2, /* thread: it is idle to the tool; implicit task: it has ended to
                                      the tool; region, explicit task: its function */
    OPARI_WORDS = OPARI_TOOLS - 1  /* what a tool of 2013 keeps, beside the ids; 2016: the kind of
                                      wait that the task is in to the tool */
};

static struct {
    int generation; /* 2016, 2013; 0: there is no such tool */
    int open;       /* its initializer is running, the only time at which callbacks can be set */
    unsigned tool;  /* its number among the attached */
    int dialect;    /* what was asked for, should the tool decline */
    opari_2016_initialize_t initialize_2016;
    opari_2013_initialize_t initialize_2013;
    void (*raise_idle)(const struct opari_thread *t, ompt_scope_endpoint_t at);
    const unsigned char *raised; /* OPARI_SET_ of each event */
    int events;                  /* how many numbers there are, with 0 */
    ompt_callback_t call[OPARI_OLDER_EVENTS];
} opari_older;

/* Calls the tool, if it asked for the event. */
#define OPARI_OLDER(type, event, ...) \
    do { \
        type older_ = (type)opari_older.call[event]; \
        if (older_ != NULL) \
            older_(__VA_ARGS__); \
    } while (0)

/* The three words of a record beside d, which is the tool's. */
static ompt_data_t *opari_note(ompt_data_t *d) { return d - opari_older.tool + OPARI_NOTES; }

/* The record whose word for the tool d is. */
static struct opari_task *opari_task_of(ompt_data_t *d)
{
    return (struct opari_task *)(void *)((char *)(d - opari_older.tool) -
                                         offsetof(struct opari_task, data));
}

static ompt_data_t *opari_own_region(const struct opari_thread *t)
{
    return &t->task->parallel->data[opari_older.tool];
}

/* The region of a barrier's or an implicit task's end, for which 5.x has null. */
static ompt_data_t *opari_region_or_own(ompt_data_t *parallel)
{
    return parallel != NULL ? parallel : opari_own_region(opari_self);
}

static int opari_older_set(int event, ompt_callback_t callback)
{
    if (!opari_older.open || event <= 0 || event >= opari_older.events)
        return OPARI_SET_ERROR;
    int answer = opari_older.raised[event];
    if (answer >= OPARI_SET_SOMETIMES)
        opari_older.call[event] = callback;
    return answer;
}

static int opari_older_get(int event, ompt_callback_t *callback)
{
    if (event <= 0 || event >= opari_older.events || opari_older.call[event] == NULL)
        return 0;
    *callback = opari_older.call[event];
    return 1;
}

/* A worker is idle between two regions. What it does before its first one nobody sees: it is idle
 * to the tool from the end of that on. The tool is called in that state and in no task, whatever
 * the bridge is about to set. */
static void opari_idle(struct opari_thread *t, ompt_scope_endpoint_t at)
{
    uint64_t *is_idle = &t->data[OPARI_NOTES].value;
    if (*is_idle == (at == ompt_scope_begin))
        return;
    *is_idle = at == ompt_scope_begin;
    int state = t->state;
    struct opari_task *task = t->task;
    t->state = ompt_state_idle;
    t->task = &t->base_task;
    opari_older.raise_idle(t, at);
    t->task = task;
    t->state = state;
}

/* The implicit task has ended; a worker that was in no team before has nothing to do now. */
static void opari_implicit_left(struct opari_thread *t)
{
    if (t->type == ompt_thread_worker && t->task->below == &t->base_task)
        opari_idle(t, ompt_scope_begin);
}

/* Whether the calling thread holds the nestable lock: the report of 2016 has an event of acquiring
 * only for what it does not. */
static int opari_owns(int kind, ompt_wait_id_t lock)
{
    return kind == ompt_mutex_nest_lock && opari_nest_depth(opari_self, lock, 0) > 0;
}

/* The region that task k is in; null: none. These generations know neither the region around all
 * others nor the league of a teams construct. */
static struct opari_parallel *opari_region_of(const struct opari_task *k)
{
    struct opari_parallel *p = k->parallel;
    return p->parent != NULL && (p->flags & ompt_parallel_league) == 0 ? p : NULL;
}

/* The region at a level of the calling thread's context; null: there is none. */
static struct opari_parallel *opari_region_at(int level)
{
    struct opari_task *k = level >= 0 ? opari_current_task() : NULL;
    while (k != NULL && level-- > 0)
        k = opari_task_encountering(k->parallel);
    return k != NULL ? opari_region_of(k) : NULL;
}

static struct opari_task *opari_task_at(int level)
{
    struct opari_task *k = level >= 0 ? opari_current_task() : NULL;
    while (k != NULL && level-- > 0)
        k = opari_task_outside(k);
    return k;
}

/* The states of 5.x in both generations. A nestable lock is waited for in the state of a lock: the
 * bridge has one for both. The paper knows no target constructs. */
struct opari_older_state {
    unsigned short state;
    unsigned char in_2016, in_2013;
};

/* The state of the calling thread. Fills the wait id where it is one of waiting. */
static OPARI_COLD const struct opari_older_state *opari_older_state(ompt_wait_id_t *wait_id)
{
#define OPARI_STATE(s, name) {ompt_state_##s, OPARI_2016_STATE_##name, OPARI_2013_STATE_##name}
    static const struct opari_older_state states[] = {
        OPARI_STATE(work_serial, work_serial),
        OPARI_STATE(work_parallel, work_parallel),
        OPARI_STATE(work_reduction, work_reduction),
        OPARI_STATE(wait_barrier_implicit_parallel, wait_barrier_implicit),
        OPARI_STATE(wait_barrier_implicit_workshare, wait_barrier_implicit),
        OPARI_STATE(wait_barrier_explicit, wait_barrier_explicit),
        OPARI_STATE(wait_barrier_implementation, wait_barrier),
        OPARI_STATE(wait_barrier_teams, wait_barrier_implicit),
        OPARI_STATE(wait_taskwait, wait_taskwait),
        OPARI_STATE(wait_taskgroup, wait_taskgroup),
        OPARI_STATE(wait_lock, wait_lock),
        OPARI_STATE(wait_critical, wait_critical),
        OPARI_STATE(wait_atomic, wait_atomic),
        OPARI_STATE(wait_ordered, wait_ordered),
        {ompt_state_wait_target, OPARI_2016_STATE_wait_target, OPARI_2013_STATE_undefined},
        {ompt_state_wait_target_map, OPARI_2016_STATE_wait_target_data, OPARI_2013_STATE_undefined},
        {ompt_state_wait_target_update, OPARI_2016_STATE_wait_target_update,
         OPARI_2013_STATE_undefined},
        OPARI_STATE(idle, idle),
        OPARI_STATE(overhead, overhead),
        OPARI_STATE(undefined, undefined),
    };
#undef OPARI_STATE
    const struct opari_thread *t = opari_self;
    const struct opari_older_state *s = states;
    const int state = t != NULL ? t->state : (int)ompt_state_undefined;
    if (wait_id != NULL)
        *wait_id = t != NULL ? t->wait_id : 0;
    while (s->state != state && s->state != ompt_state_undefined)
        s++;
    return s;
}

/* What the tool of either generation gets events through: hooks[n] for event n of 5.x. */
struct opari_hook {
    ompt_callbacks_t event;
    ompt_callback_t call;
};

static void opari_older_hook(const struct opari_hook *hook)
{
    for (; hook->call != NULL; hook++)
        (void)opari_set_callback(opari_older.tool, (int)hook->event, hook->call);
}

/* From here to opari_older.open = 0 the initializer may set callbacks. 0: there is no room for the
 * translation's words. */
static int opari_older_open(int generation, const unsigned char *raised, int events,
                            void (*raise_idle)(const struct opari_thread *, ompt_scope_endpoint_t))
{
    if (opari_tools.count >= OPARI_NOTES)
        return 0;
    memset(opari_older.call, 0, sizeof opari_older.call);
    opari_older.tool = opari_tools.count;
    opari_older.raised = raised;
    opari_older.events = events;
    opari_older.raise_idle = raise_idle;
    opari_older.generation = generation;
    opari_older.open = 1;
    opari_older.dialect = opari_dialect;
    opari_dialect = 51; /* the kinds of barrier are distinguished */
    return 1;
}

/* The tool's last event. Other threads may still be in callbacks, so these stay. */
static void opari_older_finalize(ompt_data_t *none)
{
    (void)none;
    int event = opari_older.generation == 2016 ? (int)OPARI_2016_runtime_shutdown
                                               : (int)OPARI_2013_runtime_shutdown;
    if (opari_older.call[event] != NULL)
        opari_older.call[event]();
    opari_older.generation = 0;
}
