/* locks.c: the lock routines, which call the original and report around it. On a thread that is
 * already in an event, such as in a tool that uses locks, they only call the original.
 */
#include "../state/state.h"

OPARI_INLINE int pomp_test(int (*original)(void *), void *lock)
{
    return original != NULL ? original(lock) : 0;
}

OPARI_INLINE ompt_wait_id_t pomp_lock_id(const void *lock)
{
    return (ompt_wait_id_t)(uintptr_t)lock;
}

/* The thread leaves the event while it waits, because a signal handler may then run instrumented
 * code. Returns the state to restore, or -1 if there is no event. */
OPARI_INLINE int pomp_acquire(struct opari_thread *t, int kind, void *lock, const void *ra)
{
    if (OPARI_UNLIKELY(t == NULL))
        return -1;
    const int state = t->state;
    t->wait_id = pomp_lock_id(lock);
    t->state = ompt_state_wait_lock;
    opari_raise_mutex_acquire(kind, 0, pomp_lock_id(lock), ra);
    opari_event_end();
    return state;
}

/* Restores the state of a thread that has got the lock. */
OPARI_INLINE struct opari_thread *pomp_acquired(struct ompregdescr *d, int state)
{
    struct opari_thread *t = state >= 0 ? opari_event_begin(d) : NULL;
    if (t == NULL)
        return NULL;
    t->state = state;
    t->wait_id = 0;
    return t;
}

OPARI_INLINE struct opari_thread *pomp_again(struct opari_thread *t, struct ompregdescr *d)
{
    return t != NULL ? opari_event_begin(d) : NULL;
}

POMP_OFTEN void POMP_Set_lock(struct ompregdescr *d, void *lock)
{
    const int state = pomp_acquire(opari_event_begin(d), ompt_mutex_lock, lock, POMP_CALLER);
    POMP_ORIGINAL(omp_set_lock, lock);
    struct opari_thread *t = pomp_acquired(d, state);
    if (t == NULL)
        return;
    opari_raise_mutex_acquired(ompt_mutex_lock, pomp_lock_id(lock), POMP_CALLER);
    opari_event_end();
}

POMP_OFTEN void POMP_Unset_lock(struct ompregdescr *d, void *lock)
{
    POMP_ORIGINAL(omp_unset_lock, lock);
    struct opari_thread *t = opari_event_begin(d);
    if (t == NULL)
        return;
    opari_raise_mutex_released(ompt_mutex_lock, pomp_lock_id(lock), POMP_CALLER);
    opari_event_end();
}

POMP_API int POMP_Test_lock(struct ompregdescr *d, void *lock)
{
    struct opari_thread *t = opari_event_begin(d);
    if (t != NULL)
        opari_raise_mutex_acquire(ompt_mutex_test_lock, 0, pomp_lock_id(lock), POMP_CALLER);
    int got = pomp_test(pomp_omp_test_lock(), lock);
    if (t == NULL)
        return got;
    if (got)
        opari_raise_mutex_acquired(ompt_mutex_test_lock, pomp_lock_id(lock), POMP_CALLER);
    opari_event_end();
    return got;
}

/* The owner of a nestable lock gets it again at once. Only the runtime knows the owner, so the
 * library counts the depth per thread. */
POMP_OFTEN void POMP_Set_nest_lock(struct ompregdescr *d, void *lock)
{
    const int state = pomp_acquire(opari_event_begin(d), ompt_mutex_nest_lock, lock, POMP_CALLER);
    POMP_ORIGINAL(omp_set_nest_lock, lock);
    struct opari_thread *t = pomp_acquired(d, state);
    if (t == NULL)
        return;
    if (opari_nest_set(t, pomp_lock_id(lock)) == 1)
        opari_raise_mutex_acquired(ompt_mutex_nest_lock, pomp_lock_id(lock), POMP_CALLER);
    else
        opari_raise_nest_lock(ompt_scope_begin, pomp_lock_id(lock), POMP_CALLER);
    opari_event_end();
}

POMP_OFTEN void POMP_Unset_nest_lock(struct ompregdescr *d, void *lock)
{
    POMP_ORIGINAL(omp_unset_nest_lock, lock);
    struct opari_thread *t = opari_event_begin(d);
    if (t == NULL)
        return;
    if (opari_nest_unset(t, pomp_lock_id(lock)) == 0)
        opari_raise_mutex_released(ompt_mutex_nest_lock, pomp_lock_id(lock), POMP_CALLER);
    else
        opari_raise_nest_lock(ompt_scope_end, pomp_lock_id(lock), POMP_CALLER);
    opari_event_end();
}

POMP_API int POMP_Test_nest_lock(struct ompregdescr *d, void *lock)
{
    struct opari_thread *t = opari_event_begin(d);
    if (t != NULL)
        opari_raise_mutex_acquire(ompt_mutex_test_nest_lock, 0, pomp_lock_id(lock), POMP_CALLER);
    int depth = pomp_test(pomp_omp_test_nest_lock(), lock);
    if (t == NULL)
        return depth;
    if (depth > 0)
        (void)opari_nest_depth(t, pomp_lock_id(lock), 1);
    if (depth == 1)
        opari_raise_mutex_acquired(ompt_mutex_test_nest_lock, pomp_lock_id(lock), POMP_CALLER);
    else if (depth > 1)
        opari_raise_nest_lock(ompt_scope_begin, pomp_lock_id(lock), POMP_CALLER);
    opari_event_end();
    return depth;
}

static void pomp_lock_made(struct ompregdescr *d, int kind, unsigned hint, const void *lock,
                           int made, const void *ra)
{
    struct opari_thread *t = opari_event_begin(d);
    if (t == NULL)
        return;
    if (made)
        opari_raise_lock_init(kind, hint, pomp_lock_id(lock), ra);
    else
        opari_raise_lock_destroy(kind, pomp_lock_id(lock), ra);
    opari_event_end();
}

#define POMP_LOCK_LIFE(name, routine, kind, made) \
    POMP_API void POMP_##name(struct ompregdescr *d, void *lock) \
    { \
        POMP_ORIGINAL(routine, lock); \
        pomp_lock_made(d, kind, 0, lock, made, POMP_CALLER); \
    }
POMP_LOCK_LIFE(Init_lock, omp_init_lock, ompt_mutex_lock, 1)
POMP_LOCK_LIFE(Init_nest_lock, omp_init_nest_lock, ompt_mutex_nest_lock, 1)
POMP_LOCK_LIFE(Destroy_lock, omp_destroy_lock, ompt_mutex_lock, 0)
POMP_LOCK_LIFE(Destroy_nest_lock, omp_destroy_nest_lock, ompt_mutex_nest_lock, 0)

/* libgomp 12 has no routine with a hint. */
#define POMP_LOCK_HINT(name, routine, plain, kind) \
    POMP_API void POMP_##name(struct ompregdescr *d, void *lock, int hint) \
    { \
        if (routine != NULL) \
            routine(lock, hint); \
        else \
            POMP_ORIGINAL(plain, lock); \
        pomp_lock_made(d, kind, (unsigned)hint, lock, 1, POMP_CALLER); \
    }
POMP_LOCK_HINT(Init_lock_with_hint, omp_init_lock_with_hint, omp_init_lock, ompt_mutex_lock)
POMP_LOCK_HINT(Init_nest_lock_with_hint, omp_init_nest_lock_with_hint, omp_init_nest_lock,
               ompt_mutex_nest_lock)
