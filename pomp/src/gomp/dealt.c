/* dealt.c: what it costs to hand out the chunks of a loop; see loop.c. That is some ns where one
 * thread alone asks for chunks, and 100 ns where many do. Two looks at the clock cost more. So all
 * calls of the runtime are counted, and every POMP_TIMED-th is timed. The sums lie
 * in the loop's entry, and the recorders get them when the runtime has no chunk left. A loop that
 * is cancelled tells nothing.
 *
 * The clock must not be read before the runtime's atomic instruction is complete, and the loop's
 * own instructions cannot go on meanwhile, as they do without measuring. What that takes is known
 * from pomp_reference, which is what the runtime does where no other thread asks for chunks. It is
 * timed beside each timed call, and elsewhere without the clock.
 */
#include "../state/state.h"

enum {
    POMP_TIMED = 127, /* a prime, so that no regularity of the loop's chunks falls in with it */
    /* A call that takes more ticks than this was interrupted, and is not counted as timed. It is
     * 10 us at 3 GHz. */
    POMP_INTERRUPTED = 30000,
    POMP_DEALT_MOST = 1 << 30, /* so many calls are passed on before the end of the loop */
    POMP_DEALT_BATCHES = 8
};
_Static_assert(REC_DEALT_OWN % POMP_TIMED == 0, "the mean of a batch");

/* Returns the time when all instructions before are complete. Without a fence, the processor may
 * look at its clock long before the runtime's atomic instruction is over. */
OPARI_INLINE uint64_t pomp_instant(void)
{
#ifdef REC_HAS_TSC
    _mm_lfence();
#endif
    return rec_now();
}

/* Whether the work of an entry is a loop whose chunks the threads of a team get. */
OPARI_INLINE int pomp_is_loop(const struct opari_entry *e)
{
    return e->detail != ompt_work_sections && e->detail != ompt_work_taskloop &&
           e->detail != ompt_work_distribute;
}

/* What calls take that ask nobody, in ticks; see pomp_dealt_measure. */
static struct {
    int known;
    uint32_t timed; /* a timed call more than one that is not */
    uint32_t plain; /* REC_DEALT_OWN calls */
    uint32_t own;   /* see rec_dealt */
} pomp_dealing;

/* Does what the runtime does for a chunk. */
static OPARI_NOINLINE _Bool pomp_reference(long *from, long *to)
{
    static OPARI_TLS long next;
    const long begin = __atomic_fetch_add(&next, 1, __ATOMIC_SEQ_CST);
    *from = begin & 1;
    *to = *from + 1;
    return 1;
}

/* Returns how long that takes by the clock. */
static OPARI_NOINLINE uint64_t pomp_reference_time(void)
{
    long from, to;
    const uint64_t began = pomp_instant();
    (void)pomp_reference(&from, &to);
    return pomp_instant() - began;
}

static OPARI_COLD void pomp_dealt_measure(void);

/* Begins the sums anew. The first call for another chunk may be the first of all, which waits for
 * memory; so the second is timed. */
static void pomp_dealt_begin(struct opari_entry *e, uint64_t origin, uint64_t step)
{
    memset(&e->of, 0, sizeof e->of);
    e->of.loop.origin = origin;
    e->of.loop.step = (int64_t)step;
    e->of.loop.due = 1;
}

/* Whether the thread asks for chunks of a loop that is not instrumented, in a parallel region that
 * is not instrumented. The innermost entry is then that of a loop outside, and what it has may be
 * of either. */
static OPARI_NOINLINE int pomp_dealt_foreign(const struct opari_thread *t)
{
    int level = 0;
    for (const struct opari_task *k = t->task; k->parallel->parent != NULL; k = k->parallel->parent)
        level++;
    return omp_get_level == NULL || omp_get_level() != level;
}

/* Returns the entry of the loop that the thread gets chunks of, where a recorder wants to know of
 * them and has seen the loop's begin; else null. For first, origin and step see pomp_chunk. */
OPARI_INLINE struct opari_entry *pomp_dealt_loop(int first, uint64_t origin, uint64_t step)
{
    const struct opari_thread *t = opari_ready();
    if (OPARI_UNLIKELY(t == NULL) || opari_own_tools == 0)
        return NULL;
    struct opari_entry *e = t->top;
    if (OPARI_UNLIKELY(e->what != OPARI_AT_WORK || (e->flags & OPARI_ENTRY_PART) != 0 ||
                       e->region == NULL) ||
        !pomp_is_loop(e))
        return NULL;
    if (first) {
        if (OPARI_UNLIKELY(pomp_dealt_foreign(t))) {
            e->flags &= (short)~OPARI_ENTRY_ACQUIRED; /* see pomp_dealt_tell */
            return NULL;
        }
        e->flags |= OPARI_ENTRY_ACQUIRED;
        pomp_dealt_begin(e, origin, step);
        if (OPARI_UNLIKELY(!OPARI_LOAD(&pomp_dealing.known)))
            pomp_dealt_measure();
    }
    return (e->flags & OPARI_ENTRY_ACQUIRED) != 0 ? e : NULL;
}

/* Returns the time before a call of the runtime that is to be timed; 0 before others. */
OPARI_INLINE uint64_t pomp_dealt_from(const struct opari_entry *e, int first)
{
    return e != NULL && (first || OPARI_UNLIKELY(e->of.loop.calls == e->of.loop.due))
               ? pomp_instant()
               : 0;
}

static void pomp_dealt_record(struct opari_thread *t, const struct opari_entry *e,
                              const struct rec_dealt *w)
{
    opari_event_enter(t, e->region);
    trc_dealt(w);
    rec_dealt(w);
    opari_event_end();
}

/* Passes on what is in the entry and begins anew. */
static OPARI_NOINLINE void pomp_dealt_tell(struct opari_entry *e)
{
    struct opari_thread *t = opari_self;
    const int64_t step = e->of.loop.step;
    const uint64_t by = step == 0 ? 1 : step > 0 ? (uint64_t)step : 0 - (uint64_t)step;
    const uint64_t origin = step == 0 ? 0 : e->of.loop.origin; /* see pomp_chunk */
    const uint64_t before = step >= 0 ? e->of.loop.from - origin : origin - e->of.loop.from,
                   last = step >= 0 ? e->of.loop.to - e->of.loop.from
                                    : e->of.loop.from - e->of.loop.to;
    const uint32_t chunks = e->of.loop.calls;
    const double each =
        (double)OPARI_LOAD(&pomp_dealing.plain) / (double)REC_DEALT_OWN +
        (e->of.loop.timed == 0 ? 0 : (double)(int64_t)e->of.loop.ticks / e->of.loop.timed);
    const struct rec_dealt w = {
        .chunks = chunks,
        .own = OPARI_LOAD(&pomp_dealing.own),
        .iterations = e->of.loop.span / by + (e->of.loop.span % by != 0),
        .ticks = e->of.loop.first + (each > 0 ? (uint64_t)(each * chunks) : 0),
        .before = before / by,
        /* Of a static schedule, threads may have chunks left when others have none. */
        .last =
            pomp_loop_type(e->region) != ompt_work_loop_static ? last / by + (last % by != 0) : 0,
    };
    pomp_dealt_begin(e, e->of.loop.origin, (uint64_t)step);
    if (OPARI_UNLIKELY(pomp_dealt_foreign(t)))
        e->flags &= (short)~OPARI_ENTRY_ACQUIRED; /* the loop outside tells nothing more */
    else if (w.chunks > 0)
        pomp_dealt_record(t, e, &w);
}

/* Counts the time of a call, beside that of the same call alone. */
static OPARI_NOINLINE void pomp_dealt_timed(struct opari_entry *e, uint64_t took)
{
    const uint64_t alone = pomp_reference_time();
    e->of.loop.due += POMP_TIMED;
    if (took < POMP_INTERRUPTED && alone < POMP_INTERRUPTED) {
        e->of.loop.ticks += took - alone;
        e->of.loop.timed++;
    }
}

/* Counts a call of the runtime that began at a time; 0: it is not timed. The call that meets the
 * loop brings a chunk, and the last one brings none. So the others are as many as the chunks. */
OPARI_INLINE void pomp_dealt_one(struct opari_entry *e, uint64_t began, int first, int got,
                                 uint64_t from, uint64_t to)
{
    if (OPARI_UNLIKELY(began != 0)) {
        const uint64_t took = pomp_instant() - began;
        if (first) {
            const uint32_t timed = OPARI_LOAD(&pomp_dealing.timed);
            e->of.loop.first = took < POMP_INTERRUPTED && took > timed ? (uint32_t)took - timed : 0;
        } else {
            pomp_dealt_timed(e, took);
        }
    }
    if (got) {
        e->of.loop.span += e->of.loop.step >= 0 ? to - from : from - to;
        e->of.loop.from = from;
        e->of.loop.to = to;
    }
    if (!first)
        e->of.loop.calls++;
    if (OPARI_UNLIKELY(!got || e->of.loop.calls >= POMP_DEALT_MOST))
        pomp_dealt_tell(e);
}

/* Does what loop.c does for a chunk. */
static OPARI_NOINLINE _Bool pomp_dealt_again(long *from, long *to, _Bool (*next)(long *, long *))
{
    struct opari_entry *e = pomp_dealt_loop(0, 0, 0);
    const uint64_t began = pomp_dealt_from(e, 0);
    const _Bool got = next(from, to);
    if (OPARI_LIKELY(e != NULL))
        pomp_dealt_one(e, began, 0, got, (uint64_t)*from, (uint64_t)*to);
    return got;
}

/* Measures once in a process what measuring takes, on the thread that meets a loop first. As in
 * rec_calibrate, the shortest of several batches counts. It takes some 20 us. */
static OPARI_COLD void pomp_dealt_measure(void)
{
    if (__atomic_exchange_n(&pomp_dealing.known, 1, __ATOMIC_RELAXED))
        return;
    struct opari_entry *e = opari_self->top;
    _Bool (*volatile next)(long *, long *) = pomp_reference;
    uint64_t timed = UINT32_MAX, plain = UINT32_MAX, counted = UINT32_MAX;
    for (int batch = 0; batch < POMP_DEALT_BATCHES; batch++) {
        long from, to;
        const uint64_t alone = pomp_reference_time(), start = pomp_instant();
        for (int i = 0; i < REC_DEALT_OWN; i++)
            (void)next(&from, &to);
        const uint64_t between = pomp_instant();
        for (int i = 0; i < REC_DEALT_OWN; i++)
            (void)pomp_dealt_again(&from, &to, next);
        const uint64_t took = pomp_instant() - between;
        timed = alone < timed ? alone : timed;
        plain = between - start < plain ? between - start : plain;
        counted = took < counted ? took : counted;
    }
    const uint64_t one = plain / REC_DEALT_OWN;
    OPARI_STORE(&pomp_dealing.timed, (uint32_t)(timed > one ? timed - one : 0));
    OPARI_STORE(&pomp_dealing.plain, (uint32_t)plain);
    OPARI_STORE(&pomp_dealing.own, (uint32_t)(counted > plain ? counted - plain : 0));
    pomp_dealt_begin(e, e->of.loop.origin, (uint64_t)e->of.loop.step);
}
