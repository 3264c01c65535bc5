/* sync.c: waiting in the profile: barriers, taskwait and taskgroup, mutual exclusion. */
#include "profile.h"

/* Returns what the waiting at the end of a team's frame belongs to. Of a combined construct, such
 * as `parallel for`, that is the loop: its descriptor follows that of the parallel region. Its
 * frame lies above the team's, where it has been closed. */
static struct rec_node *rec_waits_for(const struct rec_thread *r, const struct rec_frame *f)
{
    static const char before[] = "parallel ";
    const struct ompregdescr *d = r->regions->event;
    if (d == NULL || d->directive == NULL || f == r->limit || f[1].type != REC_WORK ||
        f[1].detail != REC_OWN_BARRIER || f[1].start < f->start ||
        strncmp(d->directive, before, sizeof before - 1) != 0)
        return f->node;
    struct rec_node *last = f[1].node;
    return last->parent == f->node && rec_region(last->region) == d + 1 ? last : f->node;
}

/* The thread has arrived at the end of its parallel region, where nobody can see its waiting. Its
 * work ends here; see teams.c. */
static void rec_arrive(struct rec_thread *r)
{
    struct rec_frame *f = r->top;
    if (f->type != REC_TEAM || f->mid != 0)
        return;
    uint64_t now = rec_stamp(r), dur = rec_less(now, f->start);
    struct rec_node *n = f->node;
    OPARI_STORE(&f->waits, rec_waits_for(r, f));
    OPARI_STORE(&f->busy, 0u);
    OPARI_STORE(&f->mid, now);
    REC_ADD(n->body, rec_less(dur, f->own));
    if (!f->master) {
        n->active--;
        rec_account(n, dur, rec_less(dur, f->child));
    }
}

static void rec_wait_end(struct rec_thread *r, struct rec_frame *f)
{
    uint64_t now = rec_stamp(r), dur = rec_less(now, f->start), waited = rec_less(dur, f->child);
    struct rec_node *n = f->node;
    struct rec_frame *below = f - 1;
    if (f->detail == ompt_sync_region_taskwait || f->detail == ompt_sync_region_taskgroup)
        REC_ADD(n->wait, waited);
    else
        REC_ADD(n->barrier, waited);
    OPARI_STORE(&r->top, below);
    if (below->node == n && below->type != REC_TASK) {
        /* An implied barrier within its construct, or the end of a taskgroup. Tasks in the barrier
         * of a parallel region are the team's work; those in a loop's barrier are not the
         * loop's. */
        REC_ADD(below->child, f->child);
        below->own += below->type == REC_TEAM ? waited : dur;
        return;
    }
    rec_account(n, dur, waited);
    rec_child(below, dur);
}

static void rec_on_sync_wait(ompt_sync_region_t kind, ompt_scope_endpoint_t at,
                             ompt_data_t *parallel, ompt_data_t *task, const void *ra)
{
    struct rec_thread *r = rec_self;
    (void)parallel, (void)task, (void)ra;
    if (OPARI_UNLIKELY(r == NULL) || r->regions->part)
        return;
    if (at == ompt_scope_begin) {
        if (r->regions->late)
            rec_arrive(r);
        else
            (void)rec_push(r, REC_WAIT, (int)kind);
    } else if (r->top->type == REC_WAIT) {
        rec_wait_end(r, r->top);
    }
}

/* The thread has acquired a lock. If the table already lists the lock, another thread has unset it
 * in between, as with a lock for readers and writers. How long it was held before is then
 * unknown. */
OPARI_INLINE void rec_hold(struct rec_thread *r, struct rec_node *n, ompt_wait_id_t lock,
                           uint64_t now)
{
    struct rec_hold *h = r->hold, *end = h + r->holds;
    while (h < end && h->lock != lock)
        h++;
    if (h == end) {
        if (OPARI_UNLIKELY(r->holds == REC_HOLDS)) {
            r->lost++;
            return;
        }
        r->holds++;
    }
    h->lock = lock;
    h->since = now;
    h->node = n;
}

static void rec_on_acquire(ompt_mutex_t kind, unsigned hint, unsigned impl, ompt_wait_id_t id,
                           const void *ra)
{
    struct rec_thread *r = rec_self;
    (void)hint, (void)impl, (void)id, (void)ra;
    if (OPARI_UNLIKELY(r == NULL))
        return;
    if (kind == ompt_mutex_critical || kind == ompt_mutex_ordered)
        rec_enter(r, REC_MUTEX, 0);
    else if (kind == ompt_mutex_lock || kind == ompt_mutex_nest_lock)
        rec_enter(r, REC_LOCK, 0);
    else
        rec_count(rec_node(r));
}

static void rec_lock_end(struct rec_thread *r, struct rec_frame *f, uint64_t now)
{
    struct rec_node *n = f->node;
    REC_ADD(n->wait, rec_close(r, f, now));
}

static void rec_on_acquired(ompt_mutex_t kind, ompt_wait_id_t id, const void *ra)
{
    struct rec_thread *r = rec_self;
    (void)ra;
    if (OPARI_UNLIKELY(r == NULL))
        return;
    struct rec_frame *f = r->top;
    uint64_t now = rec_stamp(r);
    if (kind == ompt_mutex_critical || kind == ompt_mutex_ordered) {
        if (f->type == REC_MUTEX) {
            OPARI_STORE(&f->mid, now);
            REC_ADD(f->node->wait, rec_less(now, f->start));
        }
        return;
    }
    rec_hold(r, f->type == REC_LOCK ? f->node : rec_node(r), id, now);
    if (f->type == REC_LOCK)
        rec_lock_end(r, f, now);
}

static void rec_on_released(ompt_mutex_t kind, ompt_wait_id_t id, const void *ra)
{
    struct rec_thread *r = rec_self;
    (void)ra;
    if (OPARI_UNLIKELY(r == NULL))
        return;
    if (kind == ompt_mutex_critical || kind == ompt_mutex_ordered) {
        struct rec_frame *f = r->top;
        if (f->type != REC_MUTEX)
            return;
        struct rec_node *n = f->node;
        uint64_t now = rec_stamp(r), held = f->mid != 0 ? rec_less(now, f->mid) : 0;
        (void)rec_close(r, f, now);
        REC_ADD(n->hold, held);
        REC_ADD(n->body, held);
        return;
    }
    uint64_t now = rec_stamp(r);
    rec_count(rec_node(r));
    for (unsigned i = r->holds; i > 0; i--) {
        struct rec_hold *h = &r->hold[i - 1];
        if (h->lock == id) {
            REC_ADD(h->node->hold, rec_less(now, h->since));
            *h = r->hold[--r->holds];
            return;
        }
    }
}

static void rec_on_nest_lock(ompt_scope_endpoint_t at, ompt_wait_id_t id, const void *ra)
{
    struct rec_thread *r = rec_self;
    (void)id, (void)ra;
    if (OPARI_UNLIKELY(r == NULL))
        return;
    if (at == ompt_scope_end)
        rec_count(rec_node(r));
    else if (r->top->type == REC_LOCK)
        rec_lock_end(r, r->top, rec_stamp(r));
}

static OPARI_COLD void rec_on_lock_init(ompt_mutex_t kind, unsigned hint, unsigned impl,
                                        ompt_wait_id_t id, const void *ra)
{
    struct rec_thread *r = rec_self;
    (void)kind, (void)hint, (void)impl, (void)id, (void)ra;
    if (OPARI_LIKELY(r != NULL))
        rec_count(rec_node(r));
}

static OPARI_COLD void rec_on_lock_destroy(ompt_mutex_t kind, ompt_wait_id_t id, const void *ra)
{
    struct rec_thread *r = rec_self;
    (void)kind, (void)id, (void)ra;
    if (OPARI_LIKELY(r != NULL))
        rec_count(rec_node(r));
}
