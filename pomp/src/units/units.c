/* units.c: the library's life: environment, units, on and off, fork, end. */
#include "../state/state.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* The state while the user's tool starts. */
static struct {
    pthread_mutex_t lock; /* held during that time */
    pthread_t by;
} pomp_starting = {PTHREAD_MUTEX_INITIALIZER, 0};

#ifndef OPARI_SHARED
#define pomp_redirect_forget() ((void)0)
#define pomp_redirect_fork(before) ((void)0)
#endif

/* Returns the value of the units' `active`. The profile needs no details, but a user's tool may.
 * The enter of a flush matters to observers that time regions, and a tool that has not started yet
 * may be one. */
static int pomp_active_word(void)
{
    if (!pomp_is_active())
        return 0;
    const int waits = pomp.tool != POMP_NO_TOOL,
              tool = waits || opari_tools.count > opari_own_tools;
    const int merges = tool && opari_own_tools == 0 &&
                       opari_older.generation != 2013; /* a recorder times constructs */
    return POMP_ACTIVE | POMP_NO_BLOCKS | (tool ? POMP_DETAILED | POMP_COUNTED : 0) |
           (merges ? POMP_MERGES | POMP_MERGES_TEAMS : 0) |
           (waits || opari_has_callback(OPARI_EVENT_REGION) ? 0 : POMP_NO_FLUSH_ENTER) |
           (!tool && pomp_judges() ? POMP_RATES : 0);
}

static void pomp_fortran_set_active(int active)
{
    const intptr_t detailed = active == 0 ? 0 : (active & POMP_DETAILED) != 0 ? -1 : 1;
    pomp_fortran_1.wanted = active != 0;
    pomp_fortran_1.detailed = detailed;
#ifdef OPARI_SHARED
    if (pomp_fortran_program != NULL) {
        pomp_fortran_program->wanted = active != 0;
        pomp_fortran_program->detailed = detailed;
    }
#endif
}

/* The caller holds the lock. */
static void pomp_update_units(void)
{
    int active = pomp_active_word();
    OPARI_STORE(&pomp.merges, (active & POMP_MERGES) != 0);
    OPARI_STORE(&pomp.rates, (active & POMP_RATES) != 0);
    for (struct pomp_unit *u = pomp.units; u != &pomp_no_unit; u = u->next)
        __atomic_store_n(&u->active, active, __ATOMIC_RELAXED);
    pomp_fortran_set_active(active);
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

/* Runs at the first event of a thread that the bridge does not know, and starts the user's tool.
 * The lock is free meanwhile, because the tool's library may be instrumented itself. Events from
 * the tool while it starts, and from threads that the runtime made for it, are not reported. Other
 * threads wait, because a region that began unseen could not be raised later. Returns whether
 * events are wanted. */
static OPARI_COLD int pomp_first_event(void)
{
    opari_lock(&pomp.lock);
    const int state = (int)pomp.tool;
    if (state == POMP_TOOL_WAITS) {
        pomp.tool = POMP_TOOL_STARTS;
        pomp_starting.by = pthread_self();
        opari_lock(&pomp_starting.lock);
    }
    opari_unlock(&pomp.lock);
    if (state == POMP_TOOL_STARTS &&
        (pthread_equal(pomp_starting.by, pthread_self()) || opari_made_by_runtime()))
        return 0;
    if (state == POMP_TOOL_STARTS) {
        opari_lock(&pomp_starting.lock);
        opari_unlock(&pomp_starting.lock);
    }
    if (state != POMP_TOOL_WAITS)
        return pomp.wanted;
    int found = opari_search_end();
    opari_lock(&pomp.lock);
    opari_begins_pending = found && pomp_sees_forks();
    pomp.tool = POMP_NO_TOOL;
    OPARI_STORE(&pomp.wanted, pomp.wanted && (found || pomp.needed));
    opari_bridge_on_first(NULL);
    pomp_update_units();
    int wanted = pomp.wanted;
    opari_unlock(&pomp_starting.lock);
    opari_unlock(&pomp.lock);
    return wanted;
}

/* The caller holds the lock. */
static void pomp_await_tool(void)
{
    pomp.tool = POMP_TOOL_WAITS;
    opari_bridge_on_first(pomp_first_event);
}

static void pomp_before_fork(void)
{
    opari_lock(&pomp.lock);
    pomp_redirect_fork(1);
    opari_bridge_fork(opari_control_prepare);
}

static void pomp_after_fork_in_parent(void)
{
    opari_bridge_fork(opari_control_parent);
    pomp_redirect_fork(0);
    opari_unlock(&pomp.lock);
}

static void pomp_after_fork_in_child(void)
{
    int tool = opari_tools.count > opari_own_tools;
    opari_bridge_fork(opari_control_child);
    pomp_redirect_fork(0);
    int orphan = pomp.tool == POMP_TOOL_STARTS && !pthread_equal(pomp_starting.by, pthread_self());
    if (orphan)
        pthread_mutex_init(&pomp_starting.lock, NULL);
    if (orphan || (tool && opari_self == NULL))
        pomp_await_tool();
    opari_unlock(&pomp.lock);
}

/* The requests of the environment. */
static struct pomp_settings {
    int measure;                      /* measure even without a user's tool */
    const char *profile;              /* null: none */
    const char *trace, *trace_filter; /* null: none */
    int numbers;                      /* the trace has numbers of tasks and requests */
    int tools;                        /* a user's tool may be started */
    int passive;
    struct opari_search search;
} pomp_environment(void)
{
    struct pomp_settings s = {0, NULL, NULL, NULL, 0, 0, 0, {NULL, NULL, NULL, NULL, NULL}};
    const char *opari = pomp_variable("OPARI"), *profile = pomp_variable("OPARI_PROFILE");
    const char *trace = pomp_variable("OPARI_TRACE"), *wait = pomp_variable("OMP_WAIT_POLICY");
    if (opari != NULL && strcmp(opari, "off") == 0)
        return s;
    if (profile != NULL && profile[0] != 0)
        s.profile = profile;
    if (trace != NULL && trace[0] != 0) {
        s.trace = trace;
        s.trace_filter = pomp_variable("OPARI_TRACE_FILTER");
        s.numbers = pomp_variable("OPARI_TRACE_NUMBERS") != NULL;
    }
    s.measure =
        s.profile != NULL || s.trace != NULL || (opari != NULL && strcmp(opari, "state") == 0);
    s.tools = 1;
    s.passive = wait != NULL && strcasecmp(wait, "passive") == 0;
    s.search.tool = pomp_variable("OMP_TOOL");
    s.search.libraries = pomp_variable("OMP_TOOL_LIBRARIES");
    s.search.verbose = pomp_variable("OMP_TOOL_VERBOSE_INIT");
    s.search.provider = pomp_variable("OPARI_OMPT");
    s.search.dialect = pomp_variable("OPARI_OMPT_DIALECT");
    return s;
}

/* The caller holds the lock. This runs once per process. The user's tool starts at the first event:
 * pomp_first_event. */
static OPARI_COLD void pomp_start(void)
{
    if (pomp.started)
        return;
    OPARI_STORE(&pomp.started, 1);
    struct pomp_settings s = pomp_environment();
    pomp.passive = s.passive;
    int saved = errno, waits = s.tools && opari_search_begin(&s.search);
    if (s.measure || waits) {
        ompt_start_tool_result_t *(*tools[2])(unsigned, const char *);
        int wanted = 0;
        rec_configure(s.profile, pomp_kind_name);
        if (s.profile != NULL || s.trace != NULL)
            rec_clock_start();
        if (s.profile != NULL)
            tools[wanted++] = rec_start_tool;
        if (s.trace != NULL) {
            trc_configure(s.trace, s.trace_filter, s.numbers);
            tools[wanted++] = trc_start_tool;
        }
        int n = opari_bridge_start(tools, wanted);
        pomp.needed = n > 0 || (s.measure && wanted == 0);
        OPARI_STORE(&pomp.wanted, pomp.needed || waits);
    }
    if (waits)
        pomp_await_tool();
    else if (pomp.wanted)
        (void)opari_thread_first();
#if defined POMP_INTERPOSE && !defined POMP_WRAPPED
    if (pomp.wanted)
        pomp_plugins_await();
#endif
    if (pomp.wanted && pomp.off)
        rec_switched(0);
    if (pomp.wanted)
        (void)pthread_atfork(pomp_before_fork, pomp_after_fork_in_parent, pomp_after_fork_in_child);
    errno = saved;
}

/* Removes a unit that is about to be unloaded; the caller holds the lock. */
static void pomp_forget(struct pomp_unit *unit)
{
    struct pomp_unit **u = &pomp.units;
    while (*u != unit)
        u = *u != &pomp_no_unit ? &(*u)->next : &pomp.inactive;
    *u = unit->next;
    unit->next = NULL;
    __atomic_store_n(&unit->active, 0, __ATOMIC_RELAXED);
    pomp_redirect_forget();
    if (pomp.wanted)
        opari_bridge_unload(unit->region, unit->regions);
}

/* Returns whether a user's tool, if there may be one, gets the events of the object that contains
 * an address from another runtime. */
static int pomp_has_other_ompt(const void *within)
{
    return (pomp.tool != POMP_NO_TOOL || opari_tools.count > opari_own_tools) &&
           opari_object_has_ompt(within);
}

/* A descriptor of kind POMP_KIND_NONE is no region. It names an option because of which the
 * instrumentation left out a part of the unit. */
static void pomp_note_options(const struct pomp_unit *unit)
{
    for (int i = 0; pomp.wanted && i < unit->regions; i++)
        if (unit->region[i].kind == POMP_KIND_NONE && unit->region[i].sub_name != NULL &&
            strncmp(unit->region[i].sub_name, "--", 2) == 0)
            rec_note_option(unit->region[i].sub_name);
}

POMP_API void pomp_unit_1(struct pomp_unit *unit)
{
    if (unit == NULL || unit->abi != POMP_ABI_1)
        return;
    opari_lock(&pomp.lock);
    pomp_start();
    if (unit->next != NULL) {
        pomp_forget(unit);
    } else if (pomp_has_other_ompt(unit) || (pomp.wanted && opari_runtime_is_hidden(unit))) {
        unit->next = pomp.inactive;
        pomp.inactive = unit;
    } else {
        unit->next = pomp.units;
        pomp.units = unit;
        pomp_note_options(unit);
#ifdef OPARI_SHARED
        if (pomp.wanted)
            (void)pomp_redirect(unit);
#endif
        const int active = pomp_active_word();
        OPARI_STORE(&pomp.merges, (active & POMP_MERGES) != 0);
        OPARI_STORE(&pomp.rates, (active & POMP_RATES) != 0);
        /* A unit that the tool loads stays inactive until the tool has started. The threads that
         * the tool makes before then do not wait for that. */
        const int brought =
            pomp.tool == POMP_TOOL_STARTS && pthread_equal(pomp_starting.by, pthread_self());
        __atomic_store_n(&unit->active, brought ? 0 : active, __ATOMIC_RELAXED);
    }
    opari_unlock(&pomp.lock);
}

POMP_API void POMP_Init(void)
{
    opari_lock(&pomp.lock);
    pomp_start();
    OPARI_STORE(&pomp.finished, 0);
    pomp_update_units();
    opari_unlock(&pomp.lock);
}

/* Ends the calling thread's open constructs, because their exits will not come. */
static void pomp_close_own(void)
{
    if (opari_self == NULL)
        return; /* the caller holds the lock, which a first event would take */
    struct opari_thread *t = opari_event_begin(NULL);
    if (t == NULL)
        return;
    opari_off(t);
    opari_event_end();
}

POMP_API void POMP_Finalize(void)
{
    opari_lock(&pomp.lock);
    if (pomp.wanted && !pomp.finished) {
        OPARI_STORE(&pomp.finished, 1);
        pomp_update_units();
        pomp_close_own();
        opari_bridge_flush();
    }
    opari_unlock(&pomp.lock);
}

POMP_API void POMP_On(void)
{
    opari_lock(&pomp.lock);
    OPARI_STORE(&pomp.off, 0);
    rec_switched(1);
    pomp_update_units();
    opari_unlock(&pomp.lock);
}

POMP_API void POMP_Off(void)
{
    opari_lock(&pomp.lock);
    if (pomp_is_active())
        pomp_close_own();
    OPARI_STORE(&pomp.off, 1);
    if (pomp.wanted)
        rec_switched(0);
    pomp_update_units();
    opari_unlock(&pomp.lock);
}

/* The library's last function, which runs after the destructors of the units and the program. */
__attribute__((destructor(101))) static void pomp_end(void)
{
    opari_lock(&pomp.lock);
    int wanted = pomp.wanted;
    OPARI_STORE(&pomp.wanted, 0);
    OPARI_STORE(&pomp.finished, 1);
    pomp_update_units();
    opari_unlock(&pomp.lock);
    if (wanted)
        opari_bridge_stop();
}
