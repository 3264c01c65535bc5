/* check_tasks.c: the checker's callbacks for threads, regions and tasks. */
#include "check.h"

/* ---- scopes: what is open in a task */

static void push(struct check_task *t, unsigned event, int kind, const void *code,
                 struct check_region *region)
{
    struct check_scope *s;
    if (t == NULL)
        return;
    if (t->scopes == t->room) {
        t->room = t->room == 0 ? 8 : 2 * t->room;
        t->scope = realloc(t->scope, t->room * sizeof *t->scope);
        if (t->scope == NULL)
            _exit(3);
    }
    s = &t->scope[t->scopes++];
    s->event = event, s->kind = kind, s->code = code, s->region = region;
}

static struct check_scope *innermost(const struct check_task *t)
{
    return t == NULL || t->scopes == 0 ? NULL : &t->scope[t->scopes - 1];
}

/* Ends the innermost scope if it is this one. Otherwise it reports that, and ends this scope
 * further out, so that one mistake gives one report. */
static void pop(struct check_task *t, unsigned event, int kind, const void *code)
{
    struct check_scope *s = innermost(t);
    if (t == NULL)
        return;
    if (s == NULL || s->event != event || s->kind != kind) {
        violate(rule_scope_pair, "the end of event %u kind %d, but %s%u kind %d is open innermost",
                event, kind, s == NULL ? "nothing: " : "", s == NULL ? 0 : s->event,
                s == NULL ? 0 : s->kind);
        for (unsigned i = t->scopes; i-- > 0;)
            if (t->scope[i].event == event && t->scope[i].kind == kind) {
                t->scopes = i;
                return;
            }
        return;
    }
    REQUIRE((s->code == NULL) == (code == NULL), rule_code_pair,
            "code pointer %p at the begin and %p at the end", s->code, code);
    t->scopes--;
}

static void check_closed(const struct check_thread *thread, struct check_task *t)
{
    REQUIRE(t->scopes == 0, rule_scope_open, "event %u kind %d is open",
            t->scopes == 0 ? 0 : innermost(t)->event, t->scopes == 0 ? 0 : innermost(t)->kind);
    t->scopes = 0;
    for (const struct check_hold *h = thread->holds; h != NULL; h = h->next)
        REQUIRE(h->task != t || h->family < ompt_mutex_critical, rule_mutex_held,
                "a mutex of kind %d is held", h->family);
}

/* Compares the data of an event with what the thread runs. region_may_lack: at some ends the region
 * is already gone. */
static void check_where(const struct check_thread *t, const ompt_data_t *parallel,
                        const ompt_data_t *task, int region_may_lack)
{
    REQUIRE(t->current != NULL && task_of(task) == t->current, rule_task_current,
            "the task of the event is %s",
            task == NULL            ? "NULL"
            : task_of(task) == NULL ? "unknown"
                                    : "not the current one");
    if (t->current != NULL && !(parallel == NULL && region_may_lack))
        REQUIRE(region_of(parallel) == t->current->region, rule_task_region,
                "the region of the event is %s",
                parallel == NULL              ? "NULL"
                : region_of(parallel) == NULL ? "unknown"
                                              : "not that of the current task");
}

/* ---- threads */

static void on_thread_begin(ompt_thread_t type, ompt_data_t *data)
{
    struct check_thread *t = enter(ompt_callback_thread_begin, "thread_begin");
    REQUIRE(t->begun != 1, rule_thread_first, "a second thread_begin");
    REQUIRE(type >= ompt_thread_initial && type <= ompt_thread_unknown, rule_kind, "thread type %d",
            (int)type);
    if (t->begun != 1) {
        mark(what_thread, rule_thread_data, data, t);
        t->data = data;
        t->word = data == NULL ? 0 : data->value;
    }
    t->begun = 1;
    leave();
}

static void on_thread_end(ompt_data_t *data)
{
    struct check_thread *t = enter(ompt_callback_thread_end, "thread_end");
    REQUIRE(data == t->data && (data == NULL || data->value == t->word), rule_thread_data,
            "thread_end has other data than thread_begin");
    t->ended = 1;
    leave();
}

/* ---- regions */

static void on_parallel_begin(ompt_data_t *task, const ompt_frame_t *frame, ompt_data_t *parallel,
                              unsigned requested, int flags, const void *code)
{
    struct check_thread *t = enter(ompt_callback_parallel_begin, "parallel_begin");
    unsigned f = (unsigned)flags, invoker = f & 3,
             kind = f & ((unsigned)ompt_parallel_league | (unsigned)ompt_parallel_team);
    (void)requested;
    REQUIRE(invoker != 0 && (invoker & (invoker - 1)) == 0 && kind != 0 && (kind & (kind - 1)) == 0,
            rule_region_flags, "flags %#x", f);
    REQUIRE(t->current != NULL && task_of(task) == t->current, rule_task_current,
            "the encountering task is not the current one");
    check_enter_frame(frame);
    check_info(t, 0);
    push(t->current, ompt_callback_parallel_begin, 0, code, new_region(parallel, t->current, f));
    leave();
}

static void on_parallel_end(ompt_data_t *parallel, ompt_data_t *task, int flags, const void *code)
{
    struct check_thread *t = enter(ompt_callback_parallel_end, "parallel_end");
    struct check_region *r = region_of(parallel);
    const struct check_scope *s = innermost(t->current);
    REQUIRE(t->current != NULL && task_of(task) == t->current, rule_task_current,
            "the encountering task is not the current one");
    REQUIRE(r != NULL && !r->ended && s != NULL && s->region == r, rule_region_pair,
            "the region is %s",
            r == NULL  ? "unknown"
            : r->ended ? "at its end already"
                       : "not the one that the task began last");
    pop(t->current, ompt_callback_parallel_begin, 0, code);
    check_info(t, 0);
    if (r != NULL) {
        REQUIRE(r->flags == (unsigned)flags, rule_region_pair, "flags %#x, but %#x at the begin",
                (unsigned)flags, r->flags);
        REQUIRE(r->begun == r->size && r->size > 0, rule_team_size,
                "%u implicit tasks began in a team of %u", r->begun, r->size);
        REQUIRE(r->open == 0, rule_task_open, "%ld explicit tasks are not complete", r->open);
        r->ended = 1;
    }
    leave();
}

/* ---- implicit tasks */

/* Outside leagues, the initial task has index 1 in some runtimes and 0 in others. */
static void check_team(struct check_region *r, unsigned size, unsigned index)
{
    REQUIRE(r->size == 0 || r->size == size, rule_team_size,
            "size %u, but %u for another task of the region", size, r->size);
    REQUIRE(size > 0, rule_team_size, "size 0");
    if (r->size == 0 && size > 0) {
        r->size = size;
        r->seen = allocate(size);
    }
    r->begun++;
    if (r->parent == NULL)
        return;
    REQUIRE(index < r->size && !r->seen[index], rule_team_size, "index %u in a team of %u%s", index,
            r->size, index < r->size ? " for the second time" : "");
    if (index < r->size)
        r->seen[index] = 1;
}

static void begin_implicit(struct check_thread *t, ompt_data_t *parallel, ompt_data_t *task,
                           unsigned size, unsigned index, unsigned flags)
{
    struct check_region *r = region_of(parallel);
    struct check_task *k;
    REQUIRE(parallel != NULL, rule_region_data, "an implicit task begins with parallel data NULL");
    if (r == NULL) {
        if (parallel != NULL && (flags & ompt_task_initial) == 0)
            violate(rule_region_data, "an implicit task begins in a region that did not");
        r = allocate(sizeof *r);
        r->data = parallel;
        if (parallel != NULL)
            mark(what_region, rule_region_data, parallel, r);
    }
    REQUIRE(!r->ended, rule_region_pair, "an implicit task begins in a region that has ended");
    check_team(r, size, index);
    k = new_task(task, r, r->parent, flags);
    k->index = index;
    k->below = t->current;
    k->on = k->home = t;
    k->started = 1;
    k->before = t->implicit;
    t->current = t->implicit = k;
}

static void end_implicit(struct check_thread *t, const ompt_data_t *parallel,
                         const ompt_data_t *task, unsigned size, unsigned index)
{
    struct check_task *k = task_of(task);
    REQUIRE(k != NULL, rule_task_data, "the task is unknown");
    REQUIRE(k != NULL && k == t->current, rule_task_current,
            "the task that ends is not the current one");
    if (k == NULL)
        return;
    REQUIRE(!k->done, rule_task_order, "the implicit task has ended already");
    REQUIRE(parallel == NULL || region_of(parallel) == k->region, rule_task_region,
            "another region than at the begin");
    REQUIRE(index == k->index, rule_team_size, "index %u at the end, but %u at the begin", index,
            k->index);
    REQUIRE(size == 0 || size == k->region->size, rule_team_size,
            "size %u at the end, but %u at the begin", size, k->region->size);
    check_closed(t, k);
    k->done = 1;
    k->on = NULL;
    t->current = k->below;
    t->implicit = k->before;
}

static void on_implicit_task(ompt_scope_endpoint_t endpoint, ompt_data_t *parallel,
                             ompt_data_t *task, unsigned size, unsigned index, int flags)
{
    struct check_thread *t = enter(ompt_callback_implicit_task, "implicit_task");
    unsigned kind = (unsigned)flags & (ompt_task_initial | ompt_task_implicit);
    REQUIRE(kind == ompt_task_initial || kind == ompt_task_implicit, rule_task_flags, "flags %#x",
            (unsigned)flags);
    REQUIRE(endpoint == ompt_scope_begin || endpoint == ompt_scope_end, rule_endpoint,
            "endpoint %d", (int)endpoint);
    if (endpoint == ompt_scope_begin)
        begin_implicit(t, parallel, task, size, index, (unsigned)flags);
    else
        end_implicit(t, parallel, task, size, index);
    leave();
}

/* ---- explicit tasks */

#define TASK_KINDS \
    (ompt_task_initial | ompt_task_implicit | ompt_task_explicit | ompt_task_target | \
     ompt_task_taskwait)

/* Whether task t now creates part of a taskloop. Tasks that create tasks may distribute its
 * iterations. */
static int in_taskloop(const struct check_task *t)
{
    for (unsigned i = t == NULL ? 0 : t->scopes; i-- > 0;)
        if (t->scope[i].event == ompt_callback_work)
            return t->scope[i].kind == ompt_work_taskloop;
    return t != NULL && t->taskloop;
}

static void on_task_create(ompt_data_t *task, const ompt_frame_t *frame, ompt_data_t *new_data,
                           int flags, int dependences, const void *code)
{
    struct check_thread *t = enter(ompt_callback_task_create, "task_create");
    unsigned kind = (unsigned)flags & TASK_KINDS;
    struct check_task *k;
    (void)code;
    REQUIRE(kind != 0 && (kind & (kind - 1)) == 0 && kind != ompt_task_implicit, rule_task_flags,
            "flags %#x", (unsigned)flags);
    REQUIRE(t->current != NULL && task_of(task) == t->current, rule_task_current,
            "the encountering task is not the current one");
    check_enter_frame(frame);
    k = new_task(new_data, t->current == NULL ? NULL : t->current->region, t->current,
                 (unsigned)flags);
    k->dependences = dependences != 0;
    k->taskloop = in_taskloop(t->current);
    if (kind == ompt_task_taskwait && t->current != NULL)
        t->current->awaits_some = 1;
    if (k->region != NULL)
        k->region->open++;
    if (k->parent != NULL)
        k->parent->children++;
    check_info_switching(t, k);
    leave();
}

static void complete(const struct check_thread *t, struct check_task *k)
{
    REQUIRE(!k->done, rule_task_order, "the task completes a second time");
    REQUIRE(!is_implicit(k), rule_task_order, "an implicit task completes by task_schedule");
    if (k->done || is_implicit(k))
        return;
    check_closed(t, k);
    k->done = 1;
    if (k->region != NULL)
        k->region->open--;
    if (k->parent != NULL)
        k->parent->children--;
}

/* Checks the task that has run so far. Returns whether the thread leaves it. */
static int check_prior(struct check_thread *t, struct check_task *p, ompt_task_status_t status)
{
    int runs = p == t->current, leaves = 1;
    switch (status) {
    case ompt_task_early_fulfill: leaves = 0; break;
    case ompt_task_late_fulfill:
        leaves = 0;
        REQUIRE(p->detached, rule_task_order, "a task that was not detached is fulfilled late");
        complete(t, p);
        break;
    case ompt_taskwait_complete:
        leaves = 0;
        REQUIRE((p->flags & ompt_task_taskwait) != 0, rule_task_order,
                "taskwait_complete for another task than a taskwait's");
        complete(t, p);
        break;
    case ompt_task_cancel:
        REQUIRE(runs || !p->started, rule_task_current, "a cancelled task runs elsewhere");
        leaves = runs;
        complete(t, p);
        break;
    default:
        REQUIRE(runs, rule_task_current, "the prior task is not the current one");
        if (status == ompt_task_complete)
            complete(t, p);
        else if (status == ompt_task_detach)
            p->detached = 1;
    }
    if (leaves)
        p->on = NULL;
    return leaves;
}

static void check_next(struct check_thread *t, const struct check_task *p, struct check_task *n)
{
    REQUIRE(!n->done && !n->detached, rule_task_order, "a task is scheduled after its end");
    REQUIRE(n->on == NULL || n->on == t, rule_task_thread, "the task runs on thread %u",
            n->on == NULL ? 0 : n->on->number);
    REQUIRE(!n->started || n->home == t || (n->flags & (unsigned)ompt_task_untied) != 0,
            rule_task_thread, "a tied task began on thread %u",
            n->home == NULL ? 0 : n->home->number);
    REQUIRE(n->region == p->region || ((n->flags | p->flags) & ompt_task_target) != 0,
            rule_task_team, "the next task is of another team");
    REQUIRE(n->dependences != 1, rule_dependences,
            "a task with dependences runs, and they were not reported");
    if (!n->started) {
        n->home = t;
        n->below = p->done ? p->below : t->current;
    }
    n->started = 1;
    n->on = t;
    t->current = n;
}

static void on_task_schedule(ompt_data_t *prior, ompt_task_status_t status, ompt_data_t *next)
{
    struct check_thread *t = enter(ompt_callback_task_schedule, "task_schedule");
    struct check_task *p = task_of(prior), *n = task_of(next), *was = t->current;
    int alone = status == ompt_task_early_fulfill || status == ompt_task_late_fulfill ||
                status == ompt_taskwait_complete;
    REQUIRE(status >= ompt_task_complete && status <= ompt_taskwait_complete, rule_kind,
            "status %d", (int)status);
    REQUIRE(p != NULL, rule_task_data, "the prior task is %s", prior == NULL ? "NULL" : "unknown");
    REQUIRE(next == NULL || n != NULL, rule_task_data, "the next task is unknown");
    REQUIRE((next == NULL) == alone, rule_task_next, "status %d with %s next task", (int)status,
            next == NULL ? "no" : "a");
    if (p != NULL) {
        int leaves = check_prior(t, p, status);
        if (n != NULL && leaves)
            check_next(t, p, n);
    }
    check_info_switching(t, was);
    leave();
}

struct check_dependence {
    ompt_data_t variable;
    int type;
};

#define DEPENDENCE_SOURCE 5
#define DEPENDENCE_SINK 6

/* Iterations of a doacross loop report their dependences for the implicit task, as often as they
 * like. */
static void on_dependences(ompt_data_t *task, const struct check_dependence *list, int n)
{
    struct check_thread *t = enter(ompt_callback_dependences, "dependences");
    struct check_task *k = task_of(task);
    int loop = n > 0 && list != NULL &&
               (list[0].type == DEPENDENCE_SOURCE || list[0].type == DEPENDENCE_SINK);
    REQUIRE(k != NULL, rule_task_data, "the task is unknown");
    /* n is 0 for an iterator without a value. */
    REQUIRE(n >= 0 && list != NULL, rule_dependences, "%d dependences", n);
    if (k != NULL && !loop) {
        REQUIRE(k->dependences == 1 && !k->started, rule_dependences, "%s",
                k->started            ? "the task has started"
                : k->dependences == 2 ? "they were reported before"
                                      : "task_create said that there are none");
        k->dependences = 2;
    }
    for (int i = 0; list != NULL && i < n; i++)
        REQUIRE(list[i].type > 0 && list[i].type <= 8, rule_kind, "dependence of type %d",
                list[i].type);
    check_state(t, NULL);
    leave();
}

static void on_task_dependence(ompt_data_t *source, ompt_data_t *sink)
{
    const struct check_task *a, *b;
    (void)enter(ompt_callback_task_dependence, "task_dependence");
    a = task_of(source), b = task_of(sink);
    REQUIRE(a != NULL && b != NULL, rule_task_data, "a task is unknown");
    if (a != NULL && b != NULL)
        REQUIRE(a->parent == b->parent && !b->started, rule_dependences,
                "the tasks are no siblings, or the later one runs already");
    leave();
}
