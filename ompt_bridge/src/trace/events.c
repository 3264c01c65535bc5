/* events.c: the trace's events: a record of 8 bytes each, in the thread's own chunk.
 *
 *     time, low bits : 38 | region : 20 | operation : 6
 *
 * The callbacks only pass on what has happened. All of them end in trc_put, which reads the clock
 * and stores the record. Package recording later finds out what a record means for the open
 * regions.
 */
#include "trace.h"

#include <string.h>

_Static_assert(offsetof(struct opari_regions, part) == offsetof(struct opari_regions, forced) + 4,
               "read as one word");

OPARI_INLINE int trc_is_data(uint64_t word)
{
    return (word & ((1u << TRC_OP_BITS) - 1)) == TRC_DATA << 1;
}

OPARI_INLINE void trc_store(struct trc_thread *r, uint64_t word)
{
    uint64_t used = r->used;
    r->record[used] = word;
    OPARI_RELEASE(&r->used, used + 1);
    if (OPARI_UNLIKELY(used >= r->limit))
        trc_full(r);
}

/* Drops a construct that took less than the minimum and has nothing inside: takes back its enter
 * record and returns 1. It does not reach into an earlier chunk. */
static OPARI_NOINLINE int trc_too_short(struct trc_thread *r, uint64_t what, uint64_t now)
{
    const unsigned kinds = 1u << TRC_WORK | 1u << TRC_BODY | 1u << TRC_REGION | 1u << TRC_WAIT |
                           1u << TRC_BARRIER | 1u << TRC_TASK | 1u << TRC_TASKWAIT |
                           1u << TRC_GROUP | 1u << TRC_GROUP_WAIT | 1u << TRC_MUTEX |
                           1u << TRC_LOCK | 1u << TRC_CREATE | 1u << TRC_OWN;
    const unsigned kind = (unsigned)what >> 1 & ((1u << (TRC_OP_BITS - 1)) - 1);
    const uint64_t low = ((uint64_t)1 << TRC_SHIFT) - 1;
    uint64_t used = r->used;
    if ((what & 1) == 0 || (kinds >> kind & 1) == 0)
        return 0;
    if (kind == TRC_MUTEX && used > 1 &&
        (r->record[used - 1] & low) == (what - 1) + ((TRC_HELD - TRC_MUTEX) << 1))
        used--;
    if (used == 0 || (r->record[used - 1] & low) != what - 1 ||
        now - trc_time(r, used - 1) >= trc.minimum)
        return 0;
    used--;
    if (trc.numbers && (kind == TRC_CREATE || kind == TRC_TASK) && used > 0 &&
        trc_is_data(r->record[used - 1]))
        used--;
    OPARI_RELEASE(&r->used, used);
    return 1;
}

/* what is region and operation. */
OPARI_INLINE void trc_put_at(struct trc_thread *r, uint64_t what, uint64_t now)
{
    if (OPARI_UNLIKELY(trc.minimum != 0) && trc_too_short(r, what, now))
        return;
    if (OPARI_UNLIKELY(now > r->deadline)) {
        trc_store(r, now << TRC_OP_BITS | (TRC_PAUSE << 1 | 1));
        trc_rebase(r, now);
    }
    trc_store(r, now << TRC_SHIFT | what);
}

/* The same for events where nanoseconds do not matter. */
static OPARI_NOINLINE void trc_put_other(struct trc_thread *r, uint64_t what, uint64_t now)
{
    trc_put_at(r, what, now);
}

/* Returns the number of the event's region, at its place in a record; 1: the filter drops the
 * region. The descriptor keeps it in data[3]. */
OPARI_INLINE uintptr_t trc_id(const struct trc_thread *r)
{
    struct ompregdescr *d = r->regions->event;
    uintptr_t id = d != NULL ? (uintptr_t)OPARI_ACQUIRE(&d->data[3]) : 0;
    return OPARI_LIKELY(id != 0) ? id : trc_region(d);
}

/* Does trc_put in all special cases. It omits a part of a construct, because the construct's end
 * comes later. The time is now, except for an end that no call of the program raises: that has the
 * time of the event before. */
static OPARI_NOINLINE uint64_t trc_put_slowly(unsigned operation)
{
    struct trc_thread *r = trc_self;
    if (r == NULL)
        return 0;
    if (r->regions->part && operation >> 1 != TRC_BODY)
        return trc_last(r);
    uintptr_t id = trc_id(r);
    if (id != 1)
        trc_put_at(r, id | operation,
                   r->regions->forced != opari_left_before ? rec_now() : trc_last(r));
    return trc_last(r);
}

/* Records the event that is being reported. Returns the time of the thread's last record. */
static OPARI_NOINLINE uint64_t trc_put(uint64_t operation)
{
#ifdef REC_HAS_TSC
    struct trc_thread *r = trc_fast;
    const struct opari_regions *regions = r->regions;
    struct ompregdescr *d = regions->event;
    uint64_t special; /* forced and part at once */
    memcpy(&special, &regions->forced, sizeof special);
    if (OPARI_LIKELY(d != NULL && special == 0)) {
        uintptr_t id = (uintptr_t)OPARI_ACQUIRE(&d->data[3]);
        if (OPARI_LIKELY(id > 1)) {
            uint64_t now = __rdtsc();
            if (OPARI_LIKELY(now <= r->deadline)) {
                trc_store(r, now << TRC_SHIFT | id | operation);
                return now;
            }
        }
    }
#endif
    return trc_put_slowly((unsigned)operation);
}

/* Records a message. number is the communicator's, and the words precede the record. A received
 * message and the end of a request have the time now. Any other has that of the event before, which
 * entered the routine: another look at the clock costs as much as all the rest. */
static OPARI_NOINLINE void trc_message(unsigned what, unsigned number, const uint64_t *words, int n)
{
    struct trc_thread *r = trc_self;
    if (r == NULL)
        return;
    const uint64_t now = what == TRC_RECEIVED || what == TRC_COMPLETE || what == TRC_CANCELLED
                             ? rec_now()
                             : trc_last(r);
    for (int i = 0; i < n; i++)
        trc_store(r, words[i] << TRC_OP_BITS | TRC_DATA << 1);
    trc_put_at(r, (uint64_t)number << TRC_OP_BITS | what << 1, now);
}

/* Records what handing out the chunks of the event's loop has cost. Five words precede the record:
 * own and chunks, 26 and 32 bits; iterations; ticks; before; last. A loop that is shorter than the
 * minimum leaves no trace of itself. */
static OPARI_MAYBE OPARI_NOINLINE void trc_dealt(const struct rec_dealt *w)
{
    struct trc_thread *r = trc_self;
    const uintptr_t id = r != NULL ? trc_id(r) : 1;
    const uint64_t now = rec_now();
    if (id == 1 || (trc.minimum != 0 && now - trc_last(r) < trc.minimum))
        return;
    const uint64_t own = w->own < 1u << 26 ? w->own : 0;
    const uint64_t words[] = {own << 32 | w->chunks, w->iterations, w->ticks, w->before, w->last};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        trc_store(r, words[i] << TRC_OP_BITS | TRC_DATA << 1);
    trc_put_at(r, id | TRC_DEALT << 1, now);
}

static struct trc_thread *trc_owner(uint64_t join)
{
    return (struct trc_thread *)(uintptr_t)(join & ~(uint64_t)(2 * TRC_JOINS - 1));
}

/* Records which team begins next, where the region alone does not say. The team's number combines
 * those of the forking thread and of the fork. */
static OPARI_COLD void trc_put_team(struct trc_thread *r, uint64_t join)
{
    const uint64_t number = (uint64_t)trc_owner(join)->number * TRC_JOINS + join % TRC_JOINS;
    if (trc_id(r) != 1)
        trc_put_other(r, (number & TRC_IDS) << TRC_OP_BITS | TRC_TEAM << 1, rec_now());
}

/* The region alone identifies the team only where the initial thread forks it outside every other
 * region. Elsewhere the team's number is recorded. */
static void trc_on_parallel_begin(ompt_data_t *task, const ompt_frame_t *frame,
                                  ompt_data_t *parallel, unsigned requested, int flags,
                                  const void *ra)
{
    struct trc_thread *r = trc_self;
    (void)frame, (void)requested, (void)flags, (void)ra;
    if (OPARI_UNLIKELY(r == NULL || r->regions->part))
        return;
    parallel->value = (uint64_t)(uintptr_t)r | (r->forks++ % TRC_JOINS);
    if (OPARI_UNLIKELY((task->value | r->number) != 0)) {
        parallel->value |= TRC_TEAM_KNOWN;
        trc_put_team(r, parallel->value);
    }
    trc_put(TRC_PARALLEL << 1);
}

static void trc_on_parallel_end(ompt_data_t *parallel, ompt_data_t *task, int flags, const void *ra)
{
    struct trc_thread *r = trc_self;
    (void)task, (void)flags, (void)ra;
    if (OPARI_UNLIKELY(r == NULL || parallel->value == 0))
        return;
    const uint64_t end = trc_put(TRC_PARALLEL << 1 | 1);
    if (!r->regions->forced)
        OPARI_RELEASE(&r->joins[parallel->value % TRC_JOINS],
                      end); /* a fork that is not recorded has no recorded waits either */
}

/* The task's data say where to find the end of its region; 1: nowhere. */
static void trc_on_implicit_task(ompt_scope_endpoint_t at, ompt_data_t *parallel, ompt_data_t *task,
                                 unsigned size, unsigned index, int flags)
{
    const struct trc_thread *r = trc_self;
    (void)size, (void)index;
    if (OPARI_UNLIKELY(r == NULL || (flags & ompt_task_initial) != 0))
        return;
    if (at == ompt_scope_begin) {
        if (r->regions->part)
            return;
        task->value = parallel->value != 0 ? parallel->value : 1;
        if (OPARI_UNLIKELY((parallel->value & TRC_TEAM_KNOWN) != 0))
            trc_put_team(trc_self, parallel->value);
    } else {
        if (task->value == 0)
            return;
        task->value = 0;
    }
    trc_put(TRC_AT(TRC_IMPLICIT, at));
}

/* A thread that has waited at the end of a region learns of that end only at its next event. It
 * takes the time that the encountering thread has stored. */
static void trc_joined(struct trc_thread *r, uint64_t join)
{
    const struct trc_thread *owner = trc_owner(join);
    r->dock = 0;
    uint64_t end = OPARI_ACQUIRE(&owner->joins[join % TRC_JOINS]);
    uintptr_t id = trc_id(r);
    uint64_t last = trc_last(r);
    if (id != 1)
        trc_put_other(r, id | (TRC_BARRIER << 1 | 1), end > last ? end : last);
}

/* The wait at the end of a parallel region, whose end may come only with the thread's next
 * event. */
static OPARI_NOINLINE void trc_last_wait(ompt_scope_endpoint_t at, const ompt_data_t *task)
{
    struct trc_thread *r = trc_self;
    if (r == NULL)
        return;
    if (at == ompt_scope_end && r->regions->forced == opari_left_before && task->value > 1) {
        trc_joined(r, task->value);
        return;
    }
    r->dock = at == ompt_scope_begin && r->regions->late ? task->value : 0;
    trc_put(TRC_AT(TRC_BARRIER, at));
}

static void trc_on_sync_wait(ompt_sync_region_t kind, ompt_scope_endpoint_t at,
                             ompt_data_t *parallel, ompt_data_t *task, const void *ra)
{
    (void)parallel, (void)ra;
    if (kind == ompt_sync_region_barrier_implicit_parallel)
        trc_last_wait(at, task);
    else
        trc_put(TRC_AT(kind == ompt_sync_region_taskwait    ? TRC_TASKWAIT
                       : kind == ompt_sync_region_taskgroup ? TRC_GROUP_WAIT
                                                            : TRC_BARRIER,
                       at));
}

/* The data of an explicit task say whether it is in a team. */
static void trc_on_task_create(ompt_data_t *task, const ompt_frame_t *frame, ompt_data_t *made,
                               int flags, int dependences, const void *ra)
{
    (void)frame, (void)dependences, (void)ra;
    if ((flags & ompt_task_taskwait) != 0)
        return;
    trc_task_made(task, made);
    trc_put(TRC_CREATE << 1);
}

/* Records an event of a task with its number; 0: it has none. */
static OPARI_COLD void trc_put_numbered(uint64_t operation, uint64_t number)
{
    struct trc_thread *r = trc_self;
    if (r != NULL && number != 0 && !r->regions->part && trc_id(r) != 1)
        trc_store(r, number << TRC_OP_BITS | TRC_DATA << 1);
    trc_put(operation);
}

/* The same where tasks get numbers, which their data keep: that of the creating thread, and one
 * of the thread's own. */
static OPARI_COLD void trc_on_task_create_numbered(ompt_data_t *task, const ompt_frame_t *frame,
                                                   ompt_data_t *made, int flags, int dependences,
                                                   const void *ra)
{
    struct trc_thread *r = trc_self;
    (void)task, (void)frame, (void)dependences, (void)ra;
    if (r == NULL || (flags & ompt_task_taskwait) != 0)
        return;
    made->value = (uint64_t)r->number << 32 | ++r->made;
    trc_put_numbered(TRC_CREATE << 1, made->value);
}

static void trc_on_created(ompt_data_t *task)
{
    (void)task;
    trc_put(TRC_CREATE << 1 | 1);
}

static void trc_on_schedule(ompt_data_t *prior, ompt_task_status_t status, ompt_data_t *next)
{
    (void)prior, (void)next;
    if (status == ompt_task_switch || status == ompt_task_yield)
        trc_put(TRC_TASK << 1);
    else if (status <= ompt_task_detach) /* the others concern a task that does not run here */
        trc_put(TRC_TASK << 1 | 1);
}

static OPARI_COLD void trc_on_schedule_numbered(ompt_data_t *prior, ompt_task_status_t status,
                                                ompt_data_t *next)
{
    if (status == ompt_task_switch || status == ompt_task_yield)
        trc_put_numbered(TRC_TASK << 1, next->value);
    else
        trc_on_schedule(prior, status, next);
}

static void trc_on_work(ompt_work_t type, ompt_scope_endpoint_t at, ompt_data_t *parallel,
                        ompt_data_t *task, uint64_t count, const void *ra)
{
    (void)parallel, (void)task, (void)count, (void)ra;
    if (type != ompt_work_single_other)
        trc_put(TRC_AT(type == ompt_work_single_executor ? TRC_BODY : TRC_WORK, at));
}

static void trc_on_masked(ompt_scope_endpoint_t at, ompt_data_t *parallel, ompt_data_t *task,
                          const void *ra)
{
    (void)parallel, (void)task, (void)ra;
    trc_put(TRC_AT(TRC_WORK, at));
}

static void trc_on_region(ompt_scope_endpoint_t at, opari_region_class_t region_class,
                          ompt_data_t *parallel, ompt_data_t *task, const void *user,
                          const void *ra)
{
    (void)parallel, (void)task, (void)user, (void)ra;
    trc_put(TRC_AT(region_class == opari_region_construct ? TRC_WORK
                   : region_class == opari_region_wait    ? TRC_WAIT
                   : region_class == opari_region_group   ? TRC_GROUP
                                                          : TRC_REGION,
                   at));
}

static void trc_on_acquire(ompt_mutex_t kind, unsigned hint, unsigned impl, ompt_wait_id_t id,
                           const void *ra)
{
    struct trc_thread *r = trc_self;
    (void)hint, (void)impl, (void)id, (void)ra;
    if (kind == ompt_mutex_critical || kind == ompt_mutex_ordered) {
        trc_put(TRC_MUTEX << 1);
    } else if ((kind == ompt_mutex_lock || kind == ompt_mutex_nest_lock) && r != NULL) {
        r->locking = 1;
        trc_put(TRC_LOCK << 1);
    } else if (kind == ompt_mutex_test_lock && trc.minimum == 0) {
        trc_put(TRC_TRY << 1); /* whoever has a nestable lock may test it any number of times */
    }
}

/* The wait for a lock is over. Returns the time; 0 where the thread has not waited, because it only
 * tested the lock. */
static uint64_t trc_locked(void)
{
    struct trc_thread *r = trc_self;
    if (r == NULL || !r->locking)
        return 0;
    r->locking = 0;
    return trc_put(TRC_LOCK << 1 | 1);
}

/* Records that a lock is acquired or released. The lock's number comes from its address: locks
 * within 4 MiB of each other have different numbers. */
static OPARI_NOINLINE void trc_own(uint64_t operation, ompt_wait_id_t id, uint64_t now)
{
    struct trc_thread *r = trc_self;
    if (r != NULL && trc_id(r) != 1)
        trc_put_other(r, ((id >> 2 ^ id >> 22) & TRC_IDS) << TRC_OP_BITS | operation,
                      now != 0 ? now : rec_now());
}

static void trc_on_acquired(ompt_mutex_t kind, ompt_wait_id_t id, const void *ra)
{
    (void)ra;
    if (kind == ompt_mutex_critical || kind == ompt_mutex_ordered)
        trc_put(TRC_HELD << 1);
    else
        trc_own(TRC_OWN << 1, id, trc_locked());
}

static void trc_on_released(ompt_mutex_t kind, ompt_wait_id_t id, const void *ra)
{
    (void)ra;
    if (kind == ompt_mutex_critical || kind == ompt_mutex_ordered)
        trc_put(TRC_MUTEX << 1 | 1);
    else
        trc_own(TRC_OWN << 1 | 1, id, 0);
}

static void trc_on_nest_lock(ompt_scope_endpoint_t at, ompt_wait_id_t id, const void *ra)
{
    (void)id, (void)ra;
    if (at == ompt_scope_begin)
        (void)trc_locked();
}
