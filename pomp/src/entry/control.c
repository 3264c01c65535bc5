/* control.c: OpenMP routines that runtimes without a tool interface lack, so that a program that
 * uses them links. Where the runtime has its own routine, that one is called.
 */
#include "../omp_control.h"
#include "../state/state.h"

#define POMP_WEAK __attribute__((weak, visibility("default")))

static void *pomp_of_runtime(void **cache, const char *name)
{
    static char none;
    void *f = OPARI_LOAD(cache);
    if (f == NULL) {
        f = opari_runtime_symbol(name);
        OPARI_STORE(cache, f != NULL ? f : &none);
    }
    return f == &none ? NULL : f;
}

/* Sends the command to the tool. This also starts the tool, where it is the first OpenMP call of
 * the program, because the command may ask the tool to begin. OpenMP 5.2 [18.14]: -2 means no tool,
 * -1 no tool that listens; otherwise the result is the tool's answer. */
static OPARI_COLD int pomp_raise_control(uint64_t command, uint64_t modifier, void *arg,
                                         const void *ra, void *frame)
{
    if (!OPARI_LOAD(
            &pomp.started)) /* Fortran's text registers the library only with its first event */
        POMP_Init();
    struct opari_thread *t = OPARI_LOAD(&pomp.wanted) ? opari_event_begin(NULL) : NULL;
    int answer = -2;
    if (t == NULL)
        return answer;
    if (opari_tools.count > opari_own_tools) {
        opari_set_enter_frame(t->task, frame);
        answer = opari_control_tool(command, modifier, arg, ra);
        opari_clear_enter_frame(t->task);
    }
    opari_event_end();
    return answer;
}

static int pomp_control_tool(int command, int modifier, void *arg, const void *ra, void *frame)
{
    static void *cache;
    int (*native)(int, int, void *) =
        (int (*)(int, int, void *))(uintptr_t)pomp_of_runtime(&cache, "omp_control_tool");
    return native != NULL
               ? native(command, modifier, arg)
               : pomp_raise_control((uint64_t)command, (uint64_t)modifier, arg, ra, frame);
}

POMP_WEAK int omp_control_tool(int command, int modifier, void *arg);
POMP_WEAK int omp_control_tool(int command, int modifier, void *arg)
{
    return pomp_control_tool(command, modifier, arg, POMP_CALLER, POMP_FRAME);
}

/* For Fortran. */
POMP_WEAK int omp_control_tool_(const int *command, const int *modifier, void *arg);
POMP_WEAK int omp_control_tool_(const int *command, const int *modifier, void *arg)
{
    return pomp_control_tool(*command, *modifier, arg, POMP_CALLER, POMP_FRAME);
}

/* The routine of the older generations, for the same tools. The commands are the same, and there is
 * no answer. */
static void pomp_control(uint64_t command, uint64_t modifier, const void *ra, void *frame)
{
    static void *cache;
    void (*native)(uint64_t, uint64_t) =
        (void (*)(uint64_t, uint64_t))(uintptr_t)pomp_of_runtime(&cache, "ompt_control");
    if (native != NULL)
        native(command, modifier);
    else
        (void)pomp_raise_control(command, modifier, NULL, ra, frame);
}

POMP_WEAK void ompt_control(uint64_t command, uint64_t modifier);
POMP_WEAK void ompt_control(uint64_t command, uint64_t modifier)
{
    pomp_control(command, modifier, POMP_CALLER, POMP_FRAME);
}

/* For Fortran, with integer*8 arguments. */
POMP_WEAK void ompt_control_(const uint64_t *command, const uint64_t *modifier);
POMP_WEAK void ompt_control_(const uint64_t *command, const uint64_t *modifier)
{
    pomp_control(*command, *modifier, POMP_CALLER, POMP_FRAME);
}

/* OpenMP 5.2 [18.9.2] allows an implementation to ignore a hint. */
#define POMP_WITH_HINT(name, plain) \
    POMP_WEAK void name(void *lock, int hint); \
    POMP_WEAK void name(void *lock, int hint) \
    { \
        static void *cache; \
        void (*native)(void *, int) = \
            (void (*)(void *, int))(uintptr_t)pomp_of_runtime(&cache, #name); \
        if (native != NULL) \
            native(lock, hint); \
        else \
            POMP_ORIGINAL(plain, lock); \
    } \
    POMP_WEAK void name##_(void *lock, const int *hint); \
    POMP_WEAK void name##_(void *lock, const int *hint) { name(lock, *hint); }
POMP_WITH_HINT(omp_init_lock_with_hint, omp_init_lock)
POMP_WITH_HINT(omp_init_nest_lock_with_hint, omp_init_nest_lock)
