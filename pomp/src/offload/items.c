/* items.c: what a construct of the target family maps, as GCC passes it to its runtime, and the
 * list items that it stands for.
 */
#include "../state/state.h"

#include <stdlib.h>

enum {
    POMP_GOMP_FIRSTPRIVATE = 12 | 4 << 8, /* with an alignment of 16 bytes */
    POMP_GOMP_IMPLICIT = 0x60,
    POMP_GOMP_SPECIAL = 0x7c, /* bits of a kind other than those for to and from */
    POMP_ITEMS = 16           /* number of items that need no allocated memory */
};

/* What a construct passes to the runtime. */
struct pomp_mapping {
    size_t n;
    void **host;
    size_t *size;
    unsigned short *kind;
};

struct pomp_items {
    size_t n;
    struct opari_item *item, few[POMP_ITEMS];
};

/* Sets the list item for a kind of the runtime's. Returns 0 if it is none, but an attached pointer
 * or a firstprivate value. */
static int pomp_item(struct opari_item *i, unsigned kind, void *host, size_t size)
{
    static const unsigned char plain[] = {ompt_target_map_flag_alloc, ompt_target_map_flag_to,
                                          ompt_target_map_flag_from,
                                          ompt_target_map_flag_to | ompt_target_map_flag_from};
    unsigned implicit = 0;
    if ((kind & POMP_GOMP_SPECIAL) == POMP_GOMP_IMPLICIT) {
        implicit = ompt_target_map_flag_implicit;
        kind &= ~(unsigned)POMP_GOMP_IMPLICIT;
    }
    i->host = host;
    i->bytes = size;
    i->always = i->gone = 0;
    switch (kind) {
    case 0:
    case 1:
    case 2:
    case 3: /* alloc, to, from, tofrom */
    case 0x80:
    case 0x81:
    case 0x82:
    case 0x83: /* the same, forced */ i->flags = plain[kind & 3]; break;
    case 17:
    case 18:
    case 19: /* always */
        i->flags = plain[kind & 3];
        i->always = 1;
        break;
    case 7:
    case 31: /* delete */ i->flags = ompt_target_map_flag_delete; break;
    case 23: i->flags = ompt_target_map_flag_release; break;
    default: return 0;
    }
    i->flags |= implicit;
    return host != NULL && size != 0;
}

static void pomp_items_take(struct pomp_items *items, const struct pomp_mapping *m)
{
    items->n = 0;
    items->item = items->few;
    size_t room = POMP_ITEMS;
    if (m->n > room) {
        items->item = malloc(m->n * sizeof *items->item);
        if (items->item == NULL)
            items->item = items->few;
        else
            room = m->n;
    }
    for (size_t i = 0; i < m->n && items->n < room; i++)
        items->n +=
            (size_t)pomp_item(&items->item[items->n], m->kind[i] & 0xffu, m->host[i], m->size[i]);
}

static void pomp_items_give(struct pomp_items *items)
{
    if (items->item != items->few)
        free(items->item);
}

/* Lays out the arrays of n items at an address and returns the first byte after them. */
static char *pomp_mapping_at(struct pomp_mapping *m, void *at, size_t n)
{
    m->n = n;
    m->host = at;
    m->size = (size_t *)(void *)(m->host + n);
    m->kind = (unsigned short *)(void *)(m->size + n);
    return (char *)(m->kind + n);
}

/* Copies n items of one mapping into another, beginning at item number first there. */
static void pomp_mapping_copy(const struct pomp_mapping *to, size_t first,
                              const struct pomp_mapping *from, size_t n)
{
    if (n == 0)
        return;
    memcpy(to->host + first, from->host, n * sizeof *to->host);
    memcpy(to->size + first, from->size, n * sizeof *to->size);
    memcpy(to->kind + first, from->kind, n * sizeof *to->kind);
}
