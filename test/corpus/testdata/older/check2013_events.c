/* check2013_events.c: the callbacks of check2013.c, and how the tool starts and ends. */

static void on_thread_begin(ompt_thread_type_t type, uint64_t id)
{
    if (!enter("thread_begin", 1))
        return;
    own.begun = 1;
    own.number = (unsigned)atomic_fetch_add(&check.threads, 1) + 1;
    atomic_fetch_add(&check.open, 1);
    self.id = id;
    (void)add(id, a_thread, 0);
    REQUIRE(type >= ompt_thread_initial && type <= ompt_thread_other, rule_kind, "type %d", (int)type);
    REQUIRE(ask.thread() == id && ask.thread_data()->value == 0, rule_thread_data, "another number, or a word that is not zero");
    ask.thread_data()->value = id * 7;
    leave();
}

static void on_thread_end(ompt_thread_type_t type, uint64_t id)
{
    if (!enter("thread_end", 0))
        return;
    (void)type;
    REQUIRE(id == self.id, rule_thread_data, "another thread's");
    own.ended = 1;
    atomic_fetch_add(&check.open, -1);
    leave();
}

static void idle(const char *event, uint64_t thread, int begins)
{
    if (!enter(event, 0))
        return;
    REQUIRE(own.idle != begins && thread == self.id, rule_idle, "no pair, or another thread");
    REQUIRE(ask.region(0) == 0 && ask.task(0) == 0, rule_idle, "in region %#llx, task %#llx", (unsigned long long)ask.region(0), (unsigned long long)ask.task(0));
    check_state(ompt_state_idle, ompt_state_idle);
    own.idle = begins;
    leave();
}

static void on_idle_begin(uint64_t thread) { idle("idle_begin", thread, 1); }
static void on_idle_end(uint64_t thread) { idle("idle_end", thread, 0); }

/* ---- regions and tasks */

static void on_parallel_begin(uint64_t parent, ompt_frame_t *frame, uint64_t region, uint32_t requested, void *function)
{
    if (!enter("parallel_begin", 0))
        return;
    (void)function;
    REQUIRE(ask.task(0) == parent, rule_current, "parent %#llx", (unsigned long long)parent);
    REQUIRE(frame != NULL && frame == ask.frame(0) && frame->reenter_runtime_frame != NULL, rule_frame, "no reenter frame, or not the task's");
    REQUIRE(requested >= 1, rule_kind, "%u threads", requested);
    check_works();
    (void)add(region, a_region, parent);
    leave();
}

static void on_parallel_end(uint64_t region, uint64_t task)
{
    if (!enter("parallel_end", 0))
        return;
    struct record *r = find(region, a_region);
    REQUIRE(r->owner == own.number && r->parent == task && !r->ended && ask.task(0) == task && ask.region(0) != region, rule_region_pair,
            "begun by thread %u in task %#llx", r->owner, (unsigned long long)r->parent);
    REQUIRE(atomic_load(&r->running) == 0, rule_late, "%d implicit tasks are still to end", atomic_load(&r->running));
    r->ended = 1;
    self.current = task;
    leave();
}

static void begin_task(uint64_t task)
{
    ompt_data_t *data = ask.task_data(0);
    REQUIRE(data != NULL && data->value == 0, rule_task_data, "a word that is not zero");
    if (data != NULL)
        data->value = task * 3;
}

static void on_implicit_begin(uint64_t region, uint64_t task)
{
    if (!enter("implicit_task_begin", 0))
        return;
    struct record *r = find(region, a_region);
    add(task, a_task, r->parent)->implicit = 1;
    atomic_fetch_add(&r->running, 1);
    atomic_fetch_add(&check.open, self.depth == 0 ? -1 : 0);
    self.depth++;
    self.current = task;
    (void)context(region, task);
    begin_task(task);
    check_works();
    REQUIRE(ask.size(0) >= 1, rule_kind, "a team of %d", ask.size(0));
    REQUIRE(ask.function(0) == ask.task_function(0), rule_function, "%p and %p", ask.function(0), ask.task_function(0));
    leave();
}

/* Before the last barrier, which is still reported in this task. */
static void on_implicit_end(uint64_t region, uint64_t task)
{
    if (!enter("implicit_task_end", 0))
        return;
    struct record *k = context(region, task);
    REQUIRE(k->implicit && !k->ended, rule_task_order, "ended before, or no implicit task");
    REQUIRE(ask.task_data(0) != NULL && ask.task_data(0)->value == task * 3, rule_task_data, "another word");
    REQUIRE(k->scopes.depth == 0, rule_scope_open, "%u", k->scopes.depth);
    check_works();
    k->ended = 1;
    self.depth -= self.depth > 0;
    atomic_fetch_add(&check.open, self.depth == 0 ? 1 : 0);
    atomic_fetch_add(&find(region, a_region)->running, -1);
    leave();
}

static void on_initial_begin(uint64_t region, uint64_t task)
{
    if (!enter("initial_task_begin", 0))
        return;
    (void)add(task, a_task, 0);
    REQUIRE(region == 0 && ask.region(0) == 0 && ask.task(0) == task, rule_current, "region %#llx", (unsigned long long)region);
    begin_task(task);
    leave();
}

static void on_initial_end(uint64_t region, uint64_t task)
{
    if (!enter("initial_task_end", 0))
        return;
    struct record *k = find(task, a_task);
    REQUIRE(region == 0 && ask.task(0) == task, rule_current, "region %#llx", (unsigned long long)region);
    REQUIRE(!k->ended, rule_task_order, "ended before");
    k->ended = 1;
    leave();
}

/* Reported at the creation, in the creating task. */
static void on_task_begin(uint64_t parent, ompt_frame_t *frame, uint64_t task, void *function)
{
    if (!enter("task_begin", 0))
        return;
    (void)function;
    (void)add(task, a_task, parent);
    REQUIRE(ask.task(0) == parent, rule_current, "parent %#llx", (unsigned long long)parent);
    REQUIRE(frame != NULL && frame == ask.frame(0) && frame->reenter_runtime_frame != NULL, rule_frame, "no reenter frame, or not the task's");
    leave();
}

static void on_task_end(uint64_t task)
{
    if (!enter("task_end", 0))
        return;
    struct record *k = find(task, a_task);
    REQUIRE(!k->ended && !k->implicit, rule_task_order, "ended before, or implicit");
    REQUIRE(k->scopes.depth == 0, rule_scope_open, "%u", k->scopes.depth);
    k->ended = 1;
    leave();
}

static void on_task_switch(uint64_t prior, uint64_t next)
{
    if (!enter("task_switch", 0))
        return;
    const struct record *a = find(prior, a_task), *b = find(next, a_task);
    REQUIRE(prior != next, rule_current, "to the same");
    REQUIRE(self.depth == 0 || self.current == prior || (self.current == next && a->ended), rule_current, "%#llx is not what the thread runs", (unsigned long long)prior);
    REQUIRE(!b->ended || b->implicit, rule_task_order, "to one that has ended"); /* an implicit one ends before its barrier */
    self.current = next;
    leave();
}

/* ---- what begins and ends in a task; the number of a begin is odd, that of its end follows */

static void pair(const char *event, int number, uint64_t region, uint64_t task)
{
    if (!enter(event, 0))
        return;
    struct record *k = context(region, task);
    if (number == ompt_event_wait_barrier_begin || number == ompt_event_wait_taskwait_begin || number == ompt_event_wait_taskgroup_begin)
        REQUIRE(scope_is(&k->scopes, number - ompt_event_wait_barrier_begin + ompt_event_barrier_begin, 1), rule_wait_scope, "%s", event);
    if (number >= ompt_event_wait_barrier_begin && number <= ompt_event_wait_taskgroup_end) {
        const int family = (number - ompt_event_wait_barrier_begin) / 2;
        check_state(family == 0 ? ompt_state_wait_barrier : family == 1 ? ompt_state_wait_taskwait : ompt_state_wait_taskgroup,
                    family == 0 ? ompt_state_wait_barrier_explicit : family == 1 ? ompt_state_wait_taskwait : ompt_state_wait_taskgroup);
    }
    if (number % 2 == 1)
        scope_begin(&k->scopes, number, 1);
    else
        scope_end(&k->scopes, number - 1, 1);
    leave();
}

static void shares(const char *event, int number, uint64_t region, uint64_t task, void *function)
{
    if (is_over())
        return;
    own.event = event;
    REQUIRE(region == 0 || function == ask.function(0), rule_function, "%p and %p", function, ask.function(0));
    pair(event, number, region, task);
}

#define PAIR(name)                                                                                                             \
    static void on_##name##_begin(uint64_t r, uint64_t k) { pair(#name "_begin", ompt_event_##name##_begin, r, k); }          \
    static void on_##name##_end(uint64_t r, uint64_t k) { pair(#name "_end", ompt_event_##name##_end, r, k); }
#define SHARES(name)                                                                                                           \
    static void on_##name##_begin(uint64_t r, uint64_t k, void *f) { shares(#name "_begin", ompt_event_##name##_begin, r, k, f); } \
    static void on_##name##_end(uint64_t r, uint64_t k) { pair(#name "_end", ompt_event_##name##_end, r, k); }

PAIR(wait_barrier)
PAIR(wait_taskwait)
PAIR(wait_taskgroup)
SHARES(loop)
SHARES(sections)
SHARES(single_in_block)
PAIR(single_others)
SHARES(workshare)
PAIR(master)
PAIR(barrier)
PAIR(taskwait)
PAIR(taskgroup)

/* ---- mutexes; the kind is the number of the event of waiting, a nestable lock's state is that of a lock */

static void on_wait(int kind, int state, uint64_t id)
{
    uint64_t waited = 0;
    if (!enter("wait for a mutex", 0))
        return;
    mutex_wait(kind, id);
    int s = (int)ask.state(&waited);
    REQUIRE(s == state, rule_state, "state %#x of %d", (unsigned)s, kind);
    REQUIRE(waited == id, rule_wait_id, "%#llx, and %#llx is reported", (unsigned long long)waited, (unsigned long long)id);
    leave();
}

static int is_lock(int kind) { return kind == ompt_event_wait_lock || kind == ompt_event_wait_nest_lock; }

static void on_acquired(int kind, uint64_t id)
{
    if (!enter("acquired", 0))
        return;
    check_works();
    mutex_acquired(kind, id, is_lock(kind));
    REQUIRE(!is_lock(kind) || lock_is(id, -1) == kind, rule_lock_known, "it is %d", lock_is(id, -1));
    leave();
}

static void on_release(int kind, uint64_t id)
{
    if (!enter("release", 0))
        return;
    check_works();
    mutex_released(kind, id);
    leave();
}

static void on_nests(int begins, uint64_t id)
{
    if (!enter("nested", 0))
        return;
    check_works();
    mutex_nests(ompt_event_wait_nest_lock, id, begins);
    leave();
}

static void on_lock(int kind, int begins, uint64_t id)
{
    if (!enter("lock", 0))
        return;
    int was = lock_is(id, begins ? kind : 0);
    REQUIRE(begins || was == kind, rule_lock_known, "it is %d", was);
    leave();
}

#define MUTEX(event, call) static void on_##event(uint64_t id) { call; }
MUTEX(wait_lock, on_wait(ompt_event_wait_lock, ompt_state_wait_lock, id))
MUTEX(wait_nest_lock, on_wait(ompt_event_wait_nest_lock, ompt_state_wait_lock, id))
MUTEX(wait_critical, on_wait(ompt_event_wait_critical, ompt_state_wait_critical, id))
MUTEX(wait_ordered, on_wait(ompt_event_wait_ordered, ompt_state_wait_ordered, id))
MUTEX(acquired_lock, on_acquired(ompt_event_wait_lock, id))
MUTEX(acquired_nest_lock_first, on_acquired(ompt_event_wait_nest_lock, id))
MUTEX(acquired_nest_lock_next, on_nests(1, id))
MUTEX(acquired_critical, on_acquired(ompt_event_wait_critical, id))
MUTEX(acquired_ordered, on_acquired(ompt_event_wait_ordered, id))
MUTEX(release_lock, on_release(ompt_event_wait_lock, id))
MUTEX(release_nest_lock_last, on_release(ompt_event_wait_nest_lock, id))
MUTEX(release_nest_lock_prev, on_nests(0, id))
MUTEX(release_critical, on_release(ompt_event_wait_critical, id))
MUTEX(release_ordered, on_release(ompt_event_wait_ordered, id))
MUTEX(init_lock, on_lock(ompt_event_wait_lock, 1, id))
MUTEX(init_nest_lock, on_lock(ompt_event_wait_nest_lock, 1, id))
MUTEX(destroy_lock, on_lock(ompt_event_wait_lock, 0, id))
MUTEX(destroy_nest_lock, on_lock(ompt_event_wait_nest_lock, 0, id))

/* ---- the tool */

static void on_flush(void)
{
    if (enter("flush", 0))
        leave();
}

static void on_runtime_shutdown(void)
{
    own.event = "runtime_shutdown";
    REQUIRE(is_over() || atomic_load(&check.open) == 0, rule_thread_open, "%d threads", atomic_load(&check.open));
    check_report();
}

static void ask_for(ompt_function_lookup_t lookup)
{
    ask.state = (ompt_get_state_t)lookup("ompt_get_state");
    ask.thread = (ompt_get_thread_id_t)lookup("ompt_get_thread_id");
    ask.thread_data = (ompt_get_thread_data_t)lookup("ompt_get_thread_data");
    ask.region = (ompt_get_parallel_id_t)lookup("ompt_get_parallel_id");
    ask.size = (ompt_get_parallel_team_size_t)lookup("ompt_get_parallel_team_size");
    ask.function = (ompt_get_parallel_function_t)lookup("ompt_get_parallel_function");
    ask.task = (ompt_get_task_id_t)lookup("ompt_get_task_id");
    ask.task_data = (ompt_get_task_data_t)lookup("ompt_get_task_data");
    ask.frame = (ompt_get_task_frame_t)lookup("ompt_get_task_frame");
    ask.task_function = (ompt_get_task_function_t)lookup("ompt_get_task_function");
}

extern int ompt_initialize(ompt_function_lookup_t lookup, const char *runtime, unsigned version);
int ompt_initialize(ompt_function_lookup_t lookup, const char *runtime, unsigned version)
{
#define X(name) {ompt_event_##name, (ompt_callback_t)on_##name},
#define BOTH(name) X(name##_begin) X(name##_end)
    static const struct {
        int event;
        ompt_callback_t callback;
    } all[] = {
        BOTH(thread) BOTH(idle) BOTH(parallel) {ompt_event_implicit_task_begin, (ompt_callback_t)on_implicit_begin},
        {ompt_event_implicit_task_end, (ompt_callback_t)on_implicit_end}, {ompt_event_initial_task_begin, (ompt_callback_t)on_initial_begin},
        {ompt_event_initial_task_end, (ompt_callback_t)on_initial_end}, BOTH(task) X(task_switch) BOTH(wait_barrier) BOTH(wait_taskwait)
        BOTH(wait_taskgroup) BOTH(loop) BOTH(sections) BOTH(single_in_block) BOTH(single_others) BOTH(workshare) BOTH(master) BOTH(barrier)
        BOTH(taskwait) BOTH(taskgroup) X(wait_lock) X(wait_nest_lock) X(wait_critical) X(wait_ordered) X(acquired_lock)
        X(acquired_nest_lock_first) X(acquired_nest_lock_next) X(acquired_critical) X(acquired_ordered) X(release_lock)
        X(release_nest_lock_last) X(release_nest_lock_prev) X(release_critical) X(release_ordered) X(init_lock) X(init_nest_lock)
        X(destroy_lock) X(destroy_nest_lock) X(flush) X(runtime_shutdown)
    };
    int s = ompt_state_undefined;
    const char *name;
    if (!check_open())
        return 0;
    ask_for(lookup);
    for (int ok = ((ompt_enumerate_state_t)lookup("ompt_enumerate_state"))(ompt_state_first, &s, &name); ok;
         ok = ((ompt_enumerate_state_t)lookup("ompt_enumerate_state"))(s, &s, &name))
        known[s & 0xff] = 1;
    memset(&self, 0, sizeof self);
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        (void)((ompt_set_callback_t)lookup("ompt_set_callback"))((ompt_event_t)all[i].event, all[i].callback);
    dprintf(check.fd, "started %u %s\n", version, runtime);
    return 1;
}
