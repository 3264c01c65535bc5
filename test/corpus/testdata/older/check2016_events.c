/* check2016_events.c: the callbacks of check2016.c. */

/* ---- threads */

static void on_thread_begin(ompt_thread_type_t type, ompt_data_t *data)
{
    if (!enter("thread_begin", 1, 0))
        return;
    own.begun = 1;
    own.number = (unsigned)atomic_fetch_add(&check.threads, 1) + 1;
    atomic_fetch_add(&check.open, 1);
    REQUIRE(type >= ompt_thread_initial && type <= ompt_thread_other, rule_kind, "type %d", (int)type);
    REQUIRE(data->value == 0, rule_fresh, "word %#llx", (unsigned long long)data->value);
    REQUIRE(data == ask.thread_data(), rule_thread_data, "inquiry gives another");
    self.data = data;
    data->value = BASE - own.number;
    leave();
}

static void on_thread_end(ompt_data_t *data)
{
    if (!enter("thread_end", 0, 0))
        return;
    REQUIRE(data == self.data, rule_thread_data, "another thread's");
    for (int i = 0; i < 32; i++)
        REQUIRE(own.held[i].depth == 0 || own.held[i].kind < ompt_mutex_critical, rule_mutex_owner, "kind %#x is not released", (unsigned)own.held[i].kind);
    own.ended = 1;
    atomic_fetch_add(&check.open, -1);
    leave();
}

static void on_idle(ompt_scope_endpoint_t at)
{
    ompt_data_t *parallel = NULL;
    if (!enter("idle", 0, 0))
        return;
    REQUIRE(own.idle == (at == ompt_scope_end), rule_idle, "endpoint %d", (int)at);
    own.idle = at == ompt_scope_begin;
    check_state(omp_state_idle, omp_state_idle);
    REQUIRE(!ask.region(0, &parallel, NULL) && !ask.task(0, NULL, NULL, NULL, NULL), rule_idle, "in a region or a task");
    leave();
}

/* ---- regions and tasks */

/* The initial task has no exit frame; where it is that of a league's team, which the report does not know, it has one. */
static void check_frames(const ompt_frame_t *frame)
{
    ompt_task_type_t type = 0;
    REQUIRE(frame != NULL && frame == own_frame() && frame->enter_frame != NULL, rule_frame, "no enter frame, or not the task's");
    (void)ask.task(0, &type, NULL, NULL, NULL);
    if (frame != NULL && type != ompt_task_initial)
        REQUIRE(frame->exit_frame != NULL, rule_frame, "no exit frame in a task of type %d", (int)type);
    if (frame != NULL && type == ompt_task_initial && !ask.task(1, NULL, NULL, NULL, NULL))
        REQUIRE(frame->exit_frame == NULL, rule_frame, "an exit frame in the initial task");
}

static void on_parallel_begin(ompt_data_t *parent, const ompt_frame_t *frame, ompt_data_t *parallel, uint32_t requested, ompt_invoker_t invoker,
                              const void *code)
{
    if (!enter("parallel_begin", 0, 0))
        return;
    (void)own_context(parent);
    check_frames(frame);
    check_code(code);
    check_state(omp_state_work_serial, omp_state_overhead);
    REQUIRE(parallel->value == 0, rule_fresh, "word %#llx", (unsigned long long)parallel->value);
    REQUIRE(requested >= 1 && invoker >= ompt_invoker_program && invoker <= ompt_invoker_runtime, rule_kind, "%u threads, invoker %d", requested,
            (int)invoker);
    struct record *r = add(a_region, 0, parallel);
    r->size = (int)requested;
    r->parent = parent;
    leave();
}

static void on_parallel_end(ompt_data_t *parallel, ompt_data_t *task, ompt_invoker_t invoker, const void *code)
{
    if (!enter("parallel_end", 0, 0))
        return;
    struct record *r = find(parallel, a_region);
    (void)own_context(task);
    check_code(code);
    REQUIRE(invoker >= ompt_invoker_program && invoker <= ompt_invoker_runtime, rule_kind, "invoker %d", (int)invoker);
    REQUIRE(r->owner == own.number && r->parent == task && !r->ended, rule_region_pair, "begun by thread %u", r->owner);
    REQUIRE(atomic_load(&r->running) == 0, rule_late, "%d implicit tasks are still to end", atomic_load(&r->running));
    r->ended = 1;
    leave();
}

/* Its begin brings the thread into the task, its end out of it. */
static void on_implicit_task(ompt_scope_endpoint_t at, ompt_data_t *parallel, ompt_data_t *task)
{
    if (!enter(at == ompt_scope_begin ? "implicit_task begin" : "implicit_task end", 0, 0))
        return;
    check_state(omp_state_work_parallel, omp_state_overhead);
    struct record *region = find(parallel, a_region), *r;
    if (at == ompt_scope_begin) {
        REQUIRE(task->value == 0, rule_fresh, "word %#llx", (unsigned long long)task->value);
        r = add(a_task, ompt_task_implicit, task);
        atomic_fetch_add(&check.open, self.depth == 0 ? -1 : 0);
        if (self.depth < 32)
            self.below[self.depth] = self.current;
        self.depth++;
        self.current = task;
        atomic_fetch_add(&region->running, 1);
        (void)context(task, parallel, 0);
    } else {
        r = context(task, parallel, 1);
        REQUIRE(at == ompt_scope_end && r->type == ompt_task_implicit, rule_task_kind, "endpoint %d, type %d", (int)at, r->type);
        REQUIRE(r->scopes.depth == 0, rule_scope_open, "%u", r->scopes.depth);
        REQUIRE(r->met || region->size == 1 || team_of_one(), rule_last_barrier, "no barrier");
        r->ended = 1;
        self.depth -= self.depth > 0;
        self.current = self.depth < 32 ? self.below[self.depth] : NULL;
        atomic_fetch_add(&check.open, self.depth == 0 ? 1 : 0);
        atomic_fetch_add(&region->running, -1);
    }
    leave();
}

static void on_task_create(ompt_data_t *parent, const ompt_frame_t *frame, ompt_data_t *task, ompt_task_type_t type, const void *code)
{
    if (!enter("task_create", 0, 0))
        return;
    (void)own_context(parent);
    check_code(code);
    REQUIRE(frame != NULL && frame == own_frame() && frame->enter_frame != NULL, rule_frame, "no enter frame, or not the task's");
    REQUIRE(task->value == 0, rule_fresh, "word %#llx", (unsigned long long)task->value);
    REQUIRE(type == ompt_task_explicit || type == ompt_task_target, rule_task_kind, "type %d", (int)type);
    add(a_task, (int)type, task)->parent = parent;
    leave();
}

/* A task that begins has an exit frame and no enter frame. One that goes on has both, where a barrier or a taskwait tells that it is in the runtime. (A target
 * construct that waits for what it depends on has no enter frame meanwhile; the program works within a taskgroup, too.) An implicit one in its last barrier, which may be reported late, has left the
 * program. */
static void check_scheduled(const struct record *r, const ompt_frame_t *frame)
{
    if (frame == NULL || r->type == ompt_task_initial)
        return;
    const int last = r->type == ompt_task_implicit &&
                     (r->scopes.depth == 0 || scope_is(&r->scopes, ompt_event_sync_region, ompt_sync_region_barrier));
    REQUIRE(frame->exit_frame != NULL || last, rule_frame, "no exit frame in a task of type %d", r->type);
    if (!r->started && r->type >= ompt_task_explicit)
        REQUIRE(frame->enter_frame == NULL, rule_frame, "an enter frame in a task that begins");
    else if (scope_is(&r->scopes, ompt_event_sync_region, ompt_sync_region_barrier) || scope_is(&r->scopes, ompt_event_sync_region, ompt_sync_region_taskwait))
        REQUIRE(frame->enter_frame != NULL || last, rule_frame, "no enter frame in a task of type %d that goes on", r->type);
}

/* In the context of the next task. What is completed elsewhere, or discarded, is not what the thread runs, and that goes on. */
static void on_task_schedule(ompt_data_t *prior, bool completed, ompt_data_t *next)
{
    if (!enter(completed ? "task_schedule completed" : "task_schedule", 0, 0))
        return;
    if (self.current == NULL) /* there is no event at an initial task's begin */
        self.current = prior;
    if (prior->value == 0)
        (void)add(a_task, ompt_task_initial, prior);
    struct record *a = find(prior, a_task);
    const int stays = completed && self.current == next;
    REQUIRE(prior != next && (self.current == prior || stays || a->type == ompt_task_initial), rule_current, "prior is not the thread's");
    self.current = next;
    struct record *b = own_context(next);
    REQUIRE(!a->ended, rule_task_order, "prior has been completed before");
    REQUIRE(!completed || a->type >= ompt_task_explicit, rule_task_kind, "a task of type %d is completed", a->type);
    REQUIRE(!completed || a->scopes.depth == 0, rule_scope_open, "%u", a->scopes.depth);
    if (!stays) {
        check_scheduled(b, own_frame());
        REQUIRE(b->type < ompt_task_explicit || atomic_exchange(&b->running, 1) == 0, rule_task_order, "next runs already");
        atomic_store(&a->running, 0);
        b->started = 1;
    }
    a->ended = completed;
    leave();
}

static void on_dependences(ompt_data_t *task, const ompt_task_dependence_t *list, int n)
{
    if (!enter("task_dependences", 0, 0))
        return;
    const struct record *r = find(task, a_task);
    REQUIRE(n > 0 && !r->started && !r->ended, rule_dependence, "%d of a task that has started", n);
    for (int i = 0; i < n; i++)
        REQUIRE(list[i].dependence_flags >= 1 && list[i].dependence_flags <= 3, rule_kind, "flags %u", list[i].dependence_flags);
    leave();
}

static void on_pair(ompt_data_t *source, ompt_data_t *sink)
{
    if (!enter("task_dependence_pair", 0, 0))
        return;
    REQUIRE(source != sink && !find(source, a_task)->ended && !find(sink, a_task)->started, rule_dependence, "ended, or started");
    leave();
}

/* ---- what begins and ends in a task */

static void scoped(int event, int kind, ompt_scope_endpoint_t at, struct record *r, const void *code)
{
    r->met = event == ompt_event_sync_region && kind == ompt_sync_region_barrier && at == ompt_scope_end;
    REQUIRE(at == ompt_scope_begin || at == ompt_scope_end, rule_kind, "endpoint %d", (int)at);
    if (at == ompt_scope_begin) {
        check_code(code);
        scope_begin(&r->scopes, event, kind);
    } else {
        scope_end(&r->scopes, event, kind);
    }
}

static void on_worksharing(ompt_worksharing_type_t type, ompt_scope_endpoint_t at, ompt_data_t *parallel, ompt_data_t *task, const void *code)
{
    if (!enter("worksharing", 0, 0))
        return;
    REQUIRE(type >= ompt_worksharing_loop && type <= ompt_worksharing_distribute, rule_kind, "type %d", (int)type);
    scoped(ompt_event_worksharing, (int)type, at, context(task, parallel, 0), code);
    leave();
}

static void on_master(ompt_scope_endpoint_t at, ompt_data_t *parallel, ompt_data_t *task, const void *code)
{
    if (!enter("master", 0, 0))
        return;
    scoped(ompt_event_master, 1, at, context(task, parallel, 0), code);
    leave();
}

/* A team's last barrier that is reported late has no code pointer: nothing else is reported of that task but its end. */
static void on_sync_region(ompt_sync_region_kind_t kind, ompt_scope_endpoint_t at, ompt_data_t *parallel, ompt_data_t *task, const void *code)
{
    if (!enter("sync_region", 0, 0))
        return;
    REQUIRE(kind >= ompt_sync_region_barrier && kind <= ompt_sync_region_taskgroup, rule_kind, "kind %d", (int)kind);
    struct record *r = context(task, parallel, kind == ompt_sync_region_barrier);
    const int late = at == ompt_scope_begin && code == NULL && kind == ompt_sync_region_barrier && r->type == ompt_task_implicit && !r->last;
    r->last |= late;
    scoped(ompt_event_sync_region, (int)kind, at, r, late ? &none : code);
    leave();
}

static void on_wait(ompt_sync_region_kind_t kind, ompt_scope_endpoint_t at, ompt_data_t *parallel, ompt_data_t *task, const void *code)
{
    static const int states[][2] = {{0, 0}, {omp_state_wait_barrier, omp_state_wait_barrier_explicit},
                                    {omp_state_wait_taskwait, omp_state_wait_taskwait}, {omp_state_wait_taskgroup, omp_state_wait_taskgroup}};
    if (!enter("sync_region_wait", 0, 1))
        return;
    (void)code;
    REQUIRE(self.waits == (at == ompt_scope_begin ? 0 : (int)kind), rule_waiting, "endpoint %d of kind %d while %d", (int)at, (int)kind, self.waits);
    self.waits = at == ompt_scope_begin ? (int)kind : 0;
    const struct record *r = context(task, parallel, kind == ompt_sync_region_barrier);
    REQUIRE(scope_is(&r->scopes, ompt_event_sync_region, (int)kind), rule_wait_scope, "kind %d", (int)kind);
    check_state(states[kind & 3][0], states[kind & 3][1]);
    leave();
}

/* ---- mutexes */

static void on_acquire(ompt_mutex_kind_t kind, uint32_t hint, uint32_t impl, ompt_wait_id_t id, const void *code)
{
    ompt_wait_id_t waited = 0;
    (void)hint, (void)impl;
    if (!enter("mutex_acquire", 0, 0))
        return;
    check_code(code);
    mutex_wait((int)kind, id);
    int s = (int)ask.state(&waited);
    int want = kind == ompt_mutex_critical  ? omp_state_wait_critical
               : kind == ompt_mutex_ordered ? omp_state_wait_ordered
               : kind == ompt_mutex_atomic  ? omp_state_wait_atomic
                                            : omp_state_wait_lock;
    REQUIRE(s == want, rule_state, "state %#x of kind %#x", (unsigned)s, (unsigned)kind);
    REQUIRE(waited == id, rule_wait_id, "%#llx, and %#llx is reported", (unsigned long long)waited, (unsigned long long)id);
    leave();
}

static int is_lock(int kind) { return kind == ompt_mutex_lock || kind == ompt_mutex_nest_lock; }

static void on_acquired(ompt_mutex_kind_t kind, ompt_wait_id_t id, const void *code)
{
    if (!enter("mutex_acquired", 0, 0))
        return;
    check_code(code);
    check_state(omp_state_work_serial, omp_state_overhead);
    mutex_acquired((int)kind, id, is_lock((int)kind));
    REQUIRE(!is_lock((int)kind) || lock_is(id, -1) == (int)kind, rule_lock_known, "it is %d", lock_is(id, -1));
    leave();
}

static void on_release(ompt_mutex_kind_t kind, ompt_wait_id_t id, const void *code)
{
    if (!enter("mutex_release", 0, 0))
        return;
    check_code(code);
    check_state(omp_state_work_serial, omp_state_overhead);
    mutex_released((int)kind, id);
    leave();
}

static void on_nested(ompt_scope_endpoint_t at, ompt_wait_id_t id, const void *code)
{
    if (!enter("nested_lock", 0, 0))
        return;
    check_code(code);
    check_state(omp_state_work_serial, omp_state_overhead);
    mutex_nests(ompt_mutex_nest_lock, id, at == ompt_scope_begin);
    leave();
}

static void on_init_lock(bool nests, ompt_wait_id_t id, uint32_t hint, uint32_t kind, const void *code)
{
    (void)hint, (void)kind;
    if (!enter("init_lock", 0, 0))
        return;
    check_code(code);
    (void)lock_is(id, nests ? ompt_mutex_nest_lock : ompt_mutex_lock);
    leave();
}

static void on_destroy_lock(bool nests, ompt_wait_id_t id, const void *code)
{
    if (!enter("destroy_lock", 0, 0))
        return;
    check_code(code);
    REQUIRE(lock_is(id, 0) == (nests ? ompt_mutex_nest_lock : ompt_mutex_lock), rule_lock_known, "it is another, or none");
    leave();
}
