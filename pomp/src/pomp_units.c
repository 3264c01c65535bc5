/* pomp_units.c: the library's life: environment, units, on and off, fork, end. */
#include "pomp_lib.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define POMP_API __attribute__((visibility("default")))

/* The common block of every instrumented Fortran file; see pomp_fortran.c. active is 1 until the first event shows whether anything
 * is measured. */
extern struct pomp_fortran_block {
    volatile intptr_t active;
    void (*event)(const int *event, const int *region, intptr_t *slot, const char *text);
    intptr_t spare[2];
} pomp_fortran_1 POMP_API;

static struct pomp_unit pomp_no_unit; /* ends the list, so that next is null in a unit that is not in it */

static struct {
    pthread_mutex_t lock;
    struct pomp_unit *units;
    int started;  /* the environment has been read and the bridge started, if it is to */
    int wanted;   /* the environment asks for measuring */
    int off;      /* pomp_off() */
    int finished; /* pomp_finalize(), or the end of the process */
} pomp = {PTHREAD_MUTEX_INITIALIZER, &pomp_no_unit, 0, 0, 0, 0};

static int pomp_is_active(void) { return pomp.wanted && !pomp.off && !pomp.finished; }

/* With the lock held. */
static void pomp_tell_units(void)
{
    int active = pomp_is_active();
    for (struct pomp_unit *u = pomp.units; u != &pomp_no_unit; u = u->next)
        __atomic_store_n(&u->active, active, __ATOMIC_RELAXED);
    pomp_fortran_1.active = active;
}

static const char *pomp_kind_name(unsigned kind)
{
    static const char *const names[POMP_KINDS] = {
#define POMP_X(constant, number, name) [number] = name,
        FOREACH_POMP_KIND(POMP_X)
#undef POMP_X
    };
    return kind < POMP_KINDS && names[kind] != NULL ? names[kind] : "none";
}

static void pomp_before_fork(void)
{
    pthread_mutex_lock(&pomp.lock);
    opari_bridge_fork(opari_control_prepare);
}

static void pomp_after_fork_in_parent(void)
{
    opari_bridge_fork(opari_control_parent);
    pthread_mutex_unlock(&pomp.lock);
}

static void pomp_after_fork_in_child(void)
{
    opari_bridge_fork(opari_control_child);
    pthread_mutex_unlock(&pomp.lock);
}

/* What the environment asks for. The only place that reads it. */
static struct pomp_settings {
    int measure;
    const char *profile; /* null: none */
} pomp_environment(void)
{
    struct pomp_settings s = {0, NULL};
    const char *opari = getenv("OPARI"), *profile = getenv("OPARI_PROFILE");
    if (opari != NULL && strcmp(opari, "off") == 0)
        return s;
    if (profile != NULL && profile[0] != 0)
        s.profile = profile;
    s.measure = s.profile != NULL || (opari != NULL && strcmp(opari, "state") == 0);
    return s;
}

/* With the lock held; once in a process. */
static void pomp_start(void)
{
    if (pomp.started)
        return;
    pomp.started = 1;
    struct pomp_settings s = pomp_environment();
    if (!s.measure)
        return;
    int saved = errno;
    ompt_start_tool_result_t *(*const tools[])(unsigned, const char *) = {rec_start_tool};
    rec_configure(s.profile, pomp_kind_name);
    int n = opari_bridge_start(tools, s.profile != NULL ? 1 : 0);
    pomp.wanted = n > 0 || s.profile == NULL;
    if (pomp.wanted) {
        (void)opari_thread_first();
        (void)pthread_atfork(pomp_before_fork, pomp_after_fork_in_parent, pomp_after_fork_in_child);
    }
    errno = saved;
}

/* With the lock held: takes a unit back that is about to be unloaded. */
static void pomp_forget(struct pomp_unit *unit)
{
    struct pomp_unit **u = &pomp.units;
    while (*u != unit)
        u = &(*u)->next;
    *u = unit->next;
    unit->next = NULL;
    __atomic_store_n(&unit->active, 0, __ATOMIC_RELAXED);
    if (pomp.wanted)
        opari_bridge_unload(unit->region, unit->regions);
}

POMP_API void pomp_unit_1(struct pomp_unit *unit)
{
    if (unit == NULL || unit->abi != POMP_ABI_1)
        return;
    pthread_mutex_lock(&pomp.lock);
    pomp_start();
    if (unit->next != NULL) {
        pomp_forget(unit);
    } else {
        unit->next = pomp.units;
        pomp.units = unit;
        __atomic_store_n(&unit->active, pomp_is_active(), __ATOMIC_RELAXED);
    }
    pthread_mutex_unlock(&pomp.lock);
}

POMP_API void POMP_Init(void)
{
    pthread_mutex_lock(&pomp.lock);
    pomp_start();
    pomp.finished = 0;
    pomp_tell_units();
    pthread_mutex_unlock(&pomp.lock);
}

/* Ends what the calling thread has open: its exits will not come. */
static void pomp_close_own(void)
{
    struct opari_thread *t = opari_event_begin(NULL);
    if (t == NULL)
        return;
    opari_off(t);
    opari_event_end(t);
}

POMP_API void POMP_Finalize(void)
{
    pthread_mutex_lock(&pomp.lock);
    if (pomp.wanted && !pomp.finished) {
        pomp.finished = 1;
        pomp_tell_units();
        pomp_close_own();
        opari_bridge_flush();
    }
    pthread_mutex_unlock(&pomp.lock);
}

POMP_API void POMP_On(void)
{
    pthread_mutex_lock(&pomp.lock);
    pomp.off = 0;
    pomp_tell_units();
    pthread_mutex_unlock(&pomp.lock);
}

POMP_API void POMP_Off(void)
{
    pthread_mutex_lock(&pomp.lock);
    if (pomp_is_active())
        pomp_close_own();
    pomp.off = 1;
    pomp_tell_units();
    pthread_mutex_unlock(&pomp.lock);
}

/* The last of the library: later than the units' destructors and the program's own. */
__attribute__((destructor(101))) static void pomp_end(void)
{
    pthread_mutex_lock(&pomp.lock);
    int wanted = pomp.wanted;
    pomp.wanted = 0;
    pomp.finished = 1;
    pomp_tell_units();
    pthread_mutex_unlock(&pomp.lock);
    if (wanted)
        opari_bridge_stop();
}
