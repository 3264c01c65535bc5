/* parallel_reductions.c: parallel regions with reductions that tasks take part in; see
 * interposed.c. */
#include "../state/state.h"

/* The runtime finds the reductions by the first word of the data. Under ThreadSanitizer it gets
 * this structure instead of the data, as in pomp_unseen_run. */
struct pomp_watched {
    void *reduces;
    void (*fn)(void *);
    void *data;
};

static void pomp_watched_reductions(void *watched)
{
    struct pomp_watched *w = watched;
    __tsan_acquire(&w->fn);
    w->fn(w->data);
    __tsan_release(&w->data);
}

typedef unsigned (*pomp_GOMP_parallel_reductions_t)(void (*)(void *), void *, unsigned, unsigned);
POMP_GOMP unsigned GOMP_parallel_reductions(void (*fn)(void *), void *data, unsigned threads,
                                            unsigned flags);
POMP_GOMP unsigned GOMP_parallel_reductions(void (*fn)(void *), void *data, unsigned threads,
                                            unsigned flags)
{
    POMP_NEXT(GOMP_parallel_reductions);
    struct opari_thread *t = pomp_observer();
    if (t != NULL) {
        if (t->top->what == OPARI_AT_FORK) {
            pomp_note(t->top->of.parallel->data, fn);
            opari_parallel_raise_begin(t, t->top->of.parallel);
        }
        opari_event_end();
    }
    if (OPARI_LIKELY(t == NULL || __tsan_acquire == NULL || __tsan_release == NULL))
        return next(fn, data, threads, flags);
    struct pomp_watched w = {*(void **)data, fn, data};
    __tsan_release(&w.fn);
    const unsigned size = next(pomp_watched_reductions, &w, threads, flags);
    __tsan_acquire(&w.data);
    return size;
}
