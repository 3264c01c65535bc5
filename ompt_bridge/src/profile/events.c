/* events.c: the profile: how often and how long each thread was in each call path, and how much of
 * that it waited.
 *
 * Each thread has a stack of frames, one per open region. When a frame closes, its time goes to its
 * region's node and to `child` of the frame below. What remains there is the exclusive time. A
 * region that is open more than once on a thread counts its inclusive time once. The time of tasks
 * that a thread executes inside a barrier or taskwait belongs to the tasks: it is not waiting.
 */
#include "profile.h"

#include <pthread.h>
#include <string.h>

static struct {
    pthread_mutex_t lock;
    struct rec_thread *all, *last, *free; /* all: in the order of their numbers */
    unsigned threads;
    opari_get_region_t get_region;
} rec_threads = {PTHREAD_MUTEX_INITIALIZER, NULL, NULL, NULL, 0, NULL};

OPARI_INLINE uint64_t rec_less(uint64_t a, uint64_t b) { return a > b ? a - b : 0; }

OPARI_INLINE uint64_t rec_stamp(struct rec_thread *r)
{
    if (OPARI_UNLIKELY(r->regions->forced == opari_left_before))
        return r->last;
    uint64_t now = rec_now();
    OPARI_STORE(&r->last, now);
    return now;
}

/* Returns the child of a node that has this key. */
OPARI_INLINE struct rec_node *rec_below(struct rec_thread *r, struct rec_node *parent,
                                        uintptr_t key, size_t region)
{
    struct rec_node *n = parent->child;
    if (OPARI_LIKELY(n != NULL)) {
        if (n->key == key)
            return n->target;
        n = n->next;
        if (OPARI_LIKELY(n->key == key)) {
            parent->child = n;
            return n->target;
        }
    }
    return rec_node_find(r, parent, key, region);
}

/* Returns the node of the event's region in parent. A part of a region lies in the region
 * itself. */
OPARI_INLINE struct rec_node *rec_node_in(struct rec_thread *r, struct rec_node *parent)
{
    struct ompregdescr *d = r->regions->event;
    size_t number = d != NULL ? (size_t)(uintptr_t)OPARI_ACQUIRE(&d->data[0]) : 0;
    if (OPARI_UNLIKELY(number == 0))
        return rec_node_unnumbered(r, parent, d);
    return parent->region == number ? parent : rec_below(r, parent, number, number);
}

OPARI_INLINE struct rec_node *rec_node(struct rec_thread *r)
{
    return rec_node_in(r, r->top->node);
}

static OPARI_COLD struct rec_frame *rec_stack_grow(struct rec_thread *r)
{
    size_t used = (size_t)(r->top - r->stack) + 1, room = 2 * used;
    struct rec_frame *stack = room <= REC_DEEPEST ? opari_memory(room * sizeof *stack) : NULL;
    if (stack == NULL) {
        r->lost++;
        return NULL;
    }
    memcpy(stack, r->stack, used * sizeof *stack);
    r->stack = stack;
    r->limit = stack + room - 1;
    r->top = stack + used - 1;
    return r->top;
}

OPARI_INLINE struct rec_frame *rec_push_node(struct rec_thread *r, enum rec_type type, int detail,
                                             struct rec_node *node)
{
    struct rec_frame *f = r->top;
    if (OPARI_UNLIKELY(f == r->limit) && (f = rec_stack_grow(r)) == NULL)
        return NULL;
    f++;
    OPARI_STORE(&f->node, node);
    f->own = 0;
    OPARI_STORE(&f->child, 0u);
    OPARI_STORE(&f->mid, 0u);
    OPARI_STORE(&f->type, (short)type);
    f->detail = (short)detail;
    OPARI_STORE(&f->start, rec_stamp(r));
    OPARI_RELEASE(&r->top, f);
    return f;
}

OPARI_INLINE struct rec_frame *rec_push(struct rec_thread *r, enum rec_type type, int detail)
{
    return rec_push_node(r, type, detail, rec_node(r));
}

/* Adds an instance of n that took dur, of which self was outside inner regions. n->active no longer
 * counts the instance. */
OPARI_INLINE void rec_account(struct rec_node *n, uint64_t dur, uint64_t self)
{
    REC_ADD(n->count, 1);
    REC_ADD(n->excl, self);
    if (OPARI_LIKELY(n->active == 0))
        REC_ADD(n->incl, dur);
    if (~dur > n->shortest)
        OPARI_STORE(&n->shortest, ~dur);
    if (dur > n->longest)
        OPARI_STORE(&n->longest, dur);
}

/* Counts an event that takes no time. */
OPARI_INLINE void rec_count(struct rec_node *n)
{
    REC_ADD(n->count, 1);
    OPARI_STORE(&n->shortest, ~(uint64_t)0);
}

/* Adds to the frame below the duration of another region inside. A thread that waits at the end of
 * its region works again while it executes a task there. */
OPARI_INLINE void rec_child(struct rec_frame *below, uint64_t dur)
{
    REC_ADD(below->child, dur);
    if (OPARI_UNLIKELY(below->type == REC_TEAM && below->mid != 0)) {
        struct rec_node *n = below->node;
        REC_ADD(n->body, dur);
        if (!below->master && n->active == 0)
            REC_ADD(n->incl, dur);
        REC_ADD(below->busy, dur);
    }
}

/* Closes the innermost frame as an instance of its region. */
OPARI_INLINE uint64_t rec_close(struct rec_thread *r, struct rec_frame *f, uint64_t now)
{
    uint64_t dur = rec_less(now, f->start);
    f->node->active--;
    rec_account(f->node, dur, rec_less(dur, f->child));
    rec_child(f - 1, dur);
    OPARI_STORE(&r->top, f - 1);
    return dur;
}

static void rec_on_region(ompt_scope_endpoint_t at, opari_region_class_t region_class,
                          ompt_data_t *parallel, ompt_data_t *task, const void *user,
                          const void *ra);

static OPARI_COLD void rec_pair(void)
{
    rec_on_region(ompt_scope_begin, opari_region_work, NULL, NULL, NULL, NULL);
    rec_on_region(ompt_scope_end, opari_region_work, NULL, NULL, NULL, NULL);
}

/* Measures the cost of an event on the process's first thread, before that has met any. The
 * measured events belong to the root, which is never written out. */
static OPARI_COLD void rec_measure_cost(struct rec_thread *r)
{
    r->unknown.region = 1;
    rec_self = r;
    rec_calibrate(&r->regions, 1, rec_pair);
    memset(&r->unknown, 0, sizeof r->unknown);
}

static void rec_on_thread_begin(ompt_thread_t type, ompt_data_t *thread_data)
{
    int first = 0;
    (void)type;
    pthread_mutex_lock(&rec_threads.lock);
    struct rec_thread *r = rec_threads.free;
    if (r != NULL)
        rec_threads.free = r->next_free;
    pthread_mutex_unlock(&rec_threads.lock);
    if (r == NULL) {
        r = opari_memory(sizeof *r);
        if (r == NULL)
            return;
        pthread_mutex_lock(&rec_threads.lock);
        r->number = rec_threads.threads++;
        first = r->number == 0;
        OPARI_RELEASE(rec_threads.last != NULL ? &rec_threads.last->next : &rec_threads.all, r);
        rec_threads.last = r;
        pthread_mutex_unlock(&rec_threads.lock);
        r->stack = r->first;
        r->limit = r->first + REC_FRAMES - 1;
    }
    r->top = r->stack;
    memset(r->stack, 0, sizeof *r->stack);
    r->stack->node = &r->unknown;
    r->home = &r->unknown;
    r->holds = 0;
    r->regions = rec_threads.get_region();
    if (first)
        rec_measure_cost(r);
    r->last = rec_now();
    thread_data->ptr = r;
    rec_self = r;
}

static void rec_on_thread_end(ompt_data_t *thread_data)
{
    struct rec_thread *r = thread_data->ptr;
    rec_self = NULL;
    if (r == NULL)
        return;
    pthread_mutex_lock(&rec_threads.lock);
    r->next_free = rec_threads.free;
    rec_threads.free = r;
    pthread_mutex_unlock(&rec_threads.lock);
}

/* Worksharing regions, masked, sections, user regions: they have a begin, an end and nothing
 * special between. */
OPARI_INLINE void rec_enter(struct rec_thread *r, enum rec_type type, int detail)
{
    struct rec_frame *f = rec_push(r, type, detail);
    if (OPARI_LIKELY(f != NULL))
        f->node->active++;
}

OPARI_INLINE void rec_leave(struct rec_thread *r, enum rec_type type)
{
    struct rec_frame *f = r->top;
    if (OPARI_UNLIKELY(f->type != (short)type))
        return;
    struct rec_node *n = f->node;
    uint64_t dur = rec_close(r, f, rec_stamp(r));
    if (n->active == 0 && f->mid == 0) /* for a region inside itself only the outermost counts, as
                                          in the inclusive time; a single's block has counted its
                                          own */
        REC_ADD(n->body, rec_less(dur, f->own));
    if (f->detail == opari_region_wait && type == REC_REGION)
        REC_ADD(n->wait, dur);
}

static void rec_on_work(ompt_work_t type, ompt_scope_endpoint_t at, ompt_data_t *parallel,
                        ompt_data_t *task, uint64_t count, const void *ra)
{
    struct rec_thread *r = rec_self;
    (void)parallel, (void)task, (void)count, (void)ra;
    if (OPARI_UNLIKELY(r == NULL))
        return;
    if (type == ompt_work_single_executor || type == ompt_work_single_other) {
        /* In the region `single` the block is the body; the other threads have none. */
        struct rec_frame *f = r->top;
        if (f->type == REC_BODY && at == ompt_scope_end) {
            uint64_t now = rec_stamp(r);
            REC_ADD(f->node->body, rec_less(now, f->start));
            REC_ADD(f[-1].child, f->child);
            OPARI_STORE(&r->top, f - 1);
            return;
        }
        if (f->type == REC_REGION && f->node == rec_node(r)) {
            OPARI_STORE(&f->mid, 1u);
            if (type == ompt_work_single_executor && at == ompt_scope_begin)
                (void)rec_push(r, REC_BODY, 0);
            return;
        }
    }
    if (OPARI_UNLIKELY(r->regions->part))
        return;
    if (at == ompt_scope_begin)
        rec_enter(r, REC_WORK, REC_OWN_BARRIER);
    else
        rec_leave(r, REC_WORK);
}

static void rec_on_masked(ompt_scope_endpoint_t at, ompt_data_t *parallel, ompt_data_t *task,
                          const void *ra)
{
    struct rec_thread *r = rec_self;
    (void)parallel, (void)task, (void)ra;
    if (OPARI_UNLIKELY(r == NULL))
        return;
    if (at == ompt_scope_begin)
        rec_enter(r, REC_WORK, 0);
    else
        rec_leave(r, REC_WORK);
}

static void rec_on_region(ompt_scope_endpoint_t at, opari_region_class_t region_class,
                          ompt_data_t *parallel, ompt_data_t *task, const void *user,
                          const void *ra)
{
    struct rec_thread *r = rec_self;
    (void)parallel, (void)task, (void)user, (void)ra;
    if (OPARI_UNLIKELY(r == NULL))
        return;
    const enum rec_type type = region_class == opari_region_construct ? REC_WORK
                               : region_class == opari_region_group   ? REC_GROUP
                                                                      : REC_REGION;
    if (at == ompt_scope_begin)
        rec_enter(r, type, type == REC_GROUP ? 0 : (int)region_class);
    else
        rec_leave(r, type);
}

/* Returns the node of a task, which lies in its parallel region on whichever thread it runs. A task
 * of a taskloop lies in the taskloop if the thread in that taskloop executes it. */
OPARI_INLINE struct rec_node *rec_node_of_task(struct rec_thread *r)
{
    const struct ompregdescr *d = r->regions->event;
    struct rec_node *n = r->top->node;
    const int inside = r->top->type == REC_WORK && d != NULL &&
                       n->region == (size_t)(uintptr_t)OPARI_ACQUIRE(&d->data[0]);
    return rec_node_in(r, inside ? n : r->home);
}

static void rec_on_schedule(ompt_data_t *prior, ompt_task_status_t status, ompt_data_t *next)
{
    struct rec_thread *r = rec_self;
    (void)prior, (void)next;
    if (OPARI_UNLIKELY(r == NULL))
        return;
    if (status == ompt_task_switch || status == ompt_task_yield) {
        struct rec_frame *f = rec_push_node(r, REC_TASK, 0, rec_node_of_task(r));
        if (OPARI_LIKELY(f != NULL))
            f->node->active++;
    } else if (status <= ompt_task_detach) { /* the others concern a task that does not run here */
        struct rec_node *n = r->top->node;
        rec_leave(r, REC_TASK);
        if (OPARI_UNLIKELY(r->regions->counted))
            REC_ADD(n->count, (uint64_t)-1);
    }
}
