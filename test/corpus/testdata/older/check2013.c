/* check2013.c: a tool of the first generation (ompt_2013.h) that checks whether the protocol is kept: numbers are unique, what begins ends where it
 * should, inquiry says what the events said, and states are those of the events. Sections are the paper's.
 *
 * A worker's implicit task that ends behind its region, as docs/reference/ompt-older.md says of what is reported late, is counted as "late" and no violation.
 */
#define _GNU_SOURCE 1
#include "ompt_2013.h"

#define CHECK_RULES(X)                                                                                                         \
    X(thread_first, "thread_begin is the first event of a thread, and thread_end the last one")                                \
    X(thread_open, "every thread that runs no task has ended at the shutdown")                                                 \
    X(thread_data, "thread data are zero at first, then what the tool has set; the thread's number stays")                     \
    X(nested, "no callback comes within another")                                                                              \
    X(waiting, "a thread has no event while it is idle, or waits for a mutex")                                               \
    X(idle, "idle comes in pairs, in the state idle, within no region and no task")                                            \
    X(unique, "a number is not 0, and not given before")                                                                       \
    X(known, "a number is that of a region or a task")                                                                         \
    X(current, "the task and the region of an event are those that inquiry gives, and that the thread runs")                   \
    X(task_data, "task data are zero at first, then what the tool has set")                                                    \
    X(region_pair, "a region ends on the thread and in the task that began it")                                                \
    X(late, "not a violation, but reported late")                                                                                  \
    X(function, "an implicit task's function is its region's")                                                                 \
    X(task_order, "a task begins, and ends once")                                                                              \
    X(scope_pair, "what ends is what the task has begun last")                                                                 \
    X(scope_open, "nothing is open in a task that ends")                                                                       \
    X(wait_scope, "a wait lies in a synchronisation of its kind")                                                              \
    X(frame, "a task that enters the runtime has a reenter frame")                                                             \
    X(kind, "kinds are those of the interface")                                                                                \
    X(state_known, "the state is one of those enumerated")                                                                     \
    X(state, "the state is that of the event")                                                                                 \
    X(wait_id, "wait ids are not 0, and given where a mutex is waited for")                                                    \
    X(mutex_order, "wait, acquired, release follow each other")                                                                \
    X(mutex_owner, "who releases a mutex has acquired it")                                                                     \
    X(lock_known, "a lock is initialized before it is used, and stays of its kind")

#include "older.h"

enum what { a_thread = 1, a_region, a_task };

struct record {
    uint64_t id;
    enum what what;
    unsigned owner;        /* thread that began it */
    int ended, implicit;
    uint64_t parent;       /* task that began or created it */
    atomic_int running;    /* implicit tasks */
    struct scopes scopes;
};

#define SLOTS (1u << 20)
static struct record records[SLOTS];
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static struct record none;

static struct {
    ompt_get_state_t state;
    ompt_get_thread_id_t thread;
    ompt_get_thread_data_t thread_data;
    ompt_get_parallel_id_t region;
    ompt_get_parallel_team_size_t size;
    ompt_get_parallel_function_t function;
    ompt_get_task_id_t task;
    ompt_get_task_data_t task_data;
    ompt_get_task_frame_t frame;
    ompt_get_task_function_t task_function;
} ask;

static char known[0x100];

static __thread struct {
    uint64_t id, current; /* current: in regions */
    unsigned depth;       /* implicit tasks that have not ended */
} self;

static struct record *slot(uint64_t id)
{
    unsigned n = (unsigned)(id * 0x9E3779B97F4A7C15ULL >> 44);
    while (records[n % SLOTS].id != 0 && records[n % SLOTS].id != id)
        n++;
    return &records[n % SLOTS];
}

static struct record *add(uint64_t id, enum what what, uint64_t parent)
{
    pthread_mutex_lock(&guard);
    struct record *r = slot(id);
    const int is_new = id != 0 && r->id == 0;
    if (is_new) {
        r->id = id;
        r->what = what;
        r->owner = own.number;
        r->parent = parent;
    }
    pthread_mutex_unlock(&guard);
    REQUIRE(is_new, rule_unique, "number %#llx", (unsigned long long)id);
    return is_new ? r : &none;
}

static struct record *find(uint64_t id, enum what what)
{
    pthread_mutex_lock(&guard);
    struct record *r = id == 0 ? &none : slot(id);
    pthread_mutex_unlock(&guard);
    REQUIRE(r->id == id && r->what == what, rule_known, "number %#llx", (unsigned long long)id);
    return r->what == what ? r : &none;
}

/* Begins a callback; 0: nothing is checked any more. */
static int enter(const char *event, int first)
{
    uint64_t id = 0;
    if (!counts(event))
        return 0;
    REQUIRE(!own.within, rule_nested, "within another callback");
    own.within = 1;
    REQUIRE(own.begun != first && !own.ended, rule_thread_first, "begun %d, ended %d", own.begun, own.ended);
    REQUIRE(first || (ask.thread() == self.id && ask.thread_data()->value == self.id * 7), rule_thread_data, "thread data are others");
    REQUIRE(strncmp(event, "idle", 4) == 0 || !own.idle, rule_waiting, "while the thread is idle");
    REQUIRE(own.pending == 0 || strncmp(event, "acquired", 8) == 0, rule_waiting, "while mutex %d is to be acquired", own.pending);
    int s = (int)ask.state(&id);
    REQUIRE(s >= 0 && s < 0x100 && known[s], rule_state_known, "state %#x", (unsigned)s);
    REQUIRE((s >= 0x60 && s < 0x70) || id == 0, rule_wait_id, "wait id %#llx in state %#x", (unsigned long long)id, (unsigned)s);
    return 1;
}

static void leave(void) { own.within = 0; }

static void check_state(int least, int most)
{
    int s = (int)ask.state(NULL);
    REQUIRE(s >= least && s <= most, rule_state, "state %#x, and not %#x to %#x", (unsigned)s, (unsigned)least, (unsigned)most);
}

static int works(int s) { return s == ompt_state_work_serial || s == ompt_state_work_parallel || s == ompt_state_work_reduction || s == ompt_state_overhead; }

static void check_works(void) { REQUIRE(works((int)ask.state(NULL)), rule_state, "state %#x", (unsigned)ask.state(NULL)); }

/* The context of an event. The thread is followed in tasks of regions only: no event tells when it leaves a team, whose barrier comes behind the end of the
 * implicit task. */
static struct record *context(uint64_t region, uint64_t task)
{
    REQUIRE(ask.task(0) == task && ask.region(0) == region, rule_current, "task %#llx, region %#llx; inquiry gives %#llx, %#llx",
            (unsigned long long)task, (unsigned long long)region, (unsigned long long)ask.task(0), (unsigned long long)ask.region(0));
    REQUIRE(region == 0 || task == self.current, rule_current, "task %#llx, and not %#llx", (unsigned long long)task, (unsigned long long)self.current);
    if (region != 0)
        REQUIRE(find(region, a_region)->ended == 0 || find(region, a_region)->owner != own.number, rule_region_pair, "the region has ended");
    return find(task, a_task);
}

#include "check2013_events.c"
