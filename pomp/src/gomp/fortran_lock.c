/* fortran_lock.c: Fortran's lock routines; see interposed.c. A Fortran program may call them by any
 * name that it gives them, so opari does not replace them in its text.
 */
#include "../state/state.h"

/* All calls of a routine are one region, because their place in the source is unknown. */
enum pomp_lock_region {
#define POMP_X(name, routine, kind) POMP_REGION_##routine,
    FOREACH_POMP_LOCK(POMP_X) FOREACH_POMP_TEST_LOCK(POMP_X)
#undef POMP_X
        POMP_LOCK_REGIONS
};

static struct ompregdescr pomp_lock_region[POMP_LOCK_REGIONS] = {
#define POMP_X(id, routine, of) \
    {.name = POMP_KIND_##of == POMP_KIND_LOCK ? "lock" : "nest_lock", \
     .sub_name = #routine, \
     .directive = #routine, \
     .file_name = "", \
     .kind = POMP_KIND_##of},
    FOREACH_POMP_LOCK(POMP_X) FOREACH_POMP_TEST_LOCK(POMP_X)
#undef POMP_X
};
static struct pomp_unit pomp_lock_unit = {POMP_ABI_1, POMP_LOCK_REGIONS, pomp_lock_region, 0, NULL};

/* A program may initialize a lock before it meets its first region. */
static OPARI_COLD void pomp_lock_first(void) { pomp_unit_1(&pomp_lock_unit); }

static OPARI_COLD void pomp_lock_once(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    (void)pthread_once(&once, pomp_lock_first);
}

OPARI_INLINE struct opari_thread *pomp_lock_event(enum pomp_lock_region region)
{
    if (OPARI_UNLIKELY(OPARI_ACQUIRE(&pomp_lock_unit.next) == NULL))
        pomp_lock_once();
    return OPARI_UNLIKELY(pomp_measures()) ? opari_event_begin(&pomp_lock_region[region]) : NULL;
}

static void pomp_lock_acquired(int kind, void *lock, int depth, const void *ra)
{
    if (depth == 1)
        opari_raise_mutex_acquired(kind, pomp_lock_id(lock), ra);
    else if (depth > 1)
        opari_raise_nest_lock(ompt_scope_begin, pomp_lock_id(lock), ra);
}

/* The linker's name of the routine ends in an underscore. */
#define POMP_FORTRAN_LOCK(name, type) \
    typedef type (*pomp_##name##__t)(void *); \
    POMP_GOMP type name##_(void *lock); \
    POMP_GOMP type name##_(void *lock)

#define POMP_FORTRAN_LOCK_LIFE(name, kind, made) \
    POMP_FORTRAN_LOCK(name, void) \
    { \
        POMP_NEXT(name##_); \
        next(lock); \
        struct opari_thread *t = pomp_lock_event(POMP_REGION_##name); \
        if (t == NULL) \
            return; \
        if (made) \
            opari_raise_lock_init(kind, 0, pomp_lock_id(lock), POMP_CALLER); \
        else \
            opari_raise_lock_destroy(kind, pomp_lock_id(lock), POMP_CALLER); \
        opari_event_end(); \
    }
POMP_FORTRAN_LOCK_LIFE(omp_init_lock, ompt_mutex_lock, 1)
POMP_FORTRAN_LOCK_LIFE(omp_destroy_lock, ompt_mutex_lock, 0)
POMP_FORTRAN_LOCK_LIFE(omp_init_nest_lock, ompt_mutex_nest_lock, 1)
POMP_FORTRAN_LOCK_LIFE(omp_destroy_nest_lock, ompt_mutex_nest_lock, 0)

#define POMP_FORTRAN_LOCK_SET(name, kind, depth) \
    POMP_FORTRAN_LOCK(name, void) \
    { \
        POMP_NEXT(name##_); \
        const int state = \
            pomp_acquire(pomp_lock_event(POMP_REGION_##name), kind, lock, POMP_CALLER); \
        next(lock); \
        struct opari_thread *t = pomp_acquired(&pomp_lock_region[POMP_REGION_##name], state); \
        if (OPARI_LIKELY(t == NULL)) \
            return; \
        pomp_lock_acquired(kind, lock, depth, POMP_CALLER); \
        opari_event_end(); \
    }
POMP_FORTRAN_LOCK_SET(omp_set_lock, ompt_mutex_lock, 1)
POMP_FORTRAN_LOCK_SET(omp_set_nest_lock, ompt_mutex_nest_lock,
                      (int)opari_nest_set(t, pomp_lock_id(lock)))

POMP_FORTRAN_LOCK(omp_unset_lock, void)
{
    POMP_NEXT(omp_unset_lock_);
    next(lock);
    struct opari_thread *t = pomp_lock_event(POMP_REGION_omp_unset_lock);
    if (t == NULL)
        return;
    opari_raise_mutex_released(ompt_mutex_lock, pomp_lock_id(lock), POMP_CALLER);
    opari_event_end();
}

POMP_FORTRAN_LOCK(omp_unset_nest_lock, void)
{
    POMP_NEXT(omp_unset_nest_lock_);
    next(lock);
    struct opari_thread *t = pomp_lock_event(POMP_REGION_omp_unset_nest_lock);
    if (t == NULL)
        return;
    if (opari_nest_unset(t, pomp_lock_id(lock)) == 0)
        opari_raise_mutex_released(ompt_mutex_nest_lock, pomp_lock_id(lock), POMP_CALLER);
    else
        opari_raise_nest_lock(ompt_scope_end, pomp_lock_id(lock), POMP_CALLER);
    opari_event_end();
}

/* The results are a default logical that says whether the lock was acquired, and the number of
 * times that the task has the lock. */
POMP_FORTRAN_LOCK(omp_test_lock, int)
{
    POMP_NEXT(omp_test_lock_);
    struct opari_thread *t = pomp_lock_event(POMP_REGION_omp_test_lock);
    if (t != NULL)
        opari_raise_mutex_acquire(ompt_mutex_test_lock, 0, pomp_lock_id(lock), POMP_CALLER);
    int got = next(lock);
    if (t == NULL)
        return got;
    pomp_lock_acquired(ompt_mutex_test_lock, lock, got != 0, POMP_CALLER);
    opari_event_end();
    return got;
}

POMP_FORTRAN_LOCK(omp_test_nest_lock, int)
{
    POMP_NEXT(omp_test_nest_lock_);
    struct opari_thread *t = pomp_lock_event(POMP_REGION_omp_test_nest_lock);
    if (t != NULL)
        opari_raise_mutex_acquire(ompt_mutex_test_nest_lock, 0, pomp_lock_id(lock), POMP_CALLER);
    int depth = next(lock);
    if (t == NULL)
        return depth;
    if (depth > 0)
        (void)opari_nest_depth(t, pomp_lock_id(lock), 1);
    pomp_lock_acquired(ompt_mutex_test_nest_lock, lock, depth, POMP_CALLER);
    opari_event_end();
    return depth;
}

#ifndef OPARI_SHARED
/* LLVM's module omp_lib binds the names without an underscore, which C uses too. opari replaces C's
 * calls in the text, or cannot see them. They therefore go on to the runtime unless there is
 * Fortran. */
#define POMP_X(id, routine, of) \
    POMP_GOMP void routine(void *lock) \
    { \
        if (OPARI_LOAD(&pomp_fortran_used)) \
            routine##_(lock); \
        else \
            pomp_##routine()(lock); \
    }
FOREACH_POMP_LOCK(POMP_X)
#undef POMP_X
#define POMP_X(id, routine, of) \
    POMP_GOMP int routine(void *lock) \
    { \
        return OPARI_LOAD(&pomp_fortran_used) ? routine##_(lock) : pomp_##routine()(lock); \
    }
FOREACH_POMP_TEST_LOCK(POMP_X)
#undef POMP_X
#endif
