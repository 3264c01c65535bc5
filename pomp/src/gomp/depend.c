/* depend.c: converts the dependences that GCC's runtime gets with a task to those that a tool gets;
 * see interposed.c.
 */
#include "../state/state.h"

#include <stdlib.h>

enum { POMP_DEPENDENCES = 64 /* of a task; more of them need allocated memory */ };

/* The compiler sorts dependences by kind. */
enum { POMP_OUTS, POMP_MUTEXES, POMP_INS, POMP_OBJECTS, POMP_SETS, POMP_GROUPS };

/* The dependences of one kind: their position and number, and what the text says about them. items
 * counts those in clauses without an iterator, repeated those in clauses with one, and iterators
 * the latter clauses. */
struct pomp_depend_group {
    size_t first, size, items, repeated, iterators;
};

/* Returns what the text says about the order, or null if it says nothing. */
static const char *pomp_depend_order(const struct ompregdescr *d)
{
    return d != NULL && (d->facts & POMP_HAS_DEPEND) != 0 && (d->hint & 1) != 0
               ? d->name + strlen(d->name) + 1
               : NULL;
}

/* Returns the kind of a letter in the text, see descriptors/depend.go, or POMP_GROUPS if it is no
 * kind. */
static int pomp_depend_kind(char letter)
{
    static const char letters[] = "omidsOMIDS";
    const char *at = letter != 0 ? strchr(letters, letter) : NULL;
    return at != NULL ? (int)((at - letters) % POMP_GROUPS) : POMP_GROUPS;
}

OPARI_INLINE int pomp_depend_repeats(char letter) { return letter < 'a'; }

/* Returns whether the text gives the order of the n dependences. It does not where a macro hides
 * some of them, or where several iterators have values of one kind. */
static int pomp_depend_knows(const char *order, struct pomp_depend_group *g, size_t n)
{
    for (const char *s = order, *clause = order; *s != 0; s++) {
        const int kind = pomp_depend_kind(*s);
        if (*s == ',') {
            clause = s + 1;
            continue;
        }
        if (kind == POMP_GROUPS)
            return 0;
        if (pomp_depend_repeats(*s)) {
            g[kind].repeated++;
            g[kind].iterators += s == clause;
        } else {
            g[kind].items++;
        }
    }
    /* The runtime counts the last two kinds together. */
    const size_t objects = g[POMP_OBJECTS].size;
    if (g[POMP_OBJECTS].iterators == 0)
        g[POMP_OBJECTS].size = g[POMP_OBJECTS].items;
    else
        g[POMP_OBJECTS].size = objects - g[POMP_SETS].items;
    g[POMP_SETS].size = objects - g[POMP_OBJECTS].size;
    for (int i = 0; i < POMP_GROUPS; i++) {
        if (i > 0)
            g[i].first = g[i - 1].first + g[i - 1].size;
        const size_t of_iterators = g[i].size - g[i].items;
        if (g[i].size > n || g[i].items > g[i].size || g[i].iterators > 1 ||
            (g[i].repeated == 0 ? of_iterators != 0 : of_iterators % g[i].repeated != 0))
            return 0;
    }
    return 1;
}

/* Returns the position of the next dependence of a kind in the order of the text, or of the first
 * in a block of several. */
static size_t pomp_depend_next(struct pomp_depend_group *g, int turned, size_t several)
{
    g->size -= several;
    if (turned)
        return g->first + g->size;
    g->first += several;
    return g->first - several;
}

/* Sorts the dependences into the order of the text, which the compiler may have reversed. */
static void pomp_depend_sort(const char *order, int turned, struct pomp_depend_group *g,
                             const ompt_dependence_t *list, ompt_dependence_t *sorted)
{
    for (const char *s = order; *s != 0; s++) {
        const int kind = pomp_depend_kind(*s);
        if (kind == POMP_GROUPS)
            continue;
        if (!pomp_depend_repeats(*s)) {
            *sorted++ = list[pomp_depend_next(&g[kind], turned, 1)];
            continue;
        }
        /* A clause with an iterator contributes all of its items for each value. The remaining
         * dependences of its kind are items of other clauses. */
        const size_t items = g[kind].repeated;
        size_t after = 0;
        for (const char *r = s + items; *r != 0; r++)
            after += !pomp_depend_repeats(*r) && pomp_depend_kind(*r) == kind;
        const size_t several = g[kind].size - after,
                     first = pomp_depend_next(&g[kind], turned, several);
        for (size_t i = 0; i < several; i++)
            *sorted++ = list[first + (turned ? i / items * items + (items - 1 - i % items) : i)];
        s += items - 1;
    }
}

/* Raises the dependences of a depend clause in libgomp's form: {n, outs, addresses...}, or {0, n,
 * outs, mutexinoutsets, ins, addresses...}. The addresses have that order; the depend objects
 * follow, each a pair of address and kind. */
static void pomp_raise_dependences(struct opari_task *k, void **depend)
{
    ompt_dependence_t few[2 * POMP_DEPENDENCES], *list = few;
    size_t n = (size_t)depend[0], outs = (size_t)depend[1], mutexes = 0, ins = n - outs,
           room = POMP_DEPENDENCES;
    void **address = depend + 2;
    if (n == 0) {
        n = (size_t)depend[1], outs = (size_t)depend[2], mutexes = (size_t)depend[3],
        ins = (size_t)depend[4];
        address = depend + 5;
    }
    if (OPARI_UNLIKELY(n > room) && (list = malloc(2 * n * sizeof *list)) != NULL)
        room = n;
    else if (list == NULL)
        list = few, n = room;
    for (size_t i = 0; i < n; i++) {
        static const ompt_dependence_type_t kinds[] = {0,
                                                       ompt_dependence_type_in,
                                                       ompt_dependence_type_out,
                                                       ompt_dependence_type_inout,
                                                       ompt_dependence_type_mutexinoutset,
                                                       ompt_dependence_type_inoutset};
        ompt_dependence_type_t type = i < outs
                                          ? ompt_dependence_type_inout /* out and inout are alike */
                                      : i < outs + mutexes ? ompt_dependence_type_mutexinoutset
                                                           : ompt_dependence_type_in;
        void *variable = address[i];
        if (i >= outs + mutexes + ins) {
            void *const *object = address[i];
            size_t kind = (size_t)object[1];
            variable = object[0];
            type = kind < sizeof kinds / sizeof kinds[0] && kind > 0 ? kinds[kind]
                                                                     : ompt_dependence_type_inout;
        }
        list[i].variable.ptr = variable;
        list[i].dependence_type = type;
    }
    const char *order = pomp_depend_order(k->region);
    ompt_dependence_t *sorted = list;
    struct pomp_depend_group group[POMP_GROUPS] = {
        [POMP_OUTS] = {.size = outs},
        [POMP_MUTEXES] = {.size = mutexes},
        [POMP_INS] = {.size = ins},
        [POMP_OBJECTS] = {.size = n - outs - mutexes - ins}};
    if (order != NULL && outs + mutexes + ins <= n && pomp_depend_knows(order + 1, group, n))
        pomp_depend_sort(order + 1, *order == '-', group, list, sorted = list + room);
    opari_raise_dependences(k, sorted, (int)n); /* 0: an iterator had no value */
    opari_depends(opari_self, k, sorted, (int)n);
    if (list != few)
        free(list);
}
