/* balance.c for Fortran, whose calls carry no handles: each goes to a subroutine of its file and from there to what the common block
 * names. A program without instrumented C needs nothing else of it. */
#include "balance.c"

#include <stdint.h>

enum event { ENTER = 1, BEGIN, END, EXIT, BARRIER_ENTER, BARRIER_EXIT, COUNTED, BEGIN_WITH, END_WITH, INIT = 11, FINALIZE, ON, OFF };

extern struct block {
    volatile intptr_t wanted;
    void (*event)(int, intptr_t *, const char *);
    void (*bounds)(int, int64_t, int64_t, int64_t);
    void (*user)(const void *);
    volatile intptr_t detailed;
    void (*control)(int);
    intptr_t spare[2];
} pomp_fortran_1;

enum { MANY = 7 }; /* calls that one may stand for */

/* The files that have had an event. slot[0] stays zero, so that each event comes here instead of being jumped to. */
static struct file {
    const intptr_t *slot;
    struct ompregdescr *region;
    int regions;
    int (*joined)[MANY + 1]; /* what the numbers behind those of the regions stand for, each up to 0 */
    struct file *next;
} *files;

/* The calls that the text behind the regions lists. */
static void joined(struct file *f, const char *at)
{
    int n = 0;
    for (const char *s = at; *s; s++)
        n += *s == ';';
    f->joined = calloc((size_t)n + 1, sizeof *f->joined);
    for (int i = 0; i < n; i++)
        for (int k = 0; k == 0 || *at++ != ';'; k++) {
            char *end;
            f->joined[i][k] = (int)strtol(at, &end, 10);
            if (end == at || k == MANY)
                fail("register", NULL, at, NULL);
            at = end;
        }
}

/* The regions that the text lists. */
static void regions(struct file *f, const char *text, size_t size)
{
    char *at = strndup(text, size);
    int n = f->regions = (int)strtol(strchr(at, ',') + 1, &at, 10);
    struct ompregdescr *d = f->region = calloc((size_t)n + 1, sizeof *d);
    for (int i = 1; i <= n && d; i++) {
        int outer;
        if (sscanf(++at, "%u,%d,%d,%d,%d,%d,%d,%d,%d,%x", &d[i].kind, &d[i].schedule, &d[i].num_sections, &outer, &d[i].begin_first_line,
                   &d[i].begin_last_line, &d[i].end_first_line, &d[i].end_last_line, &d[i].hint, &d[i].facts) != 10 ||
            outer < 0 || outer >= i)
            fail("register", NULL, text, NULL);
        d[i].outer = outer > 0 ? &d[outer] : NULL;
        for (int field = 0; field < 10; field++)
            at = strchr(at, ',') + 1;
        d[i].name = d[i].sub_name = d[i].file_name = "";
        d[i].directive = strndup(at, strcspn(at, ","));
        at = strchr(at, ';');
    }
    joined(f, at + 1);
}

static struct file *file(const intptr_t *slot, const char *text)
{
    pthread_mutex_lock(&registry);
    struct file *f = files;
    while (f && f->slot != slot)
        f = f->next;
    if (!f) {
        f = malloc(sizeof *f);
        *f = (struct file){slot, NULL, 0, NULL, files};
        regions(f, text, (size_t)slot[1]);
        files = f;
    }
    pthread_mutex_unlock(&registry);
    return f;
}

static void event(int what, intptr_t *slot, const char *text)
{
    const struct file *f = file(slot, text);
    if (what / 16 > f->regions) {
        if (what % 16 != ENTER && what % 16 != COUNTED)
            fail("event", NULL, "of an unknown number", NULL);
        for (const int *one = f->joined[what / 16 - f->regions - 1]; *one; one++)
            event(*one, slot, text);
        return;
    }
    struct ompregdescr *d = f->region + what / 16;
    int team = d->kind == POMP_KIND_PARALLEL, task = d->kind == POMP_KIND_TASK;
    enum mark around = team ? PARALLEL_FORK : task ? TASK_CREATE : ENTERED;
    enum mark within = team ? PARALLEL_BODY : task ? TASK_BODY : d->kind == POMP_KIND_REGION ? USER : BEGUN;
    switch (what % 16) {
    case COUNTED:
    case ENTER:
        push(around, "Construct", d, NULL);
        break;
    case EXIT:
        pop(around, "Construct", d, NULL);
        break;
    case BEGIN_WITH:
    case BEGIN:
        push(within, "Body", d, NULL);
        break;
    case END_WITH:
    case END:
        pop(within, "Body", d, NULL);
        break;
    case BARRIER_ENTER:
        push(ENTERED, "Barrier", d, NULL);
        break;
    case BARRIER_EXIT:
        pop(ENTERED, "Barrier", d, NULL);
        break;
    default:
        fail("event", d, "of an unknown number", NULL);
    }
}

static void bounds(int loop, int64_t from, int64_t to, int64_t step)
{
    (void)loop, (void)from, (void)to;
    if (step == 0)
        fail("bounds", NULL, "a step of 0", NULL);
}

static void user(const void *variable) { (void)variable; }

static void control(int what) { pomp_fortran_1.wanted = what == INIT || what == ON; }

struct block pomp_fortran_1 = {1, event, bounds, user, 1, control, {0, 0}};
