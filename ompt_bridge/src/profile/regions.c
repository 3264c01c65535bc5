/* regions.c: numbers for regions, nodes for call paths.
 *
 * A region gets its number when a thread first meets it, so that a file with 10,000 regions costs
 * only what the program uses. The descriptor's data[0] holds the number. When descriptors vanish
 * (dlclose) the table keeps copies. If the same code is loaded again its regions get their old
 * numbers back.
 */
#include "profile.h"

#include <pthread.h>
#include <string.h>

enum { REC_BLOCK = 1024 };

static struct {
    pthread_mutex_t lock;
    size_t used;     /* numbers assigned, from 1 on */
    size_t unloaded; /* how many of them are copies */
    size_t cursor;   /* the copy found last: code is usually loaded again in its old order */
    struct ompregdescr **block[REC_REGIONS / REC_BLOCK];
} rec_regions = {PTHREAD_MUTEX_INITIALIZER, 0, 0, 0, {NULL}};

static struct ompregdescr *rec_region(size_t number)
{
    struct ompregdescr **block = rec_regions.block[number / REC_BLOCK];
    return block != NULL ? block[number % REC_BLOCK] : NULL;
}

static size_t rec_regions_used(void) { return OPARI_ACQUIRE(&rec_regions.used); }

static int rec_same(const char *a, const char *b)
{
    return strcmp(a != NULL ? a : "", b != NULL ? b : "") == 0;
}

/* Whether a region is the copy of d. In a copy next points to the copy itself, because that field
 * belongs to the library. */
static int rec_is_copy_of(const struct ompregdescr *copy, const struct ompregdescr *d)
{
    return copy->next == copy && copy->begin_first_line == d->begin_first_line &&
           copy->kind == d->kind && copy->end_last_line == d->end_last_line &&
           rec_same(copy->file_name, d->file_name) && rec_same(copy->sub_name, d->sub_name) &&
           rec_same(copy->directive, d->directive);
}

static size_t rec_find_copy(const struct ompregdescr *d)
{
    for (size_t i = 0; i < rec_regions.used; i++) {
        size_t number = (rec_regions.cursor + i) % rec_regions.used + 1;
        if (rec_is_copy_of(rec_region(number), d)) {
            rec_regions.cursor = number;
            return number;
        }
    }
    return 0;
}

/* Returns the number of d, and assigns one if it has none; 0 when there is no room for more. */
static OPARI_COLD size_t rec_number(struct ompregdescr *d)
{
    pthread_mutex_lock(&rec_regions.lock);
    size_t number = (size_t)(uintptr_t)d->data[0];
    if (number == 0 && rec_regions.unloaded > 0 && (number = rec_find_copy(d)) != 0) {
        const struct ompregdescr *copy = rec_region(number);
        if (rec_calls_until_off(copy) != 0) /* it stays off */
            OPARI_STORE(&d->data[2], copy->data[2]);
        rec_regions.block[number / REC_BLOCK][number % REC_BLOCK] = d;
        rec_regions.unloaded--;
    } else if (number == 0 && rec_regions.used + 1 < REC_REGIONS) {
        number = rec_regions.used + 1;
        struct ompregdescr ***block = &rec_regions.block[number / REC_BLOCK];
        if (*block == NULL)
            *block = opari_memory(REC_BLOCK * sizeof **block);
        if (*block == NULL) {
            number = 0;
        } else {
            (*block)[number % REC_BLOCK] = d;
            OPARI_RELEASE(&rec_regions.used, number);
        }
    }
    OPARI_RELEASE(&d->data[0], (void *)(uintptr_t)number);
    pthread_mutex_unlock(&rec_regions.lock);
    return number;
}

static const char *rec_keep(const char *s)
{
    size_t n = s != NULL ? strlen(s) + 1 : 1;
    char *copy = opari_memory(n);
    if (copy == NULL)
        return "";
    if (n > 1)
        memcpy(copy, s, n);
    return copy;
}

/* Copies the descriptors first[0..n-1], which are about to vanish. */
static void rec_unload(struct ompregdescr *first, int n)
{
    const char *file = NULL, *kept = "";
    pthread_mutex_lock(&rec_regions.lock);
    for (int i = 0; i < n; i++) {
        struct ompregdescr *d = &first[i];
        size_t number = (size_t)(uintptr_t)d->data[0];
        if (number == 0)
            continue;
        struct ompregdescr *copy = opari_memory(sizeof *copy);
        if (copy == NULL)
            continue;
        if (d->file_name != file)
            kept = rec_keep(file = d->file_name);
        /* The copy omits the words of data: threads that are still in a region when the process
         * exits write there. */
        memcpy(copy, d, offsetof(struct ompregdescr, data));
        memcpy(&copy->directive, &d->directive,
               offsetof(struct ompregdescr, outer) - offsetof(struct ompregdescr, directive));
        copy->file_name = kept;
        copy->name = rec_keep(d->name);
        copy->sub_name = rec_keep(d->sub_name);
        copy->directive = rec_keep(d->directive);
        copy->next = copy;
        /* The outer region may be met later or never. It then has no number, and is omitted. */
        size_t outer = d->outer != NULL ? (size_t)(uintptr_t)d->outer->data[0] : 0;
        copy->outer = NULL;
        copy->data[0] = d->data[0];
        copy->data[2] = d->data[2];
        copy->data[1] = (void *)(uintptr_t)outer;
        rec_regions.block[number / REC_BLOCK][number % REC_BLOCK] = copy;
        rec_regions.unloaded++;
    }
    pthread_mutex_unlock(&rec_regions.lock);
}

/* Returns a zeroed node; null without memory. */
static struct rec_node *rec_node_new(struct rec_thread *r)
{
    struct rec_page *page = r->pages;
    if (page == NULL || page->used == REC_PAGE) {
        page = opari_memory(sizeof *page);
        if (page == NULL)
            return NULL;
        page->next = r->pages;
        OPARI_RELEASE(&r->pages, page);
    }
    return &page->node[page->used];
}

/* Returns the child of parent that has this key, and makes it if it is new. With region 0 it is an
 * implicit task, whose key is the encountering thread's node. A region inside itself counts for the
 * outer one, so that paths are no longer than the nesting in the text. */
static OPARI_NOINLINE struct rec_node *rec_node_find(struct rec_thread *r, struct rec_node *parent,
                                                     uintptr_t key, size_t region)
{
    struct rec_node *last = parent->child, *n = last;
    while (n != NULL) {
        if (n->key == key) {
            parent->child = n;
            return n->target;
        }
        if ((n = n->next) == last)
            break;
    }
    n = rec_node_new(r);
    if (n == NULL) {
        r->lost++;
        return &r->unknown;
    }
    n->key = key;
    n->parent = parent;
    n->target = n;
    if (region == 0) {
        n->origin = (struct rec_node *)key;
        region = n->origin->region;
    }
    n->region = region;
    for (struct rec_node *q = parent; q != NULL && n->origin == NULL; q = q->parent)
        if (q->region == region)
            n->target = q;
    n->next = last != NULL ? last->next : n;
    if (last != NULL)
        last->next = n;
    parent->child = n;
    OPARI_RELEASE(&r->pages->used, r->pages->used + 1);
    return n->target;
}

/* Returns the node of a region that may have no number yet. */
static OPARI_COLD struct rec_node *
rec_node_unnumbered(struct rec_thread *r, struct rec_node *parent, struct ompregdescr *d)
{
    size_t number = d != NULL ? rec_number(d) : 0;
    if (number == 0) {
        r->lost += d != NULL;
        return &r->unknown;
    }
    return rec_node_find(r, parent, number, number);
}
