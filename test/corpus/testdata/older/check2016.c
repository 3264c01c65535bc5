/* check2016.c: a tool of the technical report of May 2016 that checks whether the protocol is kept: what begins ends where it should, words stay,
 * inquiry says what the events said, and states are those of the events. Sections are the report's.
 *
 * What is reported late, as docs/reference/ompt-older.md says (2016), is no violation: the last barrier and the end of a worker's implicit task behind the end of
 * its region. Only a worker's are, and only these; they are counted as "late".
 */
#define _GNU_SOURCE 1
#include "ompt_2016.h"

#define CHECK_RULES(X)                                                                                                         \
    X(thread_first, "thread_begin is the first event of a thread, and thread_end the last one")                                \
    X(thread_open, "every thread that runs no task has ended at the shutdown")                                                 \
    X(thread_data, "thread data is zero at first, then what the tool has set")                                                 \
    X(nested, "no callback comes within another")                                                                              \
    X(waiting, "a thread has no event while it waits (3.2.1), is idle, or acquires a mutex")                                 \
    X(idle, "idle comes in pairs, in the state idle, within no region and no task")                                            \
    X(fresh, "the word of what begins is zero")                                                                                \
    X(word, "the word of a region or a task is what the tool has set")                                                         \
    X(current, "the task of an event is the one that the thread runs")                                                         \
    X(info_task, "inquiry of level 0 gives the task and its type")                                                             \
    X(info_region, "inquiry of level 0 gives the region and its size")                                                         \
    X(region_pair, "a region ends on the thread and in the task that began it, when its implicit tasks have ended")            \
    X(late, "not a violation, but reported late")                                                                                  \
    X(task_order, "a task is created, scheduled, and completed once")                                                          \
    X(task_kind, "task_create makes explicit and target tasks; implicit_task and task_schedule complete their own kinds")      \
    X(last_barrier, "an implicit task of a team has met its barrier when it ends")                                             \
    X(scope_pair, "what ends is what the task has begun last")                                                                 \
    X(scope_open, "nothing is open in a task that ends")                                                                       \
    X(wait_scope, "sync_region_wait lies in a sync_region of its kind")                                                        \
    X(frame, "enter and exit frames are there where the task has entered the runtime, or left it")                             \
    X(code, "a code pointer is given")                                                                                         \
    X(kind, "kinds and endpoints are the report's")                                                                            \
    X(state_known, "the state is one of those enumerated")                                                                     \
    X(state, "the state is that of the event")                                                                                 \
    X(wait_id, "wait ids are not 0, and given where a mutex is waited for")                                                    \
    X(mutex_order, "mutex_acquire, mutex_acquired, mutex_release follow each other")                                           \
    X(mutex_owner, "who releases a mutex has acquired it")                                                                     \
    X(lock_known, "a lock is initialized before it is destroyed, and stays of its kind")                                       \
    X(dependence, "dependences are of tasks that have not started")                                                            \
    X(target, "target callbacks are nested, with the ids that inquiry gives")

#include "older.h"

enum what { a_region = 1, a_task };

struct record {
    int what, type;
    unsigned owner;              /* thread that began the region */
    ompt_data_t *data, *parent;  /* parent: the task that began or created it */
    atomic_int running;          /* implicit tasks of a region; whether a task runs */
    int size, started, ended, met; /* met: the last thing it did was a barrier */
    int last;                      /* it is in its last barrier, which was reported late */
    struct scopes scopes;
};

/* A word is a number above this base, so that one that is not ours is never followed. */
#define BASE 0x0A11000000000000ULL
static struct record records[EVENTS + 4096];
static atomic_uint recorded;

static struct {
    ompt_get_thread_data_t thread_data;
    ompt_get_state_t state;
    ompt_get_parallel_info_t region;
    ompt_get_task_info_t task;
    ompt_get_target_info_t target;
} ask;

static char known[0x100];

static __thread struct {
    ompt_data_t *data, *current;
    ompt_data_t *below[32]; /* current tasks of the regions around */
    unsigned depth;
    int waits; /* in sync_region_wait: kind */
    uint64_t targets[8];
    unsigned in_target;
} self;

static struct record none;

static struct record *add(int what, int type, ompt_data_t *data)
{
    unsigned n = atomic_fetch_add(&recorded, 1);
    if (n >= sizeof records / sizeof records[0])
        return &none;
    struct record *r = &records[n];
    r->what = what, r->type = type, r->data = data, r->owner = own.number;
    data->value = BASE + n;
    return r;
}

/* The record of a word; none where it is not one of ours. */
static struct record *find(const ompt_data_t *data, int what)
{
    uint64_t n = data == NULL ? ~0ULL : data->value - BASE;
    struct record *r = n < atomic_load(&recorded) && n < sizeof records / sizeof records[0] ? &records[n] : &none;
    REQUIRE(r->what == what && r->data == data, rule_word, "word %#llx is not that of a %s", data == NULL ? 0ULL : (unsigned long long)data->value,
            what == a_task ? "task" : "region");
    return r->what == what ? r : &none;
}

/* Begins a callback; 0: nothing is checked any more. */
static int enter(const char *event, int first, int waits)
{
    ompt_wait_id_t id = 0;
    if (!counts(event))
        return 0;
    REQUIRE(!own.within, rule_nested, "within another callback");
    own.within = 1;
    REQUIRE(own.begun != first && !own.ended, rule_thread_first, "begun %d, ended %d", own.begun, own.ended);
    REQUIRE(first || (ask.thread_data() == self.data && self.data->value == BASE - own.number), rule_thread_data, "thread data are others");
    REQUIRE(waits || self.waits == 0, rule_waiting, "while the thread waits, kind %d", self.waits);
    REQUIRE(strcmp(event, "idle") == 0 || !own.idle, rule_waiting, "while the thread is idle");
    REQUIRE(own.pending == 0 || strcmp(event, "mutex_acquired") == 0, rule_waiting, "while mutex %#x is to be acquired", (unsigned)own.pending);
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

static void check_code(const void *code) { REQUIRE(code != NULL, rule_code, "no code pointer"); }

/* What is reported of a worker behind the end of its region. */
static int is_late(const struct record *r) { return r->ended && r->owner != own.number; }

/* The context: task must be the one that the thread runs, and level 0 of inquiry; parallel its region. late: it may have ended. */
static struct record *context(ompt_data_t *task, ompt_data_t *parallel, int late)
{
    ompt_task_type_t type = 0;
    ompt_data_t *k = NULL, *p = NULL, *q = NULL;
    ompt_frame_t *frame = NULL;
    int size = -1;
    REQUIRE(ask.task(0, &type, &k, &frame, &p) && k == task && frame != NULL, rule_info_task, "level 0 is another task, type %d", (int)type);
    int inside = ask.region(0, &q, &size);
    REQUIRE(inside == (q != NULL) && p == q, rule_info_region, "the current task's region is not that of level 0");
    if (task == NULL)
        return &none;
    if (self.current == NULL)
        self.current = task; /* there is no event at an initial task's begin */
    if (type == ompt_task_initial && task->value == 0)
        (void)add(a_task, ompt_task_initial, task);
    struct record *r = find(task, a_task);
    /* That of a league's team begins and ends without an event, too. */
    REQUIRE(task == self.current || type == ompt_task_initial, rule_current, "another task than the thread's");
    REQUIRE(!r->ended && r->type == (int)type, rule_info_task, "type %d, was %d; ended %d", (int)type, r->type, r->ended);
    /* The report knows no region around the program, and no league: events there are given a word that stays zero. */
    REQUIRE(!r->last || late, rule_last_barrier, "the barrier before was the last one, since it has no code pointer");
    REQUIRE(q == NULL ? parallel == NULL || parallel->value == 0 : q == parallel, rule_info_region, "another region");
    if (q != NULL) {
        const struct record *region = find(q, a_region);
        REQUIRE(!region->ended || (late && type == ompt_task_implicit && is_late(region)), rule_region_pair, "the region has ended");
        REQUIRE(size >= 1 && size <= region->size, rule_info_region, "size %d of %d", size, region->size);
    }
    return r;
}

/* The context where the event does not name the region. */
static struct record *own_context(ompt_data_t *task)
{
    ompt_data_t *parallel = NULL;
    (void)ask.region(0, &parallel, NULL);
    return context(task, parallel, 0);
}

static int team_of_one(void)
{
    int size = 0;
    return ask.region(0, NULL, &size) && size == 1;
}

static const ompt_frame_t *own_frame(void)
{
    ompt_frame_t *frame = NULL;
    (void)ask.task(0, NULL, NULL, &frame, NULL);
    return frame;
}

#include "check2016_events.c"

#include "check2016_targets.c"
