/* pomp_gomp_lock.c: Fortran's lock routines: see pomp_gomp.c. A Fortran program may call them by any name that it gives them, so they are
 * not replaced in its text.
 */
#include "pomp_lib.h"

/* A lock may be made before the program meets its first region. */
static struct opari_thread *pomp_lock_event(void)
{
    if (OPARI_UNLIKELY(!pomp.started)) {
        pthread_mutex_lock(&pomp.lock);
        pomp_start();
        pthread_mutex_unlock(&pomp.lock);
    }
    return OPARI_UNLIKELY(pomp_is_active()) ? opari_event_begin(NULL) : NULL;
}

static void pomp_lock_got(int kind, void *lock, int depth, const void *ra)
{
    if (depth == 1)
        opari_fire_mutex_acquired(kind, pomp_lock_id(lock), ra);
    else if (depth > 1)
        opari_fire_nest_lock(ompt_scope_begin, pomp_lock_id(lock), ra);
}

#define POMP_FORTRAN_LOCK(name, type)                                                                                          \
    typedef type (*pomp_##name##_t)(void *);                                                                                   \
    POMP_GOMP type name(void *lock);                                                                                           \
    POMP_GOMP type name(void *lock)

#define POMP_FORTRAN_LOCK_LIFE(name, kind, made)                                                                               \
    POMP_FORTRAN_LOCK(name, void)                                                                                              \
    {                                                                                                                          \
        POMP_NEXT(name);                                                                                                       \
        next(lock);                                                                                                            \
        struct opari_thread *t = pomp_lock_event();                                                                            \
        if (t == NULL)                                                                                                         \
            return;                                                                                                            \
        if (made)                                                                                                              \
            opari_fire_lock_init(kind, 0, pomp_lock_id(lock), POMP_CALLER);                                                    \
        else                                                                                                                   \
            opari_fire_lock_destroy(kind, pomp_lock_id(lock), POMP_CALLER);                                                    \
        opari_event_end();                                                                                                    \
    }
POMP_FORTRAN_LOCK_LIFE(omp_init_lock_, ompt_mutex_lock, 1)
POMP_FORTRAN_LOCK_LIFE(omp_destroy_lock_, ompt_mutex_lock, 0)
POMP_FORTRAN_LOCK_LIFE(omp_init_nest_lock_, ompt_mutex_nest_lock, 1)
POMP_FORTRAN_LOCK_LIFE(omp_destroy_nest_lock_, ompt_mutex_nest_lock, 0)

#define POMP_FORTRAN_LOCK_SET(name, kind, depth)                                                                               \
    POMP_FORTRAN_LOCK(name, void)                                                                                              \
    {                                                                                                                          \
        POMP_NEXT(name);                                                                                                       \
        struct opari_thread *t = pomp_lock_event();                                                                            \
        pomp_acquire(t, kind, lock, POMP_CALLER);                                                                              \
        next(lock);                                                                                                            \
        if (OPARI_LIKELY(t == NULL) || (t = pomp_again(t, NULL)) == NULL)                                                      \
            return;                                                                                                            \
        t->state = t->lock_state;                                                                                              \
        t->wait_id = 0;                                                                                                        \
        pomp_lock_got(kind, lock, depth, POMP_CALLER);                                                                      \
        opari_event_end();                                                                                                    \
    }
POMP_FORTRAN_LOCK_SET(omp_set_lock_, ompt_mutex_lock, 1)
POMP_FORTRAN_LOCK_SET(omp_set_nest_lock_, ompt_mutex_nest_lock, (int)opari_nest_depth(t, pomp_lock_id(lock), 1))

POMP_FORTRAN_LOCK(omp_unset_lock_, void)
{
    POMP_NEXT(omp_unset_lock_);
    next(lock);
    struct opari_thread *t = pomp_lock_event();
    if (t == NULL)
        return;
    opari_fire_mutex_released(ompt_mutex_lock, pomp_lock_id(lock), POMP_CALLER);
    opari_event_end();
}

POMP_FORTRAN_LOCK(omp_unset_nest_lock_, void)
{
    POMP_NEXT(omp_unset_nest_lock_);
    next(lock);
    struct opari_thread *t = pomp_lock_event();
    if (t == NULL)
        return;
    if (opari_nest_depth(t, pomp_lock_id(lock), -1) == 0)
        opari_fire_mutex_released(ompt_mutex_nest_lock, pomp_lock_id(lock), POMP_CALLER);
    else
        opari_fire_nest_lock(ompt_scope_end, pomp_lock_id(lock), POMP_CALLER);
    opari_event_end();
}

/* Logical of the default kind: whether it is got; the number of times that the task has the lock. */
POMP_FORTRAN_LOCK(omp_test_lock_, int)
{
    POMP_NEXT(omp_test_lock_);
    struct opari_thread *t = pomp_lock_event();
    if (t != NULL)
        opari_fire_mutex_acquire(ompt_mutex_test_lock, 0, pomp_lock_id(lock), POMP_CALLER);
    int got = next(lock);
    if (t == NULL)
        return got;
    pomp_lock_got(ompt_mutex_test_lock, lock, got != 0, POMP_CALLER);
    opari_event_end();
    return got;
}

POMP_FORTRAN_LOCK(omp_test_nest_lock_, int)
{
    POMP_NEXT(omp_test_nest_lock_);
    struct opari_thread *t = pomp_lock_event();
    if (t != NULL)
        opari_fire_mutex_acquire(ompt_mutex_test_nest_lock, 0, pomp_lock_id(lock), POMP_CALLER);
    int depth = next(lock);
    if (t == NULL)
        return depth;
    if (depth > 0)
        (void)opari_nest_depth(t, pomp_lock_id(lock), 1);
    pomp_lock_got(ompt_mutex_test_nest_lock, lock, depth, POMP_CALLER);
    opari_event_end();
    return depth;
}
