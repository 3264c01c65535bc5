/* next.c: how the library defines routines with the runtime's names, and how it finds the runtime's
 * own.
 */
#include "../state/state.h"

#define POMP_X(name, routine, kind) extern void routine(void *lock) __attribute__((weak));
FOREACH_POMP_LOCK(POMP_X)
#undef POMP_X
#define POMP_X(name, routine, kind) extern void routine(void *lock, int hint) __attribute__((weak));
FOREACH_POMP_LOCK_WITH_HINT(POMP_X)
#undef POMP_X
#define POMP_X(name, routine, kind) extern int routine(void *lock) __attribute__((weak));
FOREACH_POMP_TEST_LOCK(POMP_X)
#undef POMP_X

/* GCC's runtime has each routine in two versions: before OpenMP 3.0, nestable locks belonged to
 * threads and had another layout. A shared library that is not linked with the runtime names no
 * version and would get the old ones. A lookup by name in the loader gives the default version. */
#ifdef OPARI_SHARED
#include <dlfcn.h>
#include <errno.h>

static OPARI_COLD void *pomp_default(void **kept, const char *name, void *bound)
{
    int saved = errno;
    void *found = dlsym != NULL ? dlsym(RTLD_DEFAULT, name) : NULL;
    errno = saved;
    if (found == NULL)
        return bound;
    OPARI_RELEASE(kept, found);
    return found;
}

#define POMP_BEHIND RTLD_DEFAULT /* none of the library's definitions is visible there */
static OPARI_COLD void *pomp_next(void **cache, const char *name)
{
    return pomp_default(cache, name, NULL);
}

#define POMP_FIND(routine) \
    static void *kept; \
    void *found = OPARI_ACQUIRE(&kept); \
    if (OPARI_UNLIKELY(found == NULL)) \
        found = pomp_default(&kept, #routine, (void *)(uintptr_t)routine); \
    return (__typeof__(&routine))(uintptr_t)found;
#elif defined POMP_WRAPPED
/* In a static program, the linker directs the program's calls to the library's definitions, and the
 * library's calls to the runtime by a special name: see pomp/wrap.go. The names are weak, because
 * not every runtime has all of them. */
#define POMP_REAL(name, type) \
    extern __typeof__(type) pomp_real_##name __asm__("__real_" #name) __attribute__((weak))
#define POMP_FIND(routine) \
    POMP_REAL(routine, routine); \
    return pomp_real_##routine;
#elif defined POMP_INTERPOSE
/* The program's calls come to the library's definitions in gomp/fortran_lock.c; the runtime's
 * definitions are the next ones. */
#include <dlfcn.h>
#define POMP_BEHIND RTLD_NEXT
#define POMP_FIND(routine) \
    static void *kept; \
    void *found = OPARI_ACQUIRE(&kept); \
    if (OPARI_UNLIKELY(found == NULL)) \
        found = pomp_next(&kept, #routine); \
    return (__typeof__(&routine))(uintptr_t)found;
static OPARI_COLD void *pomp_next(void **cache, const char *name)
{
    void *f = dlsym(POMP_BEHIND, name);
    OPARI_STORE(cache, f);
    return f;
}
#else
#define POMP_FIND(routine) return routine;
#endif

#define POMP_X(name, routine, kind) \
    static void (*pomp_##routine(void))(void *) { POMP_FIND(routine) }
FOREACH_POMP_LOCK(POMP_X)
#undef POMP_X
#define POMP_X(name, routine, kind) \
    static int (*pomp_##routine(void))(void *) { POMP_FIND(routine) }
FOREACH_POMP_TEST_LOCK(POMP_X)
#undef POMP_X

#define POMP_ORIGINAL(routine, lock) \
    do { \
        void (*original)(void *) = pomp_##routine(); \
        if (original != NULL) \
            original(lock); \
    } while (0)

#ifdef POMP_INTERPOSE

#ifdef OPARI_SHARED
/* None of the library's routines is visible, so runtime/redirect.c directs instrumented objects to
 * them. This table lists them. */
#define POMP_GOMP __attribute__((visibility("hidden")))
struct pomp_redirected {
    const char *name;
    void (*ours)(void);
};
#define POMP_REDIRECTS(routine) \
    static const struct pomp_redirected pomp_redirected_##routine \
        __attribute__((section("pomp_redirected"), used)) = {#routine, (void (*)(void))routine}
#else
#define POMP_GOMP __attribute__((weak, visibility("default")))
#define POMP_REDIRECTS(routine) _Static_assert(1, "")

#ifndef POMP_WRAPPED
/* This reference is strong. A static program has no next definition, so its link fails here instead
 * of the program at run time. */
extern const char pomp_dynamic[] __asm__("_DYNAMIC") __attribute__((visibility("hidden")));
static const char *volatile pomp_only_dynamic __attribute__((used)) = pomp_dynamic;
#endif

/* This one is strong too. With the definitions here, the program may need nothing else from the
 * runtime, and the linker would omit it. */
extern int omp_get_dynamic(void);
static int (*volatile pomp_needs_runtime)(void) __attribute__((used)) = omp_get_dynamic;
#endif

#ifdef POMP_WRAPPED
#define POMP_NEXT(name) \
    POMP_REAL(name, *(pomp_##name##_t)0); \
    const pomp_##name##_t next = pomp_real_##name
#define POMP_NEXT_OF(name, parameters, arguments) \
    typedef void(*pomp_##name##_t) parameters; \
    POMP_REAL(name, *(pomp_##name##_t)0); \
    static const pomp_##name##_t pomp_next_##name = pomp_real_##name;
#else
/* Finds the runtime's routine, in the body of the library's definition of name. */
#define POMP_NEXT(name) \
    POMP_REDIRECTS(name); \
    static void *cache; \
    void *address = OPARI_LOAD(&cache); \
    if (OPARI_UNLIKELY(address == NULL)) \
        address = pomp_next(&cache, #name); \
    const pomp_##name##_t next = (pomp_##name##_t)(uintptr_t)address

/* Provides the same as pomp_next_NAME, for routines that are called often. The pointer first refers
 * to a function that finds the runtime's routine and then replaces itself. So a call saves no
 * registers for a lookup that does not happen. */
#define POMP_NEXT_OF(name, parameters, arguments) \
    typedef void(*pomp_##name##_t) parameters; \
    POMP_GOMP void name parameters; \
    POMP_REDIRECTS(name); \
    static void pomp_first_##name parameters; \
    static pomp_##name##_t pomp_next_##name = pomp_first_##name; \
    static OPARI_COLD void pomp_first_##name parameters \
    { \
        pomp_##name##_t found = (pomp_##name##_t)(uintptr_t)dlsym(POMP_BEHIND, #name); \
        OPARI_STORE(&pomp_next_##name, found); \
        found arguments; \
    }
#endif

#endif
