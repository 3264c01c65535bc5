/* check_info.c: compares the answers of the inquiry functions with what the events said. */
#include "check.h"

#include <errno.h>
#include <sys/uio.h>

/* ---- pointers from the runtime */

/* Whether a pointer from the runtime is valid. A checker that reports a bad pointer says more than
 * one that crashes on it. */
static int readable(const void *p)
{
    uint64_t word;
    struct iovec to = {&word, sizeof word}, from = {(void *)(uintptr_t)p, sizeof word};
    return p != NULL && (process_vm_readv(getpid(), &to, 1, &from, 1, 0) == (ssize_t)sizeof word ||
                         errno != EFAULT);
}

static struct check_task *task_with(const ompt_data_t *data)
{
    return readable(data) ? task_of(data) : NULL;
}
static struct check_region *region_with(const ompt_data_t *data)
{
    return readable(data) ? region_of(data) : NULL;
}

/* ---- states */

/* Bits: the states that the runtime lists; none before it was asked. */
static unsigned long state_set[64];
static int states_listed;

static int state_listed(int s)
{
    return s >= 0 && s < 4096 && (state_set[s / 64] >> (s % 64) & 1) != 0;
}

static void list_states(ompt_enumerate_states_t next)
{
    int s = ompt_state_undefined;
    const char *name;
    if (next == NULL)
        return;
    state_set[s / 64] |= 1UL << (s % 64);
    for (int n = 0; n < 200 && next(s, &s, &name); n++)
        if (s >= 0 && s < 4096)
            state_set[s / 64] |= 1UL << (s % 64), states_listed = 1;
}

/* Whether state s means waiting in a synchronisation of this kind. The general states also fit the
 * special kinds. */
static int state_fits(int s, int kind)
{
    int barrier = kind != ompt_sync_region_taskwait && kind != ompt_sync_region_taskgroup &&
                  kind != ompt_sync_region_reduction;
    switch (s) {
    case ompt_state_wait_barrier: return barrier;
    case ompt_state_wait_barrier_implicit:
        return kind == ompt_sync_region_barrier_implicit ||
               kind == ompt_sync_region_barrier_implicit_workshare ||
               kind == ompt_sync_region_barrier_implicit_parallel ||
               kind == ompt_sync_region_barrier;
    case ompt_state_wait_barrier_implicit_parallel:
        return kind == ompt_sync_region_barrier_implicit_parallel ||
               kind == ompt_sync_region_barrier_implicit;
    case ompt_state_wait_barrier_implicit_workshare:
        return kind == ompt_sync_region_barrier_implicit_workshare ||
               kind == ompt_sync_region_barrier_implicit;
    case ompt_state_wait_barrier_explicit: return kind == ompt_sync_region_barrier_explicit;
    case ompt_state_wait_barrier_implementation:
        return kind == ompt_sync_region_barrier_implementation;
    case ompt_state_wait_barrier_teams: return kind == ompt_sync_region_barrier_teams;
    case ompt_state_wait_taskwait: return kind == ompt_sync_region_taskwait;
    case ompt_state_wait_taskgroup: return kind == ompt_sync_region_taskgroup;
    default: return 0;
    }
}

static int waits_for(const struct check_task *t, int s)
{
    for (unsigned i = 0; t != NULL && i < t->scopes; i++)
        if ((t->scope[i].event == ompt_callback_sync_region ||
             t->scope[i].event == ompt_callback_sync_region_wait) &&
            state_fits(s, t->scope[i].kind))
            return 1;
    return 0;
}

/* Whether state s means waiting for a mutex of this kind; 0: for none. */
static int mutex_fits(int s, int kind)
{
    switch (kind) {
    case 0: return 0;
    case ompt_mutex_critical: return s == ompt_state_wait_critical || s == ompt_state_wait_mutex;
    case ompt_mutex_atomic: return s == ompt_state_wait_atomic || s == ompt_state_wait_mutex;
    case ompt_mutex_ordered: return s == ompt_state_wait_ordered || s == ompt_state_wait_mutex;
    default: return s == ompt_state_wait_lock || s == ompt_state_wait_mutex;
    }
}

static void check_mutex_state(const struct check_thread *t, int s, ompt_wait_id_t wait)
{
    REQUIRE(mutex_fits(s, t->pending), rule_state_wait,
            "state %#x, but the thread waits for no such mutex", (unsigned)s);
    if (t->pending != 0)
        REQUIRE(wait == t->pending_wait, rule_state_id,
                "wait id %#llx in state %#x, but %#llx in mutex_acquire", (unsigned long long)wait,
                (unsigned)s, (unsigned long long)t->pending_wait);
}

/* Checks the thread's state. other is a task that may stand for the current one during a task
 * switch, or NULL. */
static void check_state(const struct check_thread *t, const struct check_task *other)
{
    ompt_wait_id_t wait = 0;
    const struct check_task *c = t->current;
    int s, parallel = 0, inside = 0;
    if (check_ask.state == NULL)
        return;
    s = check_ask.state(&wait);
    REQUIRE(!states_listed || state_listed(s), rule_state_known, "state %#x", (unsigned)s);
    for (const struct check_region *r = c == NULL ? NULL : c->region; r != NULL; r = r->outer) {
        parallel |= r->size > 1;
        inside |= r->parent != NULL;
    }
    if (s == ompt_state_idle)
        REQUIRE(c == NULL, rule_state_work, "idle within a task");
    else if (s == ompt_state_work_serial)
        REQUIRE(!parallel, rule_state_work, "work_serial in a parallel region");
    else if (s == ompt_state_work_parallel) /* a reduction may also bind to the implicit parallel
                                               region around the program */
        REQUIRE(inside, rule_state_work, "work_parallel outside all parallel regions");
    else if (s >= ompt_state_wait_barrier && s <= ompt_state_wait_taskgroup)
        REQUIRE(waits_for(c, s) || waits_for(other, s), rule_state_wait,
                "state %#x, but the task is in no such synchronisation", (unsigned)s);
    else if (s >= ompt_state_wait_mutex && s <= ompt_state_wait_ordered)
        check_mutex_state(t, s, wait);
}

/* Checks the state in the callbacks of sync_region_wait. */
static void check_state_set(int kind)
{
    int s = check_ask.state == NULL ? ompt_state_undefined : check_ask.state(NULL);
    if (check_ask.state != NULL && kind != ompt_sync_region_reduction)
        REQUIRE(state_fits(s, kind), rule_state_set,
                "state %#x while the task waits in a synchronisation of kind %d", (unsigned)s,
                kind);
}

/* Checks the state in the callback of mutex_acquire; check_mutex_state checks its wait id. A thread
 * does not wait for a lock that it only tests. */
static void check_mutex_set(int kind)
{
    int s = check_ask.state == NULL ? ompt_state_undefined : check_ask.state(NULL);
    if (check_ask.state != NULL && kind != ompt_mutex_test_lock &&
        kind != ompt_mutex_test_nest_lock)
        REQUIRE(mutex_fits(s, kind), rule_state_set,
                "state %#x while the thread waits for a mutex of kind %d", (unsigned)s, kind);
}

/* ---- frames */

static void check_frame_flags(const ompt_data_t *address, int flags)
{
    int how = flags & 0x30;
    if (address->ptr != NULL)
        REQUIRE((flags & ~0x31) == 0 && how != 0, rule_frame_flags, "frame flags %#x",
                (unsigned)flags);
}

static void check_enter_frame(const ompt_frame_t *frame)
{
    REQUIRE(frame != NULL && frame->enter_frame.ptr != NULL, rule_frame_enter,
            "the encountering task has no enter frame");
}

/* ---- tasks and regions */

/* Returns the number of the thread in its team. The initial task has 0, whatever index its event
 * passed. */
static unsigned thread_number(const struct check_thread *t)
{
    const struct check_task *k = t->implicit;
    return k == NULL || (is_initial(k) && k->region->parent == NULL) ? 0 : k->index;
}

static int in_league(const struct check_region *r)
{
    return r != NULL && (r->flags & ompt_parallel_league) != 0;
}

/* Checks level 0. user: the event comes from user code, so the task has an exit frame. Returns the
 * task's frame. */
static const ompt_frame_t *check_level0(const struct check_thread *t,
                                        const struct check_task *other, enum check_rule rule,
                                        int user)
{
    const struct check_task *c = t->current;
    int flags = 0, number = -1;
    ompt_data_t *task = NULL, *parallel = NULL;
    ompt_frame_t *frame = NULL;
    int rc = check_ask.task(0, &flags, &task, &frame, &parallel, &number);
    REQUIRE(rc == 2, rule, "level 0 gives %d and not 2", rc);
    if (rc != 2)
        return NULL;
    if (other != NULL && task_with(task) == other)
        return NULL;
    REQUIRE(task_with(task) == c, rule, "level 0 is not the current task");
    REQUIRE(region_with(parallel) == c->region, rule, "level 0 is in another region");
    REQUIRE(in_league(c->region) || number == (int)thread_number(t), rule,
            "thread number %d, but it has index %u", number, thread_number(t));
    REQUIRE(((unsigned)flags & c->flags & 0x1f) != 0, rule,
            "flags %#x, but the task began with %#x", (unsigned)flags, c->flags);
    if (!readable(frame))
        return NULL;
    check_frame_flags(&frame->exit_frame, frame->exit_frame_flags);
    check_frame_flags(&frame->enter_frame, frame->enter_frame_flags);
    if (user && !is_initial(c))
        REQUIRE(frame->exit_frame.ptr != NULL, rule_frame_exit,
                "no exit frame in a task that runs user code");
    return frame;
}

/* Checks levels 1 and up. An ancestor of an explicit task is its creator, or the task that its
 * thread ran before: runtimes differ. */
static void check_ancestors(const struct check_task *c, const ompt_frame_t *frame)
{
    for (int level = 1; level < 64; level++) {
        const struct check_task *up = c->parent, *below = c->below, *found;
        int flags = 0, number = -1, rc;
        ompt_data_t *task = NULL, *parallel = NULL;
        ompt_frame_t *above = NULL;
        if (in_league(c->region))
            return;
        rc = check_ask.task(level, &flags, &task, &above, &parallel, &number);
        if (up == NULL) {
            REQUIRE(rc == 0, rule_info_ancestor, "level %d gives %d, but there is no such ancestor",
                    level, rc);
            return;
        }
        /* A worker leaves its last barrier some time after it. The task that encountered the region
         * may have ended by then. */
        REQUIRE(rc != 0 || up->done, rule_info_ancestor,
                "level %d gives 0, but there is such an ancestor", level);
        if (rc != 2)
            return;
        found = task_with(task);
        REQUIRE(found != NULL && (found == up || found == below), rule_info_ancestor,
                "level %d is another task than the ancestor", level);
        if (found == NULL || (found != up && found != below))
            return;
        REQUIRE(region_with(parallel) == found->region, rule_info_ancestor,
                "level %d is in another region", level);
        if (readable(above) && found == below)
            REQUIRE(above->enter_frame.ptr != NULL, rule_frame_enter,
                    "level %d waits below on the thread and has no enter frame", level);
        if (readable(frame) && readable(above) && found == below && frame->exit_frame.ptr != NULL &&
            above->enter_frame.ptr != NULL)
            REQUIRE((uintptr_t)frame->exit_frame.ptr <= (uintptr_t)above->enter_frame.ptr,
                    rule_frame_order,
                    "level %d has exit frame %p, above the enter frame %p of the next level",
                    level - 1, frame->exit_frame.ptr, above->enter_frame.ptr);
        c = found;
        frame = above;
    }
}

static void check_regions(const struct check_task *c)
{
    const struct check_region *r = c->region, *inner = NULL;
    for (int level = 0; level < 64; level++) {
        ompt_data_t *data = NULL;
        int size = -1, rc = check_ask.region(level, &data, &size);
        if (in_league(r))
            return;
        if (r == NULL) {
            REQUIRE(rc == 0, rule_info_region, "level %d gives %d, but there is no such region",
                    level, rc);
            return;
        }
        if (rc == 0 && inner != NULL && inner->parent->done)
            return; /* as for ancestors */
        REQUIRE(rc == 2, rule_info_region, "level %d gives %d and not 2", level, rc);
        if (rc != 2)
            return;
        REQUIRE(region_with(data) == r, rule_info_region, "level %d is another region", level);
        REQUIRE(r->size == 0 || size == (int)r->size, rule_info_region,
                "level %d has a team of %d, but its tasks got the size %u", level, size, r->size);
        inner = r;
        r = r->outer;
    }
}

/* Checks everything that a tool can ask in an event of user code, or of the runtime itself. */
static void check_info(const struct check_thread *t, int user)
{
    check_state(t, NULL);
    if (t->current == NULL)
        return;
    if (check_ask.task != NULL)
        check_ancestors(t->current, check_level0(t, NULL, rule_info_task, user));
    if (check_ask.region != NULL)
        check_regions(t->current);
}

/* Checks it in task_create and task_schedule. The rule can be off, because a runtime may return
 * invalid pointers there. */
static void check_info_switching(const struct check_thread *t, const struct check_task *other)
{
    check_state(t, other);
    if (t->current == NULL || check_ask.task == NULL || check.off[rule_info_switch])
        return;
    (void)check_level0(t, other, rule_info_switch, 0);
}
