/* fortran_locks.c: the lock routines of Fortran.
 *
 * Fortran calls the runtime's routines by their own names, which nobody can safely replace in the
 * text. So this file defines them, where a unit in Fortran names one. The library's own calls go
 * on to the runtime. The definitions are weak, because a static program may take the runtime's.
 */
#ifdef POMP2_FORTRAN_LOCKS

#ifdef __cplusplus
extern "C" {
#endif
extern POMP2_WEAK void *dlsym(void *handle, const char *name);
extern POMP2_WEAK void __kmpc_barrier(void *where, int32_t thread);
#ifdef __cplusplus
}
#endif

/* Where the program's units are not known, library and runtime need not have these routines. */
#ifdef POMP2_FORTRAN_LOCKS_UNKNOWN
#define POMP2_LOCK extern POMP2_WEAK
#define POMP2_HAS_LOCK(routine) (routine != NULL)
#else
#define POMP2_LOCK extern
#define POMP2_HAS_LOCK(routine) 1
#endif

static __thread int pomp2_in_lock; /* the thread is in a lock routine of the library */

/* The runtime's routine, which *kept has after the first call. It is null in a static program. */
union pomp2_routine {
    void *found;
    void (*act)(void *lock);
    int (*test)(void *lock);
};
static union pomp2_routine pomp2_next(void **kept, const char *name)
{
    union pomp2_routine r;
    r.found = __atomic_load_n(kept, __ATOMIC_RELAXED);
    if (r.found == NULL && dlsym != NULL) {
        r.found = dlsym((void *)(intptr_t)-1, name); /* RTLD_NEXT */
        __atomic_store_n(kept, r.found, __ATOMIC_RELAXED);
    }
    return r;
}

/* What C's routine takes for a lock of Fortran. GNU's runtime has the address of a nestable lock in
 * it, and allocates that; LLVM's has the same locks in both languages. */
static void *pomp2_simple(void *lock) { return lock; }
static void *pomp2_nestable(void *lock) { return __kmpc_barrier != NULL ? lock : *(void **)lock; }
static void *pomp2_new_nestable(void *lock)
{
    if (__kmpc_barrier == NULL)
        *(void **)lock = calloc(1, 64);
    return pomp2_nestable(lock);
}

/* X(name, type, member, is, result, as): a lock routine, its type, how its result is kept and
 * returned, and what C's routine takes for its lock. */
#define FOREACH_POMP2_FORTRAN_LOCK(X) \
    X(init_lock, void, act, , , pomp2_simple) \
    X(destroy_lock, void, act, , , pomp2_simple) \
    X(set_lock, void, act, , , pomp2_simple) \
    X(unset_lock, void, act, , , pomp2_simple) \
    X(test_lock, int, test, int is =, is, pomp2_simple) \
    X(init_nest_lock, void, act, , , pomp2_new_nestable) \
    X(destroy_nest_lock, void, act, , , pomp2_nestable) \
    X(set_nest_lock, void, act, , , pomp2_nestable) \
    X(unset_nest_lock, void, act, , , pomp2_nestable) \
    X(test_nest_lock, int, test, int is =, is, pomp2_nestable)

#ifdef __cplusplus
extern "C" {
#endif
#define POMP2_X(name, type, member, is, result, as) \
    POMP2_LOCK type omp_##name(void *lock); \
    POMP2_LOCK type pomp2_##name##_(void *lock); \
    extern POMP2_WEAK type omp_##name##_(void *lock); \
    type omp_##name##_(void *lock) \
    { \
        static void *kept; \
        if (POMP2_HAS_LOCK(pomp2_##name##_) && !pomp2_in_lock) { \
            pomp2_in_lock = 1; \
            is pomp2_##name##_(lock); \
            pomp2_in_lock = 0; \
            return result; \
        } \
        const union pomp2_routine next = pomp2_next(&kept, "omp_" #name "_"); \
        is next.found != NULL ? next.member(lock) : omp_##name(as(lock)); \
        return result; \
    }
FOREACH_POMP2_FORTRAN_LOCK(POMP2_X)
#undef POMP2_X

/* OpenMP allows to ignore hints. */
#define POMP2_X(name) \
    extern POMP2_WEAK void omp_##name##_with_hint_(void *lock, const intptr_t *hint); \
    void omp_##name##_with_hint_(void *lock, const intptr_t *hint) \
    { \
        (void)hint; \
        omp_##name##_(lock); \
    }
POMP2_X(init_lock)
POMP2_X(init_nest_lock)
#undef POMP2_X
#ifdef __cplusplus
}
#endif
#endif
