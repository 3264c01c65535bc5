/* pomp_fortran.c: the entry point of instrumented Fortran, and which instance of a region a thread is in where no handle travels with the
 * program.
 *
 * A Fortran file has no objects that are initialised with addresses and no constructor. Its calls go to a subroutine of its own, which
 * reaches the library through the common block pomp_fortran_1: zero in an object that is linked without the library, the definition
 * below in one that is linked with it. With its first event the file hands over a text that tells of its regions.
 */
#include "pomp_lib.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* What the dispatcher of a file says, as 16 * region + event: fortranEvent of the rewriter. */
enum pomp_fortran_event {
    POMP_FORTRAN_enter = 1, /* or fork, create_begin */
    POMP_FORTRAN_begin,
    POMP_FORTRAN_end,
    POMP_FORTRAN_exit, /* or join, create_end */
    POMP_FORTRAN_BARRIER_ENTER,
    POMP_FORTRAN_BARRIER_EXIT,
    POMP_FORTRAN_COUNTED,    /* enter, of a loop whose bounds have been told if the library asks for them */
    POMP_FORTRAN_BEGIN_WITH, /* of a user region, whose address has been told */
    POMP_FORTRAN_END_WITH,
    POMP_FORTRAN_INIT = 11, /* controls have no region */
    POMP_FORTRAN_FINALIZE,
    POMP_FORTRAN_ON,
    POMP_FORTRAN_OFF
};

/* What is to be called for the events of the regions: most are the entries that C's text calls. Each
 * is jumped to, and what it sees as its caller and frame is the program's. The index is what the dispatcher says; no event is 0, and where
 * it would stand is the region. */
union pomp_fortran_slot {
    struct ompregdescr *region;
    void (*call)(struct ompregdescr *d);
};
enum { POMP_FORTRAN_SLOTS = 16 };

/* The regions of one file. */
struct pomp_fortran_unit {
    struct pomp_unit unit;
    char *text;
    union pomp_fortran_slot *slots;
    struct ompregdescr region[];
};

static pthread_mutex_t pomp_fortran_lock = PTHREAD_MUTEX_INITIALIZER;

/* The next field of the text, decoded in place; ends says which character ended it. */
static char *pomp_fortran_field(char **at, char *ends)
{
    char *start = *at, *to = *at, *s = *at;
    for (; *s != 0 && *s != ',' && *s != ';'; s++) {
        if (*s == '%' && s[1] != 0 && s[2] != 0) {
            const char hex[3] = {s[1], s[2], 0};
            *to++ = (char)strtol(hex, NULL, 16);
            s += 2;
        } else {
            *to++ = *s;
        }
    }
    *ends = *s;
    *at = *s != 0 ? s + 1 : s;
    *to = 0;
    return start;
}

static int pomp_fortran_number(char **at, int base)
{
    char ends;
    return (int)strtoul(pomp_fortran_field(at, &ends), NULL, base);
}

/* One region; file is that of the region before. */
static const char *pomp_fortran_region(struct ompregdescr *d, struct ompregdescr *first, char **at, const char *file)
{
    char ends;
    d->kind = (unsigned)pomp_fortran_number(at, 10);
    d->schedule = pomp_fortran_number(at, 10);
    d->num_sections = pomp_fortran_number(at, 10);
    int outer = pomp_fortran_number(at, 10);
    if (outer > 0)
        d->outer = first + (outer - 1);
    d->begin_first_line = pomp_fortran_number(at, 10);
    d->begin_last_line = pomp_fortran_number(at, 10);
    d->end_first_line = pomp_fortran_number(at, 10);
    d->end_last_line = pomp_fortran_number(at, 10);
    d->hint = pomp_fortran_number(at, 10);
    d->facts = (unsigned)pomp_fortran_number(at, 16);
    d->name = pomp_fortran_field(at, &ends);
    d->sub_name = pomp_fortran_field(at, &ends);
    d->directive = pomp_fortran_field(at, &ends);
    const char *own = pomp_fortran_field(at, &ends);
    d->file_name = *own != 0 ? own : file;
    return d->file_name;
}

/* The calling thread's record of the construct that region d is in as what, in its current task or around it; null: none. */
static struct opari_entry *pomp_fortran_in(struct opari_thread *t, const struct ompregdescr *d, int what)
{
    for (struct opari_entry *e = t->top; e > t->stack; e--)
        if (e->what == what && e->region == d)
            return e;
    return NULL;
}

/* A thread joins the instance that what stands before the runtime has it begin. Where nothing does, it is the one that was forked last:
 * the descriptor's data[2]. */
static void pomp_fortran_join_team(struct opari_thread *t, struct ompregdescr *d, const void *ra, void *frame)
{
    const struct opari_entry *top = t->top;
    if (top->what != OPARI_AT_IMPLICIT || top->region != d || (top->flags & OPARI_ENTRY_DOCKED) != 0) {
        int master = top->what == OPARI_AT_FORK && top->region == d;
        struct opari_parallel *p = master ? top->of.parallel : OPARI_ACQUIRE(&d->data[2]);
        if (p == NULL || !opari_has_task_room(t))
            return;
        opari_parallel_begin(t, d, p, frame);
    }
    if (OPARI_UNLIKELY((d->facts & POMP_HAS_COPY) != 0))
        pomp_copied_in(t, ra, frame);
}

/* The clauses are known to what stands before the runtime. */
#ifdef POMP_INTERPOSE
enum { POMP_FORTRAN_THREADS = -1 };
#else
enum { POMP_FORTRAN_THREADS = 0 };
#endif

static void pomp_fortran_fork(struct ompregdescr *d)
{
    struct opari_thread *t = opari_event_begin(d);
    if (OPARI_UNLIKELY(t == NULL))
        return;
    if (opari_has_fork_room(t))
        OPARI_RELEASE(&d->data[2], (void *)opari_parallel_fork(t, d, 1, POMP_FORTRAN_THREADS, POMP_CALLER, POMP_FRAME));
    opari_event_end();
}

static void pomp_fortran_begin(struct ompregdescr *d)
{
    struct opari_thread *t = opari_event_begin(d);
    if (OPARI_UNLIKELY(t == NULL))
        return;
    pomp_fortran_join_team(t, d, POMP_CALLER, POMP_FRAME);
    opari_event_end();
}

static void pomp_fortran_end(struct ompregdescr *d)
{
    struct opari_thread *t = opari_event_begin(d);
    if (OPARI_UNLIKELY(t == NULL))
        return;
    const struct opari_entry *e = pomp_fortran_in(t, d, OPARI_AT_IMPLICIT);
    if (e != NULL)
        opari_parallel_end(t, d, e->of.task->parallel, POMP_CALLER);
    opari_event_end();
}

static void pomp_fortran_join(struct ompregdescr *d)
{
    struct opari_thread *t = opari_event_begin(d);
    if (OPARI_UNLIKELY(t == NULL))
        return;
    const struct opari_entry *e = pomp_fortran_in(t, d, OPARI_AT_FORK);
    if (e != NULL)
        opari_parallel_join(t, d, e->of.parallel, POMP_CALLER);
    opari_event_end();
}

/* The task that the program is about to create. What stands before the runtime does that: it hands the task to whom executes it. Without it
 * tasks are not reported. */
static OPARI_TLS struct pomp_fortran_task {
    struct ompregdescr *region; /* null: none */
    const void *ra;
    void *frame;
} pomp_fortran_ahead;

static void pomp_fortran_task_create_begin(struct ompregdescr *d)
{
    if (opari_event_begin(d) == NULL)
        return;
    pomp_fortran_ahead = (struct pomp_fortran_task){d, POMP_CALLER, POMP_FRAME};
    opari_event_end();
}

static void pomp_fortran_task_end(struct ompregdescr *d)
{
    struct opari_thread *t = opari_event_begin(d);
    if (OPARI_UNLIKELY(t == NULL))
        return;
    const struct opari_entry *e = pomp_fortran_in(t, d, OPARI_AT_TASK);
    if (e != NULL)
        opari_task_end(t, e->of.task);
    opari_event_end();
}

static void pomp_fortran_task_create_end(struct ompregdescr *d)
{
    struct opari_thread *t = opari_event_begin(d);
    if (OPARI_UNLIKELY(t == NULL))
        return;
    pomp_fortran_ahead.region = NULL;
    const struct opari_entry *e = pomp_fortran_in(t, d, OPARI_AT_CREATE);
    if (e != NULL && opari_seek_record(t, OPARI_AT_CREATE, e->of.task))
        opari_task_create_end(t);
    opari_event_end();
}

/* The iterations of the loop that the thread enters next, if they have been told. */
static OPARI_TLS uint64_t pomp_fortran_iterations;
static OPARI_TLS int pomp_fortran_told;

/* From, to and step of one of the loops that are entered as one; they are counted from 1. */
static void pomp_fortran_bounds(int loop, int64_t first, int64_t last, int64_t by)
{
    const uint64_t from = (uint64_t)first, to = (uint64_t)last, step = (uint64_t)by;
    const int up = by > 0;
    if (loop == 1)
        pomp_fortran_iterations = 1;
    if (by == 0 || (up ? first > last : first < last))
        pomp_fortran_iterations = 0;
    else
        pomp_fortran_iterations *= (up ? (to - from) / step : (from - to) / (0 - step)) + 1;
    pomp_fortran_told = 1;
}

/* The variable of the user region that the thread begins or ends next. */
static OPARI_TLS const void *pomp_fortran_variable;

static void pomp_fortran_user(const void *variable) { pomp_fortran_variable = variable; }

static void pomp_fortran_counted(struct ompregdescr *d)
{
    struct opari_thread *t = opari_event_begin(d);
    if (OPARI_UNLIKELY(t == NULL))
        return;
    if (OPARI_UNLIKELY(pomp_fortran_told)) {
        t->told = (struct opari_told){d, pomp_fortran_iterations};
        pomp_fortran_told = 0;
    }
    if (opari_has_room(t) && d->kind == POMP_KIND_FOR)
        pomp_enter(t, d, POMP_KIND_FOR, POMP_CALLER, POMP_FRAME);
    else if (opari_has_room(t) && d->kind == POMP_KIND_TASKLOOP)
        pomp_enter(t, d, POMP_KIND_TASKLOOP, POMP_CALLER, POMP_FRAME);
    else if (opari_has_room(t) && d->kind == POMP_KIND_DISTRIBUTE)
        pomp_enter(t, d, POMP_KIND_DISTRIBUTE, POMP_CALLER, POMP_FRAME);
    else if (opari_has_room(t))
        pomp_enter(t, d, POMP_KIND_LOOP, POMP_CALLER, POMP_FRAME);
    opari_event_end();
}

static void pomp_fortran_user_begin(struct ompregdescr *d) { POMP_Begin(d, NULL); }
static void pomp_fortran_user_end(struct ompregdescr *d) { POMP_End(d, NULL); }
static void pomp_fortran_user_begin_with(struct ompregdescr *d) { POMP_Begin(d, pomp_fortran_variable); }
static void pomp_fortran_user_end_with(struct ompregdescr *d) { POMP_End(d, pomp_fortran_variable); }

static void pomp_fortran_nothing(struct ompregdescr *d) { (void)d; }

static void pomp_fortran_control(int what)
{
    if (what == POMP_FORTRAN_INIT)
        POMP_Init();
    else if (what == POMP_FORTRAN_FINALIZE)
        POMP_Finalize();
    else if (what == POMP_FORTRAN_ON)
        POMP_On();
    else if (what == POMP_FORTRAN_OFF)
        POMP_Off();
}

/* Fills in the slots of a region. */
static void pomp_fortran_fill(union pomp_fortran_slot *slot, struct ompregdescr *d)
{
    const unsigned kind = d->kind;
    slot->region = d;
    for (int i = 1; i < POMP_FORTRAN_SLOTS; i++)
        slot[i].call = pomp_fortran_nothing;
#define POMP_X(name, type, of)  \
    if (kind == POMP_KIND_##of) \
        slot[POMP_FORTRAN_##type].call = POMP_##name##_##type;
    FOREACH_POMP_PLAIN_EVENT(POMP_X)
#undef POMP_X
    slot[POMP_FORTRAN_BARRIER_ENTER].call = POMP_Barrier_enter;
    slot[POMP_FORTRAN_BARRIER_EXIT].call = POMP_Barrier_exit;
    slot[POMP_FORTRAN_COUNTED].call = pomp_fortran_counted;
    if (kind == POMP_KIND_PARALLEL) {
        slot[POMP_FORTRAN_enter].call = pomp_fortran_fork;
        slot[POMP_FORTRAN_begin].call = pomp_fortran_begin;
        slot[POMP_FORTRAN_end].call = pomp_fortran_end;
        slot[POMP_FORTRAN_exit].call = pomp_fortran_join;
    } else if (kind == POMP_KIND_TASK) { /* its begin has been told by what stands before the runtime */
        slot[POMP_FORTRAN_enter].call = pomp_fortran_task_create_begin;
        slot[POMP_FORTRAN_end].call = pomp_fortran_task_end;
        slot[POMP_FORTRAN_exit].call = pomp_fortran_task_create_end;
    } else if (kind == POMP_KIND_REGION) {
        slot[POMP_FORTRAN_begin].call = pomp_fortran_user_begin;
        slot[POMP_FORTRAN_end].call = pomp_fortran_user_end;
        slot[POMP_FORTRAN_BEGIN_WITH].call = pomp_fortran_user_begin_with;
        slot[POMP_FORTRAN_END_WITH].call = pomp_fortran_user_end_with;
    }
}

/* Reads the text that tells of a file's regions. Null when there is no memory, or the text is of another ABI. */
static struct pomp_fortran_unit *pomp_fortran_read(const char *text, size_t size)
{
    char *copy = malloc(size + 1);
    if (copy == NULL)
        return NULL;
    memcpy(copy, text, size);
    copy[size] = 0;
    char *at = copy;
    const int abi = pomp_fortran_number(&at, 10), regions = pomp_fortran_number(&at, 10);
    const size_t n = regions > 0 ? (size_t)regions : 0, bytes = sizeof(struct pomp_fortran_unit) + n * sizeof(struct ompregdescr);
    union pomp_fortran_slot *slots = malloc((n + 1) * POMP_FORTRAN_SLOTS * sizeof *slots);
    void *memory = NULL;
    if (abi != POMP_ABI_1 || slots == NULL || posix_memalign(&memory, _Alignof(struct pomp_fortran_unit), bytes) != 0) {
        free(slots);
        free(copy);
        return NULL;
    }
    memset(memory, 0, bytes);
    struct pomp_fortran_unit *u = memory;
    u->unit.abi = POMP_ABI_1;
    u->unit.regions = (int)n;
    u->unit.region = u->region;
    u->text = copy;
    u->slots = slots;
    const char *file = "";
    for (size_t i = 0; i < n; i++) {
        file = pomp_fortran_region(&u->region[i], u->region, &at, file);
        pomp_fortran_fill(&slots[(i + 1) * POMP_FORTRAN_SLOTS], &u->region[i]);
    }
    return u;
}

/* The first event of a file makes its regions known. Returns whether they are and events are wanted. */
static OPARI_COLD int pomp_fortran_first(intptr_t *slot, const char *text)
{
    pthread_mutex_lock(&pomp_fortran_lock);
    struct pomp_fortran_unit *u = *slot == 0 ? pomp_fortran_read(text, (size_t)slot[1]) : NULL;
    if (u != NULL) {
        pomp_unit_1(&u->unit);
        pomp_fortran_want(u->unit.active);
        OPARI_STORE(&pomp_fortran_there, 1);
        OPARI_RELEASE(slot, (intptr_t)u->slots);
    }
    const int known = *slot != 0;
    pthread_mutex_unlock(&pomp_fortran_lock);
    return known && pomp_fortran_1.wanted != 0;
}

/* A file's first event: what its dispatcher finds in slot[0] from then on is the slots, which it jumps to by itself. slot[0]: zero at first;
 * slot[1]: the length of text. */
static void pomp_fortran_event(int what, intptr_t *slot, const char *text)
{
    if (pomp_fortran_first(slot, text)) {
        const union pomp_fortran_slot *slots = (const union pomp_fortran_slot *)OPARI_ACQUIRE(slot);
        slots[what].call(slots[what & -POMP_FORTRAN_SLOTS].region);
    }
}

POMP_API struct pomp_fortran_block pomp_fortran_1
    __attribute__((__aligned__(64))) = {1, pomp_fortran_event, pomp_fortran_bounds, pomp_fortran_user, 0, pomp_fortran_control, {0, 0}};

/* Where the program has a common block of its own, because it is linked with the shared library, that is the one: the program's is
 * full of zeros. */
#ifdef OPARI_SHARED
__attribute__((constructor)) static void pomp_fortran_start(void)
{
    struct pomp_fortran_block *volatile block = &pomp_fortran_1;
    if (block->event == NULL) {
        block->event = pomp_fortran_event;
        block->bounds = pomp_fortran_bounds;
        block->user = pomp_fortran_user;
        block->control = pomp_fortran_control;
        block->wanted = 1;
    }
}
#endif
