/* tool.c: what tools of the two older generations of OMPT, 2016 and 2013, have in common.
 *
 * Such a tool is attached like any other. Callbacks of OpenMP 5.x translate the events for it, so
 * the path of an event is the same with and without it. The search ends with the first tool, so
 * there is at most one, and its state is static. The state is written before the tool is attached,
 * and read afterwards.
 */
#include "../core/bridge.h"
#include "../core/older_numbers.h"

#include <string.h>

enum {
    OPARI_OLDER_EVENTS = 62,
    /* Every record has a word for each tool. No attached tool ever uses the last two. */
    OPARI_NOTES = OPARI_TOOLS - 2, /* thread: it is idle to the tool; implicit task: its end has
                                      been reported to the tool; region, explicit task: its
                                      function */
    OPARI_WORDS = OPARI_TOOLS - 1  /* 2013: the tool's own data, beside the ids; 2016: the kind of
                                      wait that the tool knows the task to be in */
};

static struct {
    int generation; /* 2016, 2013; 0: there is no such tool */
    int open;       /* the initializer runs: only then can callbacks be set */
    unsigned tool;  /* its number among the attached tools */
    int dialect;    /* the dialect before, restored if the tool declines */
    opari_2016_initialize_t initialize_2016;
    opari_2013_initialize_t initialize_2013;
    void (*raise_idle)(const struct opari_thread *t, ompt_scope_endpoint_t at);
    const unsigned char *raised; /* the OPARI_SET_ answer for each event */
    int events;                  /* one more than the highest event number */
    ompt_callback_t call[OPARI_OLDER_EVENTS];
} opari_older;

/* Calls the tool if it asked for the event. */
#define OPARI_OLDER(type, event, ...) \
    do { \
        type older_ = (type)opari_older.call[event]; \
        if (older_ != NULL) \
            older_(__VA_ARGS__); \
    } while (0)

/* Returns the note in the record of word d, which is the tool's. */
static ompt_data_t *opari_note(ompt_data_t *d) { return d - opari_older.tool + OPARI_NOTES; }

/* Returns the task whose word for the tool is d. */
static struct opari_task *opari_task_of(ompt_data_t *d)
{
    return (struct opari_task *)(void *)((char *)(d - opari_older.tool) -
                                         offsetof(struct opari_task, data));
}

static ompt_data_t *opari_own_region(const struct opari_thread *t)
{
    return &t->task->parallel->data[opari_older.tool];
}

/* Returns the region for the end of a barrier or of an implicit task, where 5.x passes null. */
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

/* A worker is idle between two regions. Nobody observes it before its first one, so to the tool it
 * is idle only from the end of that. The tool is called in the idle state and outside every task,
 * whatever state the bridge is about to set. */
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

/* The implicit task has ended. A worker that was in no other team is idle now. */
static void opari_implicit_ended(struct opari_thread *t)
{
    if (t->type == ompt_thread_worker && t->task->below == &t->base_task)
        opari_idle(t, ompt_scope_begin);
}

/* Whether the calling thread holds the nestable lock. The report of 2016 has an event of acquiring
 * only for a lock that the thread does not hold. */
static int opari_owns(int kind, ompt_wait_id_t lock)
{
    return kind == ompt_mutex_nest_lock && opari_nest_depth(opari_self, lock, 0) > 0;
}

/* Returns the region of task k; null: none. These generations know neither the implicit region
 * around the program nor the league of a teams construct. */
static struct opari_parallel *opari_region_of(const struct opari_task *k)
{
    struct opari_parallel *p = k->parallel;
    return p->parent != NULL && (p->flags & ompt_parallel_league) == 0 ? p : NULL;
}

/* Returns the region at a level of the calling thread's context; null if there is none. */
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

/* A state of 5.x in both generations. Waiting for a nestable lock has the state of a plain lock,
 * because the bridge has one for both. The paper knows no target constructs. */
struct opari_older_state {
    unsigned short state;
    unsigned char in_2016, in_2013;
};

/* Returns the state of the calling thread. Stores the wait id, which is 0 unless the thread
 * waits. */
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

/* A callback of 5.x that translates an event for the tool. */
struct opari_hook {
    ompt_callbacks_t event;
    ompt_callback_t call;
};

static void opari_older_hook(const struct opari_hook *hook)
{
    for (; hook->call != NULL; hook++)
        (void)opari_set_callback(opari_older.tool, (int)hook->event, hook->call);
}

/* Prepares for the tool's initializer, which may set callbacks until opari_older.open is 0 again.
 * Returns 0 if there is no room for the translation's words. */
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
    opari_dialect = 51; /* in this dialect the kinds of barriers are distinct */
    return 1;
}

/* Raises the tool's last event. Other threads may still be in callbacks, so these stay. */
static void opari_older_finalize(ompt_data_t *none)
{
    (void)none;
    int event = opari_older.generation == 2016 ? (int)OPARI_2016_runtime_shutdown
                                               : (int)OPARI_2013_runtime_shutdown;
    if (opari_older.call[event] != NULL)
        opari_older.call[event]();
    opari_older.generation = 0;
}
