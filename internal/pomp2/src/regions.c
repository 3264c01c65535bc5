/* regions.c: the string that describes a region to POMP2, and who owns its handle.
 *
 * A descriptor's data belong to the measurement library, here to this file. data[0] is the handle,
 * data[1] the string, and data[2] the descriptor with the handle and string that the region's
 * events pass; null: its events are left out. data[3] belongs to fortran.c.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *pomp2_text(const char *s) { return s != NULL ? s : ""; }

/* Returns whether the directive has the word. */
static int pomp2_names(const struct ompregdescr *d, const char *word)
{
    const size_t n = strlen(word);
    for (const char *s = pomp2_text(d->directive); *s != 0;) {
        const size_t m = strcspn(s, " ");
        if (m == n && strncmp(s, word, n) == 0)
            return 1;
        s += m + (s[m] != 0);
    }
    return 0;
}

/* Returns the type of a region in POMP2; null: it has none. */
static const char *pomp2_type(const struct ompregdescr *d)
{
    if (d->kind == POMP_KIND_PARALLEL && pomp2_names(d, "do"))
        return "paralleldo";
    if (d->kind == POMP_KIND_PARALLEL && (pomp2_names(d, "for") || pomp2_names(d, "loop")))
        return "parallelfor";
    if (d->kind == POMP_KIND_PARALLEL && pomp2_names(d, "sections"))
        return "parallelsections";
    if (d->kind == POMP_KIND_PARALLEL && pomp2_names(d, "workshare"))
        return "parallelworkshare";
    if (d->kind == POMP_KIND_FOR && pomp2_names(d, "do"))
        return "do";
    if (d->kind == POMP_KIND_ORDERED && (d->facts & (POMP_HAS_DEPEND | POMP_HAS_DOACROSS)) != 0)
        return NULL; /* it has no block, and several threads may be in it at once */
    if (d->kind == POMP_KIND_TASKLOOP && (d->facts & POMP_HAS_NOGROUP) != 0)
        return NULL; /* it does not wait */
#ifdef POMP1_REGIONS
    if (d->kind == POMP_KIND_ORDERED || d->kind == POMP_KIND_TASK ||
        d->kind == POMP_KIND_TASKWAIT || d->kind == POMP_KIND_TASKGROUP ||
        d->kind == POMP_KIND_TASKLOOP)
        return NULL;
#endif
    switch (d->kind) {
#define POMP2_X(kind, type, how) \
    case POMP_KIND_##kind: return type;
        FOREACH_POMP2_KIND(POMP2_X)
#undef POMP2_X
    default: return NULL;
    }
}

/* Returns the descriptor whose handle a region's events pass. POMP2 knows a combined construct, and
 * sections with each section, as one region. */
static struct ompregdescr *pomp2_owner(struct ompregdescr *d)
{
    struct ompregdescr *o = d->outer;
    if (pomp2_type(d) == NULL)
        return NULL;
    if (d->kind == POMP_KIND_SECTION) /* its sections may be disabled */
        return o != NULL && pomp2_names(o, "sections") ? pomp2_owner(o) : NULL;
    const int shares = d->kind == POMP_KIND_FOR || d->kind == POMP_KIND_LOOP ||
                       d->kind == POMP_KIND_SECTIONS || d->kind == POMP_KIND_WORKSHARE;
    if (shares && o != NULL && o->kind == POMP_KIND_PARALLEL &&
        o->begin_first_line == d->begin_first_line &&
        strcmp(pomp2_text(o->directive), pomp2_text(d->directive)) == 0)
        return o;
    return d;
}

/* A string that grows; after a failure it is null. */
struct pomp2_string {
    char *text;
    size_t length, room;
};

/* Appends n bytes. */
static void pomp2_append(struct pomp2_string *s, const char *text, size_t n)
{
    if (s->length + n + 1 > s->room && s->room != 0) {
        s->room = 2 * s->room + n;
        char *grown = (char *)realloc(s->text, s->room);
        if (grown == NULL) {
            free(s->text);
            s->room = 0;
        }
        s->text = grown;
    }
    if (s->text == NULL)
        return;
    memcpy(s->text + s->length, text, n);
    s->length += n;
    s->text[s->length] = 0;
}

/* Appends text that must not have the characters that part the string's fields. */
static void pomp2_append_name(struct pomp2_string *s, const char *text)
{
    for (text = pomp2_text(text); *text != 0; text++)
        pomp2_append(s, *text == '*' || *text == ':' ? "_" : text, 1);
}

static void pomp2_append_number(struct pomp2_string *s, int n)
{
    char digits[24];
    pomp2_append(s, digits, (size_t)snprintf(digits, sizeof digits, "%d", n));
}

static void pomp2_append_key(struct pomp2_string *s, const char *key)
{
    pomp2_append(s, "*", 1);
    pomp2_append(s, key, strlen(key));
    pomp2_append(s, "=", 1);
}

static void pomp2_append_lines(struct pomp2_string *s, const char *key, const char *file, int first,
                               int last)
{
    pomp2_append_key(s, key);
    pomp2_append_name(s, file);
    pomp2_append(s, ":", 1);
    pomp2_append_number(s, first);
    pomp2_append(s, ":", 1);
    pomp2_append_number(s, last);
}

/* Appends the keys that follow a descriptor's directive. Returns whether the schedule is among
 * them. */
static int pomp2_append_keys(struct pomp2_string *s, const struct ompregdescr *d)
{
    if ((d->hint & POMP_KEYS_FOLLOW) == 0 || d->directive == NULL)
        return 0;
    const char *keys = d->directive + strlen(d->directive) + 1;
    pomp2_append(s, keys, strlen(keys));
    return strstr(keys, "*hasSchedule=") != NULL;
}

/* Appends a key for each clause of the region, and of the other half of a combined construct. */
static void pomp2_append_clauses(struct pomp2_string *s, unsigned kind, unsigned facts,
                                 const struct ompregdescr *loop)
{
    static const char *const schedules[] = {"",     "static",  "dynamic", "guided",
                                            "auto", "runtime", "static"};
    static const struct {
        unsigned fact;
        const char *key;
    } keys[] = {{POMP_HAS_COLLAPSE, "hasCollapse"},       {POMP_HAS_IF, "hasIf"},
                {POMP_HAS_LASTPRIVATE, "hasLastPrivate"}, {POMP_HAS_NOWAIT, "hasNowait"},
                {POMP_HAS_NUM_THREADS, "hasNum_threads"}, {POMP_HAS_ORDERED, "hasOrdered"},
                {POMP_HAS_REDUCTION, "hasReduction"},     {POMP_HAS_UNTIED, "hasUntied"}};
    if ((facts & POMP_HAS_COPY) != 0) {
        pomp2_append_key(s, kind == POMP_KIND_SINGLE ? "hasCopyPrivate" : "hasCopyIn");
        pomp2_append(s, "1", 1);
    }
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if ((facts & keys[i].fact) != 0) {
            pomp2_append_key(s, keys[i].key);
            pomp2_append(s, "1", 1);
        }
    if (!pomp2_append_keys(s, loop) && loop->schedule > 0 &&
        loop->schedule < (int)(sizeof schedules / sizeof *schedules)) {
        pomp2_append_key(s, "hasSchedule");
        pomp2_append(s, schedules[loop->schedule], strlen(schedules[loop->schedule]));
    }
}

/* Returns the string that describes the owner of a handle. inner is the other half of a combined
 * construct, or d itself. */
static char *pomp2_describe(const struct ompregdescr *d, const struct ompregdescr *inner)
{
    struct pomp2_string s = {(char *)malloc(256), 0, 256};
    const int first = d->begin_last_line, end = d->end_first_line;
    pomp2_append_key(&s, "regionType");
    pomp2_append_name(&s, pomp2_type(d));
    pomp2_append_lines(&s, "sscl", d->file_name, d->begin_first_line, first);
    pomp2_append_lines(&s, "escl", d->file_name, end < first ? first : end,
                       d->end_last_line < first ? first : d->end_last_line);
    if (d->kind == POMP_KIND_REGION) {
        pomp2_append_key(&s, "userRegionName");
        pomp2_append_name(&s, d->sub_name);
    } else {
        if (inner != d)
            (void)pomp2_append_keys(&s, d);
        pomp2_append_clauses(&s, d->kind, d->facts | inner->facts, inner);
    }
    if (d->kind == POMP_KIND_CRITICAL && *pomp2_text(d->sub_name) != 0) {
        pomp2_append_key(&s, "criticalName");
        pomp2_append_name(&s, d->sub_name);
    }
    if (d->kind == POMP_KIND_SECTIONS) {
        pomp2_append_key(&s, "numSections");
        pomp2_append_number(&s, d->num_sections > 0 ? d->num_sections : 1);
    }
    pomp2_append(&s, "**", 2);
    struct pomp2_string all = {(char *)malloc(256), 0, 256};
    pomp2_append_number(&all, (int)s.length + 2); /* OPARI2's number is two more */
    pomp2_append(&all, s.text != NULL ? s.text : "", s.length);
    if (s.text == NULL) {
        free(all.text);
        all.text = NULL;
    }
    free(s.text);
    return all.text;
}

/* Sets the data of a unit's descriptors, if that has not been done. Where there is no memory for a
 * string, the region is left out. */
static void pomp2_prepare(struct pomp_unit *unit)
{
    for (int i = 0; i < unit->regions; i++) {
        struct ompregdescr *d = &unit->region[i], *owner = pomp2_owner(d);
        if (owner == NULL || d->data[2] != NULL)
            continue;
        const struct ompregdescr *inner = d;
        for (int j = i + 1; j < unit->regions && j < i + 4 && inner == d; j++)
            if (pomp2_owner(&unit->region[j]) == d && unit->region[j].kind != POMP_KIND_SECTION)
                inner = &unit->region[j];
        if (inner->kind == POMP_KIND_SECTIONS)
            d->num_sections = inner->num_sections; /* of a combined construct, too */
        if (owner == d)
            d->data[1] = pomp2_describe(d, inner);
        if (owner->data[1] != NULL)
            __atomic_store_n(&d->data[2], (void *)owner, __ATOMIC_RELEASE);
    }
}
