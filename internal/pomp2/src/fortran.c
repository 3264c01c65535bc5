/* fortran.c: what instrumented Fortran calls.
 *
 * A file reaches the program through the common block pomp_fortran_1 and describes its regions by a
 * text. The format of both stands in pomp/src/units/fortran.c and pomp/src/fortran/events.c.
 */
enum { POMP2_SLOTS = 16 }; /* of a region: itself, and what to call for each of its events */
enum pomp2_fortran_event {
    POMP2_AT_NONE,
    POMP2_AT_enter,
    POMP2_AT_begin,
    POMP2_AT_end,
    POMP2_AT_exit,
    POMP2_AT_BARRIER_ENTER,
    POMP2_AT_BARRIER_EXIT,
    POMP2_AT_COUNTED,
    POMP2_AT_BEGIN_WITH,
    POMP2_AT_END_WITH,
    POMP2_AT_INIT = 11,
    POMP2_AT_FINALIZE,
    POMP2_AT_ON,
    POMP2_AT_OFF
};

union pomp2_slot {
    struct ompregdescr *region;
    void (*call)(struct ompregdescr *d);
    size_t number;
    const union pomp2_slot *slots;
};

struct pomp2_file {
    struct pomp_unit unit;
    union pomp2_slot *slots;
    struct ompregdescr *region;
};

static void pomp2_nothing(struct ompregdescr *d) { (void)d; }

/* Tasks. No handle travels with the program, so a thread that begins a task takes one of those
 * that have been created for its region: its own if it is about to create one, else the oldest.
 */
struct pomp2_waiting {
    struct pomp2_waiting *before, *after; /* after: also of those that are unused */
    const struct ompregdescr *region;     /* null: unused */
    pomp2_task task;
};
struct pomp2_queue {
    struct pomp2_waiting *oldest, *newest;
};
static struct pomp2_waiting *pomp2_free_waiting;
static int pomp2_queues_locked;
static __thread struct pomp2_waiting *pomp2_creating;

static struct pomp2_waiting *pomp2_queue_up(struct ompregdescr *d, pomp2_task task)
{
    pomp2_lock(&pomp2_queues_locked);
    struct pomp2_queue *q = (struct pomp2_queue *)d->data[3];
    if (q == NULL)
        d->data[3] = q = (struct pomp2_queue *)calloc(1, sizeof *q);
    struct pomp2_waiting *w = pomp2_free_waiting;
    if (w != NULL)
        pomp2_free_waiting = w->after;
    else
        w = (struct pomp2_waiting *)malloc(sizeof *w);
    if (q != NULL && w != NULL) {
        w->region = d;
        w->task = task;
        w->after = NULL;
        w->before = q->newest;
        *(q->newest != NULL ? &q->newest->after : &q->oldest) = w;
        q->newest = w;
    }
    pomp2_unlock(&pomp2_queues_locked);
    return q != NULL ? w : NULL;
}

/* Takes a task from its region's queue. Returns whether there was one. */
static int pomp2_take(struct ompregdescr *d, pomp2_task *task)
{
    pomp2_lock(&pomp2_queues_locked);
    struct pomp2_queue *q = (struct pomp2_queue *)d->data[3];
    struct pomp2_waiting *w = pomp2_creating;
    if (w == NULL || w->region != d)
        w = q != NULL ? q->oldest : NULL;
    if (w != NULL) {
        *(w->before != NULL ? &w->before->after : &q->oldest) = w->after;
        *(w->after != NULL ? &w->after->before : &q->newest) = w->before;
        *task = w->task;
        w->region = NULL;
        w->after = pomp2_free_waiting;
        pomp2_free_waiting = w;
    }
    pomp2_unlock(&pomp2_queues_locked);
    return w != NULL;
}

static void pomp2_fortran_task_create_begin(struct ompregdescr *d)
{
    pomp2_task made;
    if (pomp2_create(d, 1, &made))
        pomp2_creating = pomp2_queue_up(d, made);
}

static void pomp2_fortran_task_create_end(struct ompregdescr *d)
{
    pomp2_creating = NULL;
    pomp2_created(d);
}

static void pomp2_fortran_task_begin(struct ompregdescr *d)
{
    pomp2_task task;
    if (pomp2_hears(d) && pomp2_take(d, &task))
        pomp2_task_begin(d, task);
}

static void pomp2_fortran_task_end(struct ompregdescr *d)
{
    if (pomp2_hears(d))
        pomp2_task_end(d);
}

/* The values of if and num_threads for the thread's next fork. A file announces them as the bounds
 * of a loop by zero. */
static __thread struct {
    int if_value, num_threads;
} pomp2_fork_values = {1, 0};

static int64_t pomp2_fortran_bounds(int loop, int64_t first, int64_t last, int64_t by, int64_t what)
{
    (void)loop;
    if (by == 0) {
        pomp2_fork_values.if_value = first != 0;
        pomp2_fork_values.num_threads = last > 0 && last < INT32_MAX ? (int)last : 0;
    }
    return what;
}

/* The threads of a team find the instance that was forked last in data[3]. */
static void pomp2_fortran_fork(struct ompregdescr *d)
{
    void *instance =
        POMP_Parallel_fork(d, pomp2_fork_values.if_value, pomp2_fork_values.num_threads);
    pomp2_fork_values.if_value = 1;
    pomp2_fork_values.num_threads = 0;
    __atomic_store_n(&d->data[3], instance, __ATOMIC_RELEASE);
}

static void pomp2_fortran_begin(struct ompregdescr *d)
{
    void *instance = __atomic_load_n(&d->data[3], __ATOMIC_ACQUIRE);
    if (pomp2_hears(d) && instance != NULL)
        POMP_Parallel_begin(d, instance);
}

static void pomp2_fortran_end(struct ompregdescr *d)
{
    if (pomp2_hears(d))
        POMP_Parallel_end(d, NULL);
}

static void pomp2_fortran_join(struct ompregdescr *d)
{
    if (pomp2_hears(d))
        POMP_Parallel_join(d, NULL);
}

static const struct {
    unsigned kind;
    enum pomp2_fortran_event event;
    void (*call)(struct ompregdescr *d);
} pomp2_fortran_calls[] = {
#define POMP2_X(name, type, kind) {POMP_KIND_##kind, POMP2_AT_##type, POMP_##name##_##type},
    FOREACH_POMP_PLAIN_EVENT(POMP2_X)
#undef POMP2_X
        {POMP_KIND_PARALLEL, POMP2_AT_enter, pomp2_fortran_fork},
    {POMP_KIND_PARALLEL, POMP2_AT_begin, pomp2_fortran_begin},
    {POMP_KIND_PARALLEL, POMP2_AT_end, pomp2_fortran_end},
    {POMP_KIND_PARALLEL, POMP2_AT_exit, pomp2_fortran_join},
    {POMP_KIND_TASK, POMP2_AT_enter, pomp2_fortran_task_create_begin},
    {POMP_KIND_TASK, POMP2_AT_begin, pomp2_fortran_task_begin},
    {POMP_KIND_TASK, POMP2_AT_end, pomp2_fortran_task_end},
    {POMP_KIND_TASK, POMP2_AT_exit, pomp2_fortran_task_create_end},
    {POMP_KIND_REGION, POMP2_AT_enter, POMP_Function_begin},
    {POMP_KIND_REGION, POMP2_AT_exit, POMP_Function_end},
    {POMP_KIND_REGION, POMP2_AT_begin, POMP_Function_begin},
    {POMP_KIND_REGION, POMP2_AT_end, POMP_Function_end},
    {POMP_KIND_REGION, POMP2_AT_BEGIN_WITH, POMP_Function_begin},
    {POMP_KIND_REGION, POMP2_AT_END_WITH, POMP_Function_end},
};

static void pomp2_fill(union pomp2_slot *slot, struct ompregdescr *d)
{
    slot[POMP2_AT_NONE].region = d;
    for (int i = 1; i < POMP2_SLOTS; i++)
        slot[i].call = pomp2_nothing;
    slot[POMP2_AT_BARRIER_ENTER].call = POMP_Barrier_enter;
    slot[POMP2_AT_BARRIER_EXIT].call = POMP_Barrier_exit;
    for (size_t i = 0; i < sizeof pomp2_fortran_calls / sizeof *pomp2_fortran_calls; i++)
        if (pomp2_fortran_calls[i].kind == d->kind)
            slot[pomp2_fortran_calls[i].event].call = pomp2_fortran_calls[i].call;
    slot[POMP2_AT_COUNTED] = slot[POMP2_AT_enter];
}

static void pomp2_call(const union pomp2_slot *slots, size_t what)
{
    slots[what].call(slots[what & ~(size_t)(POMP2_SLOTS - 1)].region);
}

/* Merged calls are numbered like regions. Behind their two functions, their slots hold those of the
 * file and a list of the calls up to a zero. */
enum { POMP2_MERGED_OF = 2, POMP2_MERGED_FIRST, POMP2_MERGED_ENTER = POMP2_AT_COUNTED };

static void pomp2_call_merged(struct ompregdescr *slots)
{
    const union pomp2_slot *slot = (const union pomp2_slot *)(const void *)slots;
    for (int i = POMP2_MERGED_FIRST; i < POMP2_SLOTS && slot[i].number != 0; i++)
        if (i != POMP2_MERGED_ENTER)
            pomp2_call(slot[POMP2_MERGED_OF].slots, slot[i].number);
}

/* Decodes the next field of the text in place and returns it; ends is set to the character that
 * ended it. */
static char *pomp2_field(char **at, char *ends)
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

static int pomp2_number(char **at, int base)
{
    char ends;
    return (int)strtoul(pomp2_field(at, &ends), NULL, base);
}

/* Decodes one region; file is that of the previous one. */
static const char *pomp2_decode(struct ompregdescr *d, struct ompregdescr *first, char **at,
                                const char *file)
{
    char ends;
    d->kind = (unsigned)pomp2_number(at, 10);
    d->schedule = pomp2_number(at, 10);
    d->num_sections = pomp2_number(at, 10);
    const int outer = pomp2_number(at, 10);
    d->outer = outer > 0 ? first + (outer - 1) : NULL;
    d->begin_first_line = pomp2_number(at, 10);
    d->begin_last_line = pomp2_number(at, 10);
    d->end_first_line = pomp2_number(at, 10);
    d->end_last_line = pomp2_number(at, 10);
    d->hint = pomp2_number(at, 10);
    d->facts = (unsigned)pomp2_number(at, 16);
    d->name = pomp2_field(at, &ends);
    d->sub_name = pomp2_field(at, &ends);
    d->directive = pomp2_field(at, &ends);
    const char *own = pomp2_field(at, &ends);
    d->file_name = *own != 0 ? own : file;
    return d->file_name;
}

static void pomp2_decode_merged(union pomp2_slot *slot, const union pomp2_slot *slots, char **at)
{
    char ends = ',';
    slot[POMP2_AT_NONE].region = (struct ompregdescr *)(void *)slot;
    slot[POMP2_AT_enter].call = pomp2_call_merged;
    slot[POMP2_AT_COUNTED].call = pomp2_call_merged;
    slot[POMP2_MERGED_OF].slots = slots;
    for (int i = POMP2_MERGED_FIRST; ends == ','; i += 1 + (i + 1 == POMP2_MERGED_ENTER)) {
        const size_t what = strtoul(pomp2_field(at, &ends), NULL, 10);
        if (i < POMP2_SLOTS)
            slot[i].number = what;
    }
}

/* Reads the text that describes a file's regions. Returns null if there is no memory, or if the
 * text has a format that is not known. */
static struct pomp2_file *pomp2_read(const char *text, size_t size)
{
    size_t all = 1; /* slots[0] belongs to no region */
    for (size_t i = 0; i < size; i++)
        all += text[i] == ';';
    struct pomp2_file *f = (struct pomp2_file *)calloc(1, sizeof *f + 64);
    struct ompregdescr *region = (struct ompregdescr *)calloc(all, sizeof *region);
    union pomp2_slot *slots = (union pomp2_slot *)calloc(all, POMP2_SLOTS * sizeof *slots);
    char *at = (char *)malloc(size + 1);
    if (f == NULL || region == NULL || slots == NULL || at == NULL)
        return NULL;
    memcpy(at, text, size);
    at[size] = 0;
    const int form = pomp2_number(&at, 10);
    const size_t n = (size_t)pomp2_number(&at, 10);
    if (form < 1 || form > 5 || n >= all)
        return NULL;
    f->unit.abi = POMP_ABI_1;
    f->unit.regions = (int)n;
    f->unit.region = region;
    f->slots = slots;
    for (int i = 0; i < POMP2_SLOTS; i++)
        slots[i].call = pomp2_nothing;
    const char *file = "";
    for (size_t i = 0; i < n; i++) {
        file = pomp2_decode(&region[i], region, &at, file);
        pomp2_fill(&slots[(i + 1) * POMP2_SLOTS], &region[i]);
    }
    for (size_t i = n + 1; i < all && *at != 0; i++)
        pomp2_decode_merged(&slots[i * POMP2_SLOTS], slots, &at);
    return f;
}

/* Handles a file's first event. slot[0] is zero at first, and slot[1] is the length of the text.
 * From then on the file finds its slots there. */
static void pomp2_fortran_event(int what, intptr_t *slot, const char *text, void *more, void *last)
{
    (void)more, (void)last;
    if (__atomic_load_n(slot, __ATOMIC_ACQUIRE) == 0) {
        struct pomp2_file *f = pomp2_read(text, (size_t)slot[1]);
        intptr_t none = 0;
        if (f == NULL)
            return;
        pomp2_prepare(&f->unit);
        if (__atomic_compare_exchange_n(slot, &none, (intptr_t)f->slots, 0, __ATOMIC_ACQ_REL,
                                        __ATOMIC_ACQUIRE))
            pomp_unit_1(&f->unit);
    }
    pomp2_call((const union pomp2_slot *)__atomic_load_n(slot, __ATOMIC_ACQUIRE), (size_t)what);
}

static void pomp2_fortran_user(const void *variable) { (void)variable; }

static void pomp2_fortran_control(int what)
{
    if (what == POMP2_AT_INIT)
        POMP_Init();
    else if (what == POMP2_AT_FINALIZE)
        POMP_Finalize();
    else if (what == POMP2_AT_ON)
        POMP_On();
    else if (what == POMP2_AT_OFF)
        POMP_Off();
}

struct pomp2_fortran_block {
    volatile intptr_t wanted;
    void (*event)(int what, intptr_t *slot, const char *text, void *more, void *last);
    int64_t (*bounds)(int loop, int64_t first, int64_t last, int64_t by, int64_t what);
    void (*user)(const void *variable);
    volatile intptr_t detailed;
    void (*control)(int what);
    intptr_t spare[2];
};
#ifdef __cplusplus
extern "C" {
#endif
extern struct pomp2_fortran_block pomp_fortran_1;
#ifdef __cplusplus
}
#endif
struct pomp2_fortran_block pomp_fortran_1 __attribute__((__aligned__(64))) = {
    1,     pomp2_fortran_event, pomp2_fortran_bounds, pomp2_fortran_user, -1, pomp2_fortran_control,
    {0, 0}};
