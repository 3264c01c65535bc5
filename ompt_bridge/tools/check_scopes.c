/* check_scopes.c: the checker's callbacks for what lies in a task: work, synchronisation,
 * cancellation, and the rest. */
#include "check.h"

/* Begins the check of an event that begins or ends in the current task. known: the kind is one of
 * the specification's. */
static struct check_thread *scoped(unsigned event, const char *name, int kind, int known,
                                   ompt_scope_endpoint_t endpoint)
{
    struct check_thread *t = enter(event, name);
    int both = endpoint == ompt_scope_beginend && event != ompt_callback_sync_region &&
               event != ompt_callback_sync_region_wait;
    REQUIRE(known, rule_kind, "kind %d", kind);
    REQUIRE(endpoint == ompt_scope_begin || endpoint == ompt_scope_end || both, rule_endpoint,
            "endpoint %d", (int)endpoint);
    return t;
}

static int is_work(int k) { return k > 0 && k <= ompt_work_loop_other && k != 9; }
static int is_loop(int k)
{
    return k == ompt_work_loop || (k >= ompt_work_loop_static && k <= ompt_work_loop_other);
}
static int is_sync(int k) { return k > 0 && k <= ompt_sync_region_barrier_teams; }

static void on_work(ompt_work_t type, ompt_scope_endpoint_t endpoint, ompt_data_t *parallel,
                    ompt_data_t *task, uint64_t count, const void *code)
{
    struct check_thread *t =
        scoped(ompt_callback_work, "work", (int)type, is_work((int)type), endpoint);
    (void)count;
    check_where(t, parallel, task, 0);
    check_info(t, 1);
    if (endpoint == ompt_scope_begin)
        push(t->current, ompt_callback_work, (int)type, code, NULL);
    else if (endpoint == ompt_scope_end)
        pop(t->current, ompt_callback_work, (int)type, code);
    leave();
}

static void on_masked(ompt_scope_endpoint_t endpoint, ompt_data_t *parallel, ompt_data_t *task,
                      const void *code)
{
    struct check_thread *t = scoped(ompt_callback_masked, "masked", 0, 1, endpoint);
    check_where(t, parallel, task, 0);
    check_info(t, 1);
    if (endpoint == ompt_scope_begin)
        push(t->current, ompt_callback_masked, 0, code, NULL);
    else if (endpoint == ompt_scope_end)
        pop(t->current, ompt_callback_masked, 0, code);
    leave();
}

/* Whether the task's innermost worksharing construct distributes parts of this kind. */
static int dispatch_fits(const struct check_task *t, ompt_dispatch_t kind)
{
    for (unsigned i = t == NULL ? 0 : t->scopes; i-- > 0;) {
        int work = t->scope[i].kind;
        if (t->scope[i].event != ompt_callback_work)
            continue;
        switch (kind) {
        case ompt_dispatch_section: return work == ompt_work_sections;
        case ompt_dispatch_taskloop_chunk: return work == ompt_work_taskloop;
        case ompt_dispatch_distribute_chunk: return work == ompt_work_distribute;
        default: return is_loop(work);
        }
    }
    return t != NULL && t->taskloop && kind == ompt_dispatch_taskloop_chunk;
}

static void on_dispatch(ompt_data_t *parallel, ompt_data_t *task, ompt_dispatch_t kind,
                        ompt_data_t instance)
{
    struct check_thread *t = enter(ompt_callback_dispatch, "dispatch");
    (void)instance;
    REQUIRE(kind >= ompt_dispatch_iteration && kind <= ompt_dispatch_distribute_chunk, rule_kind,
            "kind %d", (int)kind);
    check_where(t, parallel, task, 0);
    REQUIRE(dispatch_fits(t->current, kind), rule_dispatch_scope,
            "kind %d outside of its construct", (int)kind);
    check_info(t, 0);
    leave();
}

/* Whether an event's region may be gone: at the end of a barrier that ends the region. */
static int region_may_lack(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint)
{
    return endpoint == ompt_scope_end &&
           (kind == ompt_sync_region_barrier_implicit_parallel ||
            kind == ompt_sync_region_barrier_implicit || kind == ompt_sync_region_barrier ||
            kind == ompt_sync_region_barrier_teams);
}

static void on_sync(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint, ompt_data_t *parallel,
                    ompt_data_t *task, const void *code)
{
    struct check_thread *t =
        scoped(ompt_callback_sync_region, "sync_region", (int)kind, is_sync((int)kind), endpoint);
    check_where(t, parallel, task, region_may_lack(kind, endpoint));
    if (endpoint == ompt_scope_begin)
        push(t->current, ompt_callback_sync_region, (int)kind, code, NULL);
    check_info(t, 0);
    if (endpoint == ompt_scope_end) {
        pop(t->current, ompt_callback_sync_region, (int)kind, code);
        if (kind == ompt_sync_region_taskwait && t->current != NULL) {
            REQUIRE(t->current->children == 0 || t->current->awaits_some, rule_task_children,
                    "%ld children are not complete", t->current->children);
            t->current->awaits_some = 0;
        }
    }
    leave();
}

static void on_sync_wait(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint,
                         ompt_data_t *parallel, ompt_data_t *task, const void *code)
{
    struct check_thread *t = scoped(ompt_callback_sync_region_wait, "sync_region_wait", (int)kind,
                                    is_sync((int)kind), endpoint);
    check_where(t, parallel, task, region_may_lack(kind, endpoint));
    if (endpoint == ompt_scope_begin) {
        const struct check_scope *s = innermost(t->current);
        REQUIRE(s != NULL && s->event == ompt_callback_sync_region && s->kind == (int)kind,
                rule_wait_scope, "no sync_region of kind %d is open innermost", (int)kind);
        push(t->current, ompt_callback_sync_region_wait, (int)kind, code, NULL);
    }
    check_state_set((int)kind);
    check_info(t, 0);
    if (endpoint == ompt_scope_end)
        pop(t->current, ompt_callback_sync_region_wait, (int)kind, code);
    leave();
}

static void on_reduction(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint,
                         ompt_data_t *parallel, ompt_data_t *task, const void *code)
{
    struct check_thread *t = scoped(ompt_callback_reduction, "reduction", (int)kind,
                                    kind == ompt_sync_region_reduction, endpoint);
    check_where(t, parallel, task, 0);
    check_state(t, NULL);
    if (endpoint == ompt_scope_begin)
        push(t->current, ompt_callback_reduction, (int)kind, code, NULL);
    else if (endpoint == ompt_scope_end)
        pop(t->current, ompt_callback_reduction, (int)kind, code);
    leave();
}

static void on_flush(ompt_data_t *data, const void *code)
{
    struct check_thread *t = enter(ompt_callback_flush, "flush");
    (void)code;
    REQUIRE(data == t->data, rule_thread_data, "flush has other data than thread_begin");
    check_info(t, 1);
    leave();
}

static int one_bit(unsigned bits) { return bits != 0 && (bits & (bits - 1)) == 0; }

static void on_cancel(ompt_data_t *task, int flags, const void *code)
{
    struct check_thread *t = enter(ompt_callback_cancel, "cancel");
    unsigned f = (unsigned)flags;
    (void)code;
    REQUIRE(one_bit(f & 0x0f) && one_bit(f & 0x70), rule_cancel, "flags %#x", f);
    REQUIRE(task_of(task) != NULL &&
                (task_of(task) == t->current || (f & ompt_cancel_discarded_task) != 0),
            rule_cancel, "the task is %s",
            task_of(task) == NULL ? "unknown" : "not the current one");
    check_state(t, NULL);
    leave();
}

static void on_error(int severity, const char *message, size_t length, const void *code)
{
    struct check_thread *t = enter(ompt_callback_error, "error");
    (void)code;
    REQUIRE(severity == 1 || severity == 2, rule_kind, "severity %d", severity);
    /* Fortran's messages have no terminating 0. */
    const size_t n = message != NULL ? strnlen(message, length) : 0;
    REQUIRE(n == length, rule_kind, "the message's length is %zu, not %zu", n, length);
    check_info(t, 1);
    leave();
}
