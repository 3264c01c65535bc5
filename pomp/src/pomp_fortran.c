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

/* What the dispatcher of a file says: enum fortranEvent of the rewriter. */
enum pomp_fortran_event {
    POMP_FORTRAN_ENTER = 1,
    POMP_FORTRAN_BEGIN,
    POMP_FORTRAN_END,
    POMP_FORTRAN_EXIT,
    POMP_FORTRAN_BARRIER_ENTER,
    POMP_FORTRAN_BARRIER_EXIT,
    POMP_FORTRAN_COUNTED, /* enter, of a loop whose bounds have been told */
    POMP_FORTRAN_BEGIN_WITH, /* of a user region, whose address has been told */
    POMP_FORTRAN_END_WITH,
    POMP_FORTRAN_INIT = 11,
    POMP_FORTRAN_FINALIZE,
    POMP_FORTRAN_ON,
    POMP_FORTRAN_OFF
};

/* The regions of one file. */
struct pomp_fortran_unit {
    struct pomp_unit unit;
    char *text;
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

/* Makes the regions of a file known, once. Null when there is no memory, or the text is of another ABI. */
static OPARI_COLD struct pomp_fortran_unit *pomp_fortran_register(intptr_t *slot, const char *text)
{
    size_t size = (size_t)slot[1];
    pthread_mutex_lock(&pomp_fortran_lock);
    struct pomp_fortran_unit *u = (struct pomp_fortran_unit *)*slot;
    char *copy = u == NULL ? malloc(size + 1) : NULL;
    if (copy != NULL) {
        memcpy(copy, text, size);
        copy[size] = 0;
        char *at = copy;
        int abi = pomp_fortran_number(&at, 10), regions = pomp_fortran_number(&at, 10);
        void *memory = NULL;
        size_t bytes = sizeof *u + (size_t)regions * sizeof u->region[0];
        if (abi == POMP_ABI_1 && regions >= 0 && posix_memalign(&memory, _Alignof(struct pomp_fortran_unit), bytes) == 0) {
            memset(memory, 0, bytes);
            u = memory;
            u->unit.abi = POMP_ABI_1;
            u->unit.regions = regions;
            u->unit.region = u->region;
            u->text = copy;
            const char *file = "";
            for (int i = 0; i < regions; i++)
                file = pomp_fortran_region(&u->region[i], u->region, &at, file);
            pomp_unit_1(&u->unit);
            pomp_fortran_1.active = u->unit.active;
            OPARI_STORE(&pomp_fortran_there, 1);
            OPARI_RELEASE(slot, (intptr_t)u);
        } else {
            free(copy);
        }
    }
    pthread_mutex_unlock(&pomp_fortran_lock);
    return u;
}

static void pomp_fortran_control(int event)
{
    switch (event) {
    case POMP_FORTRAN_INIT:
        POMP_Init();
        break;
    case POMP_FORTRAN_FINALIZE:
        POMP_Finalize();
        break;
    case POMP_FORTRAN_ON:
        POMP_On();
        break;
    case POMP_FORTRAN_OFF:
        POMP_Off();
        break;
    default:
        break;
    }
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
static void pomp_fortran_begin(struct opari_thread *t, struct ompregdescr *d, const void *ra, void *frame)
{
    const struct opari_entry *top = t->top;
    if (top->what != OPARI_AT_IMPLICIT || top->region != d || (top->flags & OPARI_ENTRY_DOCKED) != 0) {
        int master = top->what == OPARI_AT_FORK && top->region == d;
        struct opari_parallel *p = master ? top->of.parallel : OPARI_ACQUIRE(&d->data[2]);
        if (p == NULL)
            return;
        opari_parallel_begin(t, d, p, frame);
    }
    if (OPARI_UNLIKELY((d->facts & POMP_HAS_COPY) != 0))
        pomp_copied_in(t, ra, frame);
}

static void pomp_fortran_parallel(struct opari_thread *t, struct ompregdescr *d, int event, const void *ra, void *frame)
{
    struct opari_entry *e;
    switch (event) {
    case POMP_FORTRAN_ENTER:
        OPARI_RELEASE(&d->data[2], (void *)opari_parallel_fork(t, d, 1, 0, ra, frame));
        break;
    case POMP_FORTRAN_BEGIN:
        pomp_fortran_begin(t, d, ra, frame);
        break;
    case POMP_FORTRAN_END:
        if ((e = pomp_fortran_in(t, d, OPARI_AT_IMPLICIT)) != NULL)
            opari_parallel_end(t, d, e->of.task->parallel, ra);
        break;
    default:
        if ((e = pomp_fortran_in(t, d, OPARI_AT_FORK)) != NULL)
            opari_parallel_join(t, d, e->of.parallel, ra);
        break;
    }
}

/* The task that the program is about to create. What stands before the runtime does that: it hands the task to whom executes it. Without it
 * tasks are not reported. */
static OPARI_TLS struct pomp_fortran_task {
    struct ompregdescr *region; /* null: none */
    const void *ra;
    void *frame;
} pomp_fortran_ahead;

static void pomp_fortran_tasking(struct opari_thread *t, struct ompregdescr *d, int event, const void *ra, void *frame)
{
    struct opari_entry *e;
    switch (event) {
    case POMP_FORTRAN_ENTER:
        pomp_fortran_ahead = (struct pomp_fortran_task){d, ra, frame};
        break;
    case POMP_FORTRAN_BEGIN: /* told already */
        break;
    case POMP_FORTRAN_END:
        if ((e = pomp_fortran_in(t, d, OPARI_AT_TASK)) != NULL)
            opari_task_end(t, d, e->of.task);
        break;
    default:
        pomp_fortran_ahead.region = NULL;
        if ((e = pomp_fortran_in(t, d, OPARI_AT_CREATE)) != NULL)
            opari_task_create_end(t, e->of.task);
        break;
    }
}

/* The first event of a file, and the controls. Says whether the event is to be reported. */
static OPARI_COLD int pomp_fortran_first(int event, intptr_t *slot, const char *text)
{
    struct pomp_fortran_unit *u = (struct pomp_fortran_unit *)OPARI_ACQUIRE(slot);
    if (u == NULL && (u = pomp_fortran_register(slot, text)) == NULL)
        return 0;
    if (event >= POMP_FORTRAN_INIT)
        pomp_fortran_control(event);
    return event < POMP_FORTRAN_INIT && u->unit.active;
}

/* The iterations of the loop that the thread enters next. */
static OPARI_TLS uint64_t pomp_fortran_iterations;

/* From, to and step of each of so many loops, which are entered as one. */
static void pomp_fortran_bounds(const int *loops, const int64_t *bounds)
{
    uint64_t product = 1;
    for (int i = 0; i < *loops; i++, bounds += 3) {
        const uint64_t from = (uint64_t)bounds[0], to = (uint64_t)bounds[1], step = (uint64_t)bounds[2];
        const int up = bounds[2] > 0;
        if (bounds[2] == 0 || (up ? bounds[0] > bounds[1] : bounds[0] < bounds[1]))
            product = 0;
        else
            product *= (up ? (to - from) / step : (from - to) / (0 - step)) + 1;
    }
    pomp_fortran_iterations = product;
}

/* The variable of the user region that the thread begins or ends next. */
static OPARI_TLS const void *pomp_fortran_variable;

static void pomp_fortran_user(const void *variable) { pomp_fortran_variable = variable; }

/* What needs more than the thread and the region: teams, tasks, user regions, barriers that were made explicit, loops that are counted. */
static __attribute__((noinline)) void pomp_fortran_special(struct opari_thread *t, struct ompregdescr *d, int event, const void *ra,
                                                           void *frame)
{
    if (event == POMP_FORTRAN_BARRIER_ENTER)
        pomp_barrier_enter(t, d, ra, frame);
    else if (event == POMP_FORTRAN_BARRIER_EXIT)
        opari_sync_exit(t, d, OPARI_AT_BARRIER, ra);
    else if (event == POMP_FORTRAN_COUNTED) {
        t->told = (struct opari_told){d, pomp_fortran_iterations};
        pomp_enter(t, d, d->kind, ra, frame);
    } else if (d->kind == POMP_KIND_PARALLEL)
        pomp_fortran_parallel(t, d, event, ra, frame);
    else if (d->kind == POMP_KIND_TASK)
        pomp_fortran_tasking(t, d, event, ra, frame);
    else if (event == POMP_FORTRAN_BEGIN || event == POMP_FORTRAN_BEGIN_WITH)
        (void)opari_region_enter(t, d, OPARI_AT_USER, opari_region_work, -1, event == POMP_FORTRAN_BEGIN ? NULL : pomp_fortran_variable, ra);
    else
        opari_region_exit(t, d, OPARI_AT_USER, event == POMP_FORTRAN_END ? NULL : pomp_fortran_variable, ra);
}

/* A file's dispatcher hands on what it was called with, integers of the default kind by reference: 8 bytes of them may be
 * there, of which the first 4 say all on a little-endian machine. slot[1]: the length of text. */
static void pomp_fortran_event(const int *what, const int *which, intptr_t *slot, const char *text)
{
    const uint64_t special = 1u << POMP_KIND_PARALLEL | 1u << POMP_KIND_TASK | 1u << POMP_KIND_REGION;
    const void *ra = POMP_CALLER;
    int event = *what;
    if (OPARI_UNLIKELY(OPARI_ACQUIRE(slot) == 0 || event >= POMP_FORTRAN_INIT) && !pomp_fortran_first(event, slot, text))
        return;
    struct ompregdescr *d = ((struct pomp_fortran_unit *)*slot)->region + (*which - 1);
    struct opari_thread *t = opari_event_begin(d);
    if (OPARI_UNLIKELY(t == NULL))
        return;
    unsigned kind = d->kind;
    if (event >= POMP_FORTRAN_BARRIER_ENTER || (special >> kind & 1) != 0)
        pomp_fortran_special(t, d, event, ra, POMP_FRAME);
    else if (event == POMP_FORTRAN_ENTER)
        pomp_enter(t, d, kind, ra, POMP_FRAME);
    else if (event == POMP_FORTRAN_EXIT)
        pomp_exit(t, d, kind, ra);
    else if (event == POMP_FORTRAN_BEGIN)
        pomp_begin(t, d, kind, ra);
    else
        pomp_end_of_block(t, d, kind, ra);
    opari_event_end(t);
}

POMP_API struct pomp_fortran_block pomp_fortran_1 __attribute__((__aligned__(64))) = {1, pomp_fortran_event, pomp_fortran_bounds,
                                                                                  pomp_fortran_user, {0, 0, 0, 0}};

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
        block->active = 1;
    }
}
#endif
