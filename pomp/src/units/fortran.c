/* fortran.c: the entry point of instrumented Fortran.
 *
 * A Fortran file has no objects that are initialised with addresses, and no constructor. Its calls
 * go to a subroutine of its own, which reaches the library through the common block pomp_fortran_1.
 * That block is zero in an object that is linked without the library, and the definition below in
 * one that is linked with it. With its first event, the file passes a text that describes its
 * regions.
 */
#include "../state/state.h"

#include <stdlib.h>
#include <string.h>

/* The number that a file's text begins with. */
enum pomp_fortran_text {
    POMP_FORTRAN_TEXT = 1,
    POMP_FORTRAN_TEXT_JOINED = 2, /* merged calls may follow the regions */
    POMP_FORTRAN_TEXT_NAMED = 3,  /* the same, and the dispatcher passes its address */
    POMP_FORTRAN_TEXT_WORDS = 4,  /* as JOINED, and the dispatcher passes the functions' words */
    POMP_FORTRAN_TEXT_BOTH = 5    /* the dispatcher passes the words and then its address */
};

/* The unit of one file, with its regions. */
struct pomp_fortran_unit {
    struct pomp_unit unit;
    char *text;
    union pomp_fortran_slot *slots;
    struct pomp_fortran_way way;
    size_t all; /* slots / POMP_FORTRAN_SLOTS */
    int form;
    int *words; /* one for each region: not 0 if the function is off; null: the file has none */
    struct pomp_fortran_unit *next; /* with words */
    struct ompregdescr region[];
};

/* The files whose functions may be switched off. The list only grows. */
static struct pomp_fortran_unit *pomp_fortran_switched;

/* Sets the word of a function that is off. It runs in an event of that function, whose object is
 * thus still loaded. */
static OPARI_COLD void pomp_fortran_switch_off(const struct ompregdescr *d)
{
    for (struct pomp_fortran_unit *u = OPARI_ACQUIRE(&pomp_fortran_switched); u != NULL;
         u = u->next)
        if (d >= u->region && d < u->region + u->unit.regions)
            OPARI_STORE(&u->words[d - u->region], 1);
}

static void pomp_fortran_function_end(struct ompregdescr *d)
{
    if (!OPARI_LOAD(&pomp.rates)) {
        pomp_fortran_user_region(d, 0, NULL, POMP_CALLER);
        return;
    }
    POMP_Function_end(d);
    if (OPARI_UNLIKELY(OPARI_LOAD(&d->data[2]) != NULL))
        pomp_fortran_switch_off(d);
}

/* Decodes the next field of the text in place and returns it; ends is set to the character that
 * ended it. */
static OPARI_COLD char *pomp_fortran_field(char **at, char *ends)
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

static OPARI_COLD int pomp_fortran_number(char **at, int base)
{
    char ends;
    return (int)strtoul(pomp_fortran_field(at, &ends), NULL, base);
}

/* Decodes one region; file is that of the previous region. */
static OPARI_COLD const char *pomp_fortran_region(struct ompregdescr *d, struct ompregdescr *first,
                                                  char **at, const char *file)
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

/* The functions for the events, and those for merged calls. */
#define POMP_FILL_AMONG(name, type, kind) \
    POMP_PASTE(pomp_fortran_, POMP_WHOM(POMP_LIKE_##name##_##type, ~, name##_##type, ~))
#undef POMP_AMONG_enter
#define POMP_AMONG_enter(how, name, type, kind) NULL
#define POMP_X(name, type, of) \
    {POMP_KIND_##of, POMP_FORTRAN_##type, POMP_##name##_##type, \
     POMP_AMONG_##type(POMP_FILL_AMONG, name, type, of)},
static const struct pomp_fortran_called {
    unsigned short kind, event;
    void (*call)(struct ompregdescr *d);
    void (*among)(struct ompregdescr *d, const void *ra, void *frame);
} pomp_fortran_events[] = {
    FOREACH_POMP_PLAIN_EVENT(POMP_X)
#undef POMP_X
        {POMP_KIND_PARALLEL, POMP_FORTRAN_enter, pomp_fortran_fork, NULL},
    {POMP_KIND_PARALLEL, POMP_FORTRAN_begin, pomp_fortran_begin, pomp_fortran_begin_part},
    {POMP_KIND_PARALLEL, POMP_FORTRAN_end, pomp_fortran_end, pomp_fortran_end_part},
    {POMP_KIND_PARALLEL, POMP_FORTRAN_exit, pomp_fortran_join, pomp_fortran_join_part},
    {POMP_KIND_TASK, POMP_FORTRAN_enter, pomp_fortran_task_create_begin, NULL},
    {POMP_KIND_TASK, POMP_FORTRAN_begin, pomp_fortran_task_begin, pomp_fortran_task_begin_part},
    {POMP_KIND_TASK, POMP_FORTRAN_end, pomp_fortran_task_end, pomp_fortran_task_end_part},
    {POMP_KIND_TASK, POMP_FORTRAN_exit, pomp_fortran_task_create_end,
     pomp_fortran_task_create_end_part},
    {POMP_KIND_REGION, POMP_FORTRAN_enter, pomp_fortran_function_begin, NULL},
    {POMP_KIND_REGION, POMP_FORTRAN_exit, pomp_fortran_function_end, NULL},
    {POMP_KIND_REGION, POMP_FORTRAN_begin, pomp_fortran_user_begin, pomp_fortran_user_part},
    {POMP_KIND_REGION, POMP_FORTRAN_end, pomp_fortran_user_end, pomp_fortran_user_end_part},
    {POMP_KIND_REGION, POMP_FORTRAN_BEGIN_WITH, pomp_fortran_user_begin_with, NULL},
    {POMP_KIND_REGION, POMP_FORTRAN_END_WITH, pomp_fortran_user_end_with, NULL},
};

/* Fills in the slots of a region. foreign is the result of pomp_has_other_ompt. */
static OPARI_COLD void pomp_fortran_fill(union pomp_fortran_slot *slot, struct ompregdescr *d,
                                         int foreign)
{
    union pomp_fortran_slot *among = slot + POMP_FORTRAN_AMONG;
    slot->region = d;
    for (int i = 1; i < POMP_FORTRAN_SLOTS; i++)
        slot[i].call = pomp_fortran_nothing;
    for (int i = POMP_FORTRAN_begin; i <= POMP_FORTRAN_BARRIER_EXIT; i++)
        among[i].among = pomp_fortran_nothing_part;
    if (foreign)
        return;
    slot[POMP_FORTRAN_BARRIER_ENTER].call = POMP_Barrier_enter;
    slot[POMP_FORTRAN_BARRIER_EXIT].call = POMP_Barrier_exit;
    among[POMP_FORTRAN_BARRIER_EXIT].among = pomp_fortran_Barrier_exit;
    slot[POMP_FORTRAN_COUNTED].call = pomp_fortran_counted;
    for (size_t i = 0; i < sizeof pomp_fortran_events / sizeof *pomp_fortran_events; i++) {
        const struct pomp_fortran_called *e = &pomp_fortran_events[i];
        if (e->kind == d->kind)
            slot[e->event].call = e->call;
        if (e->kind == d->kind && e->among != NULL)
            among[e->event].among = e->among;
    }
    pomp_fortran_join_region(slot, d);
}

/* Returns whether a pair is the exit of a construct's barrier and the exit of the construct. */
static OPARI_COLD int pomp_fortran_is_synced_pair(const union pomp_fortran_slot *first,
                                                  const union pomp_fortran_slot *last)
{
    const union pomp_fortran_slot *slot = first - (POMP_FORTRAN_AMONG + POMP_FORTRAN_BARRIER_EXIT);
    return slot + POMP_FORTRAN_exit == last && POMP_FORTRAN_REGION(last) == slot->region &&
           pomp_fortran_is_synced(slot->region);
}

#ifdef POMP_INTERPOSE
/* Returns whether merged calls are the exit of a parallel region's last barrier and its end. */
static OPARI_COLD int pomp_fortran_is_last_joined(const union pomp_fortran_slot *first,
                                                  const union pomp_fortran_slot *last)
{
    const union pomp_fortran_slot *ends = last - POMP_FORTRAN_end,
                                  *waits = first - (POMP_FORTRAN_AMONG + POMP_FORTRAN_BARRIER_EXIT);
    struct ompregdescr *d = POMP_FORTRAN_REGION(last), *b = POMP_FORTRAN_REGION(first);
    return ends->region == d && d->kind == POMP_KIND_PARALLEL && waits->region == b &&
           (b == d || (b->outer == d && pomp_fortran_is_last(b)));
}
#endif

static OPARI_COLD void pomp_fortran_merge_pair(union pomp_fortran_slot *slot)
{
    const union pomp_fortran_slot *first = slot[POMP_FORTRAN_JOINED].at,
                                  *last = slot[POMP_FORTRAN_JOINED + 1].at;
    slot[POMP_FORTRAN_PAIR].among = first->among;
    slot[POMP_FORTRAN_PAIR + 1].region = POMP_FORTRAN_REGION(first);
    slot[POMP_FORTRAN_PAIR_LAST].call = last->call;
    slot[POMP_FORTRAN_PAIR_COUNTED].call = last[POMP_FORTRAN_COUNTED - POMP_FORTRAN_enter].call;
    slot[POMP_FORTRAN_PAIR_REGION].region = POMP_FORTRAN_REGION(last);
    slot[POMP_FORTRAN_enter].call =
        pomp_fortran_is_synced_pair(first, last) ? pomp_fortran_synced_pair : pomp_fortran_pair;
    slot[POMP_FORTRAN_COUNTED].call = pomp_fortran_pair_counted;
}

/* Fills in the slots of merged calls, whose numbers the text lists up to a semicolon. */
static OPARI_COLD void pomp_fortran_merge_calls(union pomp_fortran_slot *slot,
                                                const union pomp_fortran_slot *slots, char **at)
{
    char ends = ',';
    for (int i = 0; i < POMP_FORTRAN_SLOTS; i++)
        slot[i].at = NULL;
    slot->region = (struct ompregdescr *)(void *)slot;
    for (int i = POMP_FORTRAN_JOINED; i < POMP_FORTRAN_JOINED_END && ends == ','; i++) {
        const size_t what = strtoul(pomp_fortran_field(at, &ends), NULL, 10);
        slot[i].at = &slots[ends == ',' ? what + POMP_FORTRAN_AMONG : what];
    }
    slot[POMP_FORTRAN_enter].call = pomp_fortran_merged_calls;
    slot[POMP_FORTRAN_COUNTED].call = pomp_fortran_merged_counted;
    const union pomp_fortran_slot *last = slot[POMP_FORTRAN_JOINED].at;
    for (int i = POMP_FORTRAN_JOINED; slot[i].at != NULL; i++)
        last = slot[i].at;
#ifdef POMP_INTERPOSE
    if (pomp_fortran_is_last_joined(slot[POMP_FORTRAN_JOINED].at, last))
        slot[POMP_FORTRAN_enter].call = pomp_fortran_last_joined;
    else
#endif
        if (slot[POMP_FORTRAN_JOINED + 1].at == last)
        pomp_fortran_merge_pair(slot);
}

/* Reads the text that describes a file's regions. Returns null if there is no memory, or if the
 * text has another ABI. */
static OPARI_COLD struct pomp_fortran_unit *pomp_fortran_read(const char *text, size_t size,
                                                              int foreign)
{
    char *copy = malloc(size + 1);
    if (copy == NULL)
        return NULL;
    memcpy(copy, text, size);
    copy[size] = 0;
    size_t all = 0; /* one per semicolon: includes slot set 0, which belongs to no region */
    for (size_t i = 0; i < size; i++)
        all += copy[i] == ';';
    char *at = copy;
    const int form = pomp_fortran_number(&at, 10);
    const size_t n = (size_t)pomp_fortran_number(&at, 10);
    const size_t bytes = sizeof(struct pomp_fortran_unit) + n * sizeof(struct ompregdescr);
    void *memory = NULL, *slots = NULL;
    if (form < POMP_FORTRAN_TEXT || form > POMP_FORTRAN_TEXT_BOTH ||
        posix_memalign(&slots, POMP_FORTRAN_SLOTS_SIZE, all * POMP_FORTRAN_SLOTS_SIZE) != 0 ||
        posix_memalign(&memory, _Alignof(struct pomp_fortran_unit), bytes) != 0) {
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
    u->all = all;
    u->form = form;
    const char *file = "";
    for (size_t i = 0; i < n; i++) {
        file = pomp_fortran_region(&u->region[i], u->region, &at, file);
        pomp_fortran_fill(&u->slots[(i + 1) * POMP_FORTRAN_SLOTS], &u->region[i], foreign);
    }
    for (size_t i = n + 1; i < all; i++)
        pomp_fortran_merge_calls(&u->slots[i * POMP_FORTRAN_SLOTS], u->slots, &at);
    return u;
}

/* Redirects the object that contains slot, and thus the file; the descriptors of its regions are
 * elsewhere. */
static OPARI_COLD void pomp_fortran_redirect(struct pomp_fortran_unit *u, const void *slot)
{
#ifdef OPARI_SHARED
    const int redirected = OPARI_LOAD(&pomp.wanted) && pomp_redirect(slot);
    for (int i = 0; i < u->unit.regions; i++)
        u->region[i].data[3] = redirected ? POMP_REDIRECTED : POMP_NOT_REDIRECTED;
#else
    (void)u;
    (void)slot;
#endif
}

/* Returns the slots for the file's dispatcher. */
static OPARI_COLD const union pomp_fortran_slot *
pomp_fortran_slots(struct pomp_fortran_unit *u, intptr_t *slot, const void *dispatcher)
{
    const union pomp_fortran_slot *ways = NULL;
#ifdef POMP_INTERPOSE
    if (dispatcher != NULL)
        ways = pomp_fortran_ways(&u->way, slot, u->slots, u->all, dispatcher);
#else
    (void)slot, (void)dispatcher;
#endif
    return ways != NULL ? ways : u->slots;
}

/* Registers a file's regions at its first event. Returns whether they are registered and events are
 * wanted. */
static OPARI_COLD int pomp_fortran_first(intptr_t *slot, const char *text, void *more, void *last)
{
    const int foreign = pomp_has_other_ompt(slot); /* the slot is in the file's object */
    pthread_mutex_lock(&pomp_fortran_lock);
    struct pomp_fortran_unit *u =
        *slot == 0 ? pomp_fortran_read(text, (size_t)slot[1], foreign) : NULL;
    if (u != NULL) {
        pomp_unit_1(&u->unit);
        pomp_fortran_redirect(u, slot);
        pomp_fortran_set_active(u->unit.active);
        OPARI_STORE(&pomp_fortran_used, 1);
        if (u->form >= POMP_FORTRAN_TEXT_WORDS) {
            u->words = more;
            u->next = pomp_fortran_switched;
            OPARI_RELEASE(&pomp_fortran_switched, u);
        }
        const void *dispatcher = u->form == POMP_FORTRAN_TEXT_NAMED  ? more
                                 : u->form == POMP_FORTRAN_TEXT_BOTH ? last
                                                                     : NULL;
        OPARI_RELEASE(slot, (intptr_t)pomp_fortran_slots(u, slot, dispatcher));
    }
    const int known = *slot != 0;
    pthread_mutex_unlock(&pomp_fortran_lock);
    return known && pomp_fortran_1.wanted != 0;
}

/* Handles a file's first event. From then on, its dispatcher finds the other slots in slot[0] and
 * jumps to them itself. slot[0] is zero at first; slot[1] is the length of text. dispatcher is the
 * dispatcher's address, if the text says that it is passed. */
static void pomp_fortran_event(int what, intptr_t *slot, const char *text, void *more, void *last)
{
    if (!pomp_fortran_first(slot, text, more, last))
        return;
    const union pomp_fortran_slot *slots = (const union pomp_fortran_slot *)OPARI_ACQUIRE(slot),
                                  *of = &slots[what & -POMP_FORTRAN_SLOTS];
#ifdef POMP_INTERPOSE
    if (of[POMP_FORTRAN_enter].call == pomp_fortran_from_1) {
        pomp_fortran_first_from(of, what % POMP_FORTRAN_SLOTS, POMP_CALLER, POMP_FRAME);
        return;
    }
#endif
    slots[what].call(of->region);
}

POMP_API struct pomp_fortran_block pomp_fortran_1 __attribute__((__aligned__(64))) = {
    1, pomp_fortran_event, pomp_fortran_bounds, pomp_fortran_user, 1, pomp_fortran_control, {0, 0}};

/* Where the program is linked with the shared library, its own common block replaces the library's
 * and is all zeros. Where the library is preloaded, the program may have one that the loader does
 * not know. */
#ifdef OPARI_SHARED
static OPARI_COLD void pomp_fortran_fill_in(struct pomp_fortran_block *volatile block)
{
    if (block->event == NULL) {
        block->event = pomp_fortran_event;
        block->bounds = pomp_fortran_bounds;
        block->user = pomp_fortran_user;
        block->control = pomp_fortran_control;
        block->detailed = 1;
        block->wanted = 1;
        pomp_redirect_early((const void *)(uintptr_t)block);
    }
}

__attribute__((constructor)) static void pomp_fortran_start(void)
{
    pomp_fortran_fill_in(&pomp_fortran_1);
    struct pomp_fortran_block *program =
        pomp_variable("LD_PRELOAD") != NULL ? pomp_fortran_find() : NULL;
    if (program == NULL || program == &pomp_fortran_1)
        return;
    pomp_fortran_fill_in(program);
    pomp_fortran_program = program;
}
#endif
