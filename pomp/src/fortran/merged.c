/* merged.c: Fortran's calls where the library treats several as one (POMP_MERGES). The text makes
 * all of the calls, whatever the library wants. The calls that C's text omits therefore return at
 * once here, and those that it makes instead replace others.
 */
#include "../state/state.h"

/* Whether calls are merged may change with the program's first event, so each call checks it. */
OPARI_INLINE int pomp_fortran_merges(void)
{
    return OPARI_LIKELY(OPARI_LOAD(&pomp.merges) != 0) != 0;
}

/* Returns whether opari made the barrier of a worksharing construct explicit. Then the call before
 * the barrier means that the construct's work is over, and the call after it is the construct's
 * exit. The barrier at the end of a combined construct belongs to the parallel region. */
static OPARI_COLD int pomp_fortran_is_synced(struct ompregdescr *d)
{
    return POMP_OWN_BARRIER(d->kind) && (d->facts & (POMP_HAS_NOWAIT | POMP_HAS_BARRIER)) == 0 &&
           pomp_barrier_kind(d) == ompt_sync_region_barrier_implicit_workshare;
}

static void pomp_fortran_synced_exit(struct ompregdescr *d)
{
    if (!pomp_fortran_merges())
        POMP_For_exit(d);
}

OPARI_FOR_SIZE
static void pomp_fortran_synced_exit_part(struct ompregdescr *d, const void *ra, void *frame)
{
    if (!pomp_fortran_merges())
        pomp_fortran_For_exit(d, ra, frame);
}

OPARI_FOR_SPEED

/* For a single, only its block has events. With nowait, there is one more after the construct if
 * another thread has executed the block. The end of the block notes the executing thread; no other
 * event comes between that and the exit. */
static OPARI_TLS const struct ompregdescr *pomp_fortran_executed;

static void pomp_fortran_single_enter(struct ompregdescr *d)
{
    if (pomp_fortran_merges())
        pomp_fortran_executed = NULL;
    else
        POMP_Single_enter(d);
}

static void pomp_fortran_single_begin(struct ompregdescr *d)
{
    if (pomp_fortran_merges())
        POMP_Single_only_begin(d);
    else
        POMP_Single_begin(d);
}

OPARI_FOR_SIZE
static void pomp_fortran_single_begin_part(struct ompregdescr *d, const void *ra, void *frame)
{
    if (!pomp_fortran_merges()) {
        pomp_fortran_Single_begin(d, ra, frame);
        return;
    }
    struct opari_thread *t = opari_event_begin(d);
    if (t != NULL)
        pomp_lazy_end(t, d, OPARI_LAZY_BODY, pomp_lazy_body(t, d, ompt_scope_begin, ra));
}

OPARI_FOR_SPEED

static void pomp_fortran_single_end(struct ompregdescr *d)
{
    if (pomp_fortran_merges()) {
        pomp_fortran_executed = d;
        POMP_Single_only_end(d);
    } else {
        POMP_Single_end(d);
    }
}

static void pomp_fortran_single_exit(struct ompregdescr *d)
{
    if (!pomp_fortran_merges())
        POMP_Single_exit(d);
    else if (pomp_fortran_executed == d)
        pomp_fortran_executed = NULL;
    else
        POMP_Single_other(d);
}

OPARI_FOR_SIZE
static void pomp_fortran_single_exit_part(struct ompregdescr *d, const void *ra, void *frame)
{
    if (!pomp_fortran_merges()) {
        pomp_fortran_Single_exit(d, ra, frame);
        return;
    }
    const int executed = pomp_fortran_executed == d;
    pomp_fortran_executed = NULL;
    struct opari_thread *t = executed ? NULL : opari_event_begin(d);
    if (t == NULL)
        return;
    opari_raise_single_other(t, ra);
    opari_event_end();
}

OPARI_FOR_SPEED

/* For a single with a barrier, the call before the barrier means that the block is over. */
static void pomp_fortran_synced_single_enter(struct ompregdescr *d)
{
    if (!pomp_fortran_merges())
        POMP_Single_enter(d);
}

static void pomp_fortran_synced_single_end(struct ompregdescr *d)
{
    if (!pomp_fortran_merges())
        POMP_Single_end(d);
}

static void pomp_fortran_synced_single_exit(struct ompregdescr *d)
{
    if (!pomp_fortran_merges())
        POMP_Single_exit(d);
}

OPARI_FOR_SIZE
static void pomp_fortran_synced_single_exit_part(struct ompregdescr *d, const void *ra, void *frame)
{
    if (!pomp_fortran_merges())
        pomp_fortran_Single_exit(d, ra, frame);
}

OPARI_FOR_SPEED

/* The exits of a barrier and of the construct that it belongs to, which the text merges. */
static void pomp_fortran_synced_pair(struct ompregdescr *slots)
{
    const union pomp_fortran_slot *s = (const union pomp_fortran_slot *)(const void *)slots;
    if (pomp_fortran_merges())
        POMP_Barrier_exit(s[POMP_FORTRAN_PAIR_REGION].region);
    else
        pomp_fortran_call_pair(slots, POMP_FORTRAN_PAIR_LAST, POMP_CALLER, POMP_FRAME);
}

#ifdef POMP_INTERPOSE
/* Returns whether d is a region with the explicit barrier at the end of a parallel region. */
static OPARI_COLD int pomp_fortran_is_last(struct ompregdescr *d)
{
    return d->kind == POMP_KIND_PARALLEL ||
           (POMP_OWN_BARRIER(d->kind) &&
            pomp_barrier_kind(d) == ompt_sync_region_barrier_implicit_parallel);
}

/* For a merged parallel region, see gomp/parallel.c: returns whether the calling thread is its
 * entire team, has nothing open in it and has made no tasks. Then a tool sees no last barrier, and
 * the function that executes the team raises the end. */
OPARI_INLINE int pomp_fortran_is_alone(const struct opari_thread *t)
{
    if (OPARI_UNLIKELY(!opari_is_ready(t) || t->top->what != OPARI_AT_IMPLICIT ||
                       t->top->detail != 1))
        return 0;
    const struct opari_parallel *p = t->top->of.task->parallel;
    return OPARI_LIKELY(t->top->of.task == &p->first && t->made == p->made) != 0;
}

static void pomp_fortran_merged_begin(struct ompregdescr *d)
{
    const struct opari_thread *t = opari_here;
    if (OPARI_LIKELY(opari_is_ready(t) && opari_is_at(t, d, OPARI_AT_IMPLICIT) &&
                     (t->top->flags & OPARI_ENTRY_DOCKED) == 0))
        return;
    pomp_fortran_begin_part(d, POMP_CALLER, POMP_FRAME);
}

static void pomp_fortran_merged_end(struct ompregdescr *d)
{
    if (!pomp_fortran_is_alone(opari_here))
        pomp_fortran_end_part(d, POMP_CALLER, NULL);
}

static void pomp_fortran_merged_join(struct ompregdescr *d)
{
    const struct opari_thread *t = opari_here;
    if (OPARI_LIKELY(opari_is_ready(t) && opari_is_at(t, d, OPARI_AT_FORK) &&
                     t->top->flags == OPARI_ENTRY_MERGED))
        pomp_merged_join(d);
    else
        pomp_fortran_join_part(d, POMP_CALLER, NULL);
}

/* Does the same for a thread at the end of worksharing construct d. */
OPARI_INLINE int pomp_fortran_ends_alone(const struct opari_thread *t, const struct ompregdescr *d)
{
    return opari_is_ready(t) && opari_is_at(t, d, OPARI_AT_WORK) &&
           t->top[-1].what == OPARI_AT_IMPLICIT && t->top[-1].detail == 1 &&
           t->top[-1].of.task == &t->top[-1].of.task->parallel->first &&
           t->made == t->top[-1].of.task->parallel->made;
}

/* The last barrier, which belongs to the region itself or to the construct combined with it, whose
 * work is over. */
static void pomp_fortran_last_barrier_enter(struct ompregdescr *d)
{
    const struct opari_thread *t = opari_here;
    if (pomp_fortran_ends_alone(t, d))
        POMP_For_exit(d);
    else if (!pomp_fortran_is_alone(t))
        POMP_Barrier_enter(d);
}

static void pomp_fortran_last_barrier_exit(struct ompregdescr *d)
{
    if (!pomp_fortran_is_alone(opari_here))
        POMP_Barrier_exit(d);
}

/* The exit of that barrier and the end of the region, with the exit of the combined construct in
 * between, which the text merges. */
static void pomp_fortran_last_joined(struct ompregdescr *slots)
{
    if (!pomp_fortran_is_alone(opari_here))
        pomp_fortran_call_joined(slots, 0, POMP_CALLER, POMP_FRAME);
}
#endif

/* Puts these functions into the slots of a region, which have been filled in before. */
static OPARI_COLD void pomp_fortran_join_region(union pomp_fortran_slot *slot,
                                                struct ompregdescr *d)
{
    union pomp_fortran_slot *among = slot + POMP_FORTRAN_AMONG;
#ifdef POMP_INTERPOSE
    if (d->kind == POMP_KIND_PARALLEL) {
        slot[POMP_FORTRAN_end].call = pomp_fortran_merged_end;
        slot[POMP_FORTRAN_exit].call = pomp_fortran_merged_join;
        if ((d->facts & POMP_HAS_COPY) == 0)
            slot[POMP_FORTRAN_begin].call = pomp_fortran_merged_begin;
    }
    if (pomp_fortran_is_last(d)) {
        slot[POMP_FORTRAN_BARRIER_ENTER].call = pomp_fortran_last_barrier_enter;
        slot[POMP_FORTRAN_BARRIER_EXIT].call = pomp_fortran_last_barrier_exit;
    }
#endif
    if (pomp_fortran_is_synced(d)) {
        const int single = d->kind == POMP_KIND_SINGLE;
        slot[POMP_FORTRAN_exit].call =
            single ? pomp_fortran_synced_single_exit : pomp_fortran_synced_exit;
        among[POMP_FORTRAN_exit].among =
            single ? pomp_fortran_synced_single_exit_part : pomp_fortran_synced_exit_part;
        if (single) {
            slot[POMP_FORTRAN_enter].call = pomp_fortran_synced_single_enter;
            slot[POMP_FORTRAN_begin].call = pomp_fortran_single_begin;
            among[POMP_FORTRAN_begin].among = pomp_fortran_single_begin_part;
            slot[POMP_FORTRAN_end].call = pomp_fortran_synced_single_end;
        }
    } else if (d->kind == POMP_KIND_SINGLE && (d->facts & POMP_HAS_NOWAIT) != 0) {
        slot[POMP_FORTRAN_enter].call = pomp_fortran_single_enter;
        slot[POMP_FORTRAN_begin].call = pomp_fortran_single_begin;
        among[POMP_FORTRAN_begin].among = pomp_fortran_single_begin_part;
        slot[POMP_FORTRAN_end].call = pomp_fortran_single_end;
        slot[POMP_FORTRAN_exit].call = pomp_fortran_single_exit;
        among[POMP_FORTRAN_exit].among = pomp_fortran_single_exit_part;
    }
}
