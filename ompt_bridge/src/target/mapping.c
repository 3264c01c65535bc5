/* mapping.c: the mapping of data to devices and back. For each range of the host's memory this file
 * counts the references that constructs make. So it knows which data are present already. */
#include "../core/bridge.h"

#include <string.h>

static void *opari_device_address(const struct opari_target *g, const struct opari_item *i)
{
    if (g->on == NULL || g->on->host)
        return i->host;
    return i->device == NULL && omp_get_mapped_ptr != NULL ? omp_get_mapped_ptr(i->host, g->device)
                                                           : i->device;
}

/* Returns the index of the first range that ends after address; d->presents if there is none. */
static size_t opari_present_at(const struct opari_device *d, uintptr_t address)
{
    size_t low = 0, high = d->presents;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (d->present[middle].end > address)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

static struct opari_present *opari_present(const struct opari_device *d, const struct opari_item *i)
{
    const uintptr_t begin = (uintptr_t)i->host;
    const size_t at = opari_present_at(d, begin);
    return at < d->presents && d->present[at].begin <= begin &&
                   begin + i->bytes <= d->present[at].end
               ? &d->present[at]
               : NULL;
}

static void opari_present_put(struct opari_device *d, const struct opari_item *i, unsigned count,
                              void *device)
{
    if (d->presents == d->room) { /* an outgrown array stays: all of them together are smaller than
                                     the last */
        const size_t room = d->room != 0 ? 2 * d->room : 64;
        struct opari_present *grown = opari_memory(room * sizeof *grown);
        if (grown == NULL)
            return;
        if (d->presents != 0)
            memcpy(grown, d->present, d->presents * sizeof *grown);
        d->present = grown;
        d->room = room;
    }
    const size_t at = opari_present_at(d, (uintptr_t)i->host);
    memmove(&d->present[at + 1], &d->present[at], (d->presents - at) * sizeof *d->present);
    d->present[at] =
        (struct opari_present){(uintptr_t)i->host, (uintptr_t)i->host + i->bytes, device, count};
    OPARI_STORE(&d->presents, d->presents + 1);
}

static void opari_present_drop(struct opari_device *d, struct opari_present *p)
{
    OPARI_STORE(&d->presents, d->presents - 1);
    memmove(p, p + 1, (size_t)(&d->present[d->presents] - p) * sizeof *p);
}

/* Raises an operation on the data of an item. began and ended are its times; 0: now. */
static void opari_moves(struct opari_thread *t, struct opari_target *g, const struct opari_item *i,
                        int type, uint64_t began, uint64_t ended)
{
    if ((OPARI_LOAD(&opari_targets_observed) & OPARI_TARGETS_OPERATIONS) == 0 &&
        !opari_records(g, ompt_callback_target_data_op))
        return;
    const int host = opari_initial_device(), back = type == ompt_target_data_transfer_from_device ||
                                                    type == ompt_target_data_delete;
    void *there = opari_device_address(g, i);
    struct opari_operation o = {.type = type,
                                .from = host,
                                .to = g->device,
                                .source = i->host,
                                .destination = there,
                                .bytes = i->bytes,
                                .began = began,
                                .ended = ended};
    if (back) {
        o.from = g->device;
        o.to = host;
        o.source = there;
        o.destination = i->host;
    }
    opari_operation_begin(g, &o);
    opari_operation_end(t, g, &o);
}

/* Whether to count references. Where no tool wants more than the constructs they are not counted,
 * and data mapped then remain unknown. */
static int opari_counts_maps(const struct opari_target *g)
{
    return g->on != NULL && (OPARI_LOAD(&opari_targets_observed) & ~OPARI_TARGETS_ANY) != 0;
}

/* Mapping on entry, in the order of the items. */
static OPARI_MAYBE void opari_items_enter(struct opari_thread *t, struct opari_target *g,
                                          struct opari_item *item, size_t n)
{
    if (!opari_counts_maps(g))
        return;
    for (size_t i = 0; i < n; i++) {
        pthread_mutex_lock(&opari_devices.mapping);
        struct opari_present *p = opari_present(g->on, &item[i]);
        if (p == NULL)
            opari_present_put(g->on, &item[i], 1, NULL);
        else if (p->count != 0)
            p->count++;
        pthread_mutex_unlock(&opari_devices.mapping);
        if (p == NULL)
            opari_moves(t, g, &item[i], ompt_target_data_alloc, 0, 0);
        if ((item[i].flags & ompt_target_map_flag_to) != 0 && (p == NULL || item[i].always))
            opari_moves(t, g, &item[i], ompt_target_data_transfer_to_device, 0, 0);
    }
}

/* Mapping on exit, in reverse order: first all copies back, then all deletions. */
static OPARI_MAYBE void opari_items_exit(struct opari_thread *t, struct opari_target *g,
                                         struct opari_item *item, size_t n)
{
    if (!opari_counts_maps(g) && (g->on == NULL || OPARI_LOAD(&g->on->presents) == 0))
        return;
    for (size_t i = n; i-- > 0;) {
        item[i].gone = 0;
        pthread_mutex_lock(&opari_devices.mapping);
        struct opari_present *p = opari_present(g->on, &item[i]);
        const int there = p != NULL;
        if (there && p->count != 0 &&
            ((item[i].flags & ompt_target_map_flag_delete) != 0 || --p->count == 0)) {
            item[i].gone = 1;
            opari_present_drop(g->on, p);
        }
        pthread_mutex_unlock(&opari_devices.mapping);
        if ((item[i].flags & ompt_target_map_flag_from) != 0 && there &&
            (item[i].gone || item[i].always))
            opari_moves(t, g, &item[i], ompt_target_data_transfer_from_device, 0, 0);
    }
    for (size_t i = n; i-- > 0;)
        if (item[i].gone)
            opari_moves(t, g, &item[i], ompt_target_data_delete, 0, 0);
}

/* target update moves only data that are present. */
static OPARI_MAYBE void opari_items_update(struct opari_thread *t, struct opari_target *g,
                                           const struct opari_item *item, size_t n)
{
    for (size_t i = 0; g->on != NULL && i < n; i++) {
        pthread_mutex_lock(&opari_devices.mapping);
        const int there = opari_present(g->on, &item[i]) != NULL;
        pthread_mutex_unlock(&opari_devices.mapping);
        if (there)
            opari_moves(t, g, &item[i],
                        (item[i].flags & ompt_target_map_flag_to) != 0
                            ? ompt_target_data_transfer_to_device
                            : ompt_target_data_transfer_from_device,
                        0, 0);
    }
}

enum {
    /* Items of one event. A construct with more items has several events. */
    OPARI_MAPPED = 64
};

static void opari_map_raise(struct opari_thread *t, struct opari_target *g,
                            const struct opari_item *item, unsigned n)
{
    struct {
        void *host[OPARI_MAPPED], *device[OPARI_MAPPED];
        size_t bytes[OPARI_MAPPED];
        unsigned flags[OPARI_MAPPED];
    } m;
    for (unsigned i = 0; i < n; i++) {
        m.host[i] = item[i].host;
        m.device[i] = opari_device_address(g, &item[i]);
        m.bytes[i] = item[i].bytes;
        m.flags[i] = item[i].flags;
    }
    OPARI_TOOLS_EACH (tool) {
        ompt_callback_target_map_emi_t emi =
            (ompt_callback_target_map_emi_t)opari_call(tool, ompt_callback_target_map_emi);
        ompt_callback_target_map_t call =
            (ompt_callback_target_map_t)opari_call(tool, ompt_callback_target_map);
        if (emi != NULL)
            emi(&g->data[tool], n, m.host, m.device, m.bytes, m.flags, g->ra);
        else if (call != NULL)
            call(g->id, n, m.host, m.device, m.bytes, m.flags, g->ra);
    }
    if (!opari_records(g, ompt_callback_target_map))
        return;
    struct opari_record r = {0};
    r.ompt.record.target_map.target_id = opari_traced_id(g->data, g->id);
    r.ompt.record.target_map.nitems = n;
    r.ompt.record.target_map.codeptr_ra = g->ra;
    char more[sizeof m];
    const size_t addresses = n * sizeof(void *), sizes = n * sizeof(size_t),
                 flags = n * sizeof(unsigned);
    memcpy(more, m.host, addresses);
    memcpy(more + addresses, m.device, addresses);
    memcpy(more + 2 * addresses, m.bytes, sizes);
    memcpy(more + 2 * addresses + sizes, m.flags, flags);
    opari_record(t, g, &r, ompt_callback_target_map, opari_record_time(), more,
                 (2 * addresses + sizes + flags + 7) & ~(size_t)7);
}

static OPARI_MAYBE void opari_target_map(struct opari_thread *t, struct opari_target *g,
                                         const struct opari_item *item, size_t n)
{
    if (n == 0 || ((OPARI_LOAD(&opari_targets_observed) & OPARI_TARGETS_MAPS) == 0 &&
                   !opari_records(g, ompt_callback_target_map)))
        return;
    for (size_t i = 0; i < n; i += OPARI_MAPPED)
        opari_map_raise(t, g, item + i,
                        n - i < OPARI_MAPPED ? (unsigned)(n - i) : (unsigned)OPARI_MAPPED);
}

/* The program associates host data with an address on the device. Data of the initial device stay
 * where they are. */
static OPARI_MAYBE void opari_associate(const struct opari_target *g, void *host, size_t bytes,
                                        void *there)
{
    const struct opari_item i = {.host = host, .bytes = bytes};
    if (g->on == NULL || g->on->host)
        return;
    pthread_mutex_lock(&opari_devices.mapping);
    if (opari_present(g->on, &i) == NULL)
        opari_present_put(g->on, &i, 0, there);
    pthread_mutex_unlock(&opari_devices.mapping);
}

static OPARI_MAYBE void opari_disassociate(const struct opari_target *g, void *host)
{
    const struct opari_item i = {.host = host};
    if (g->on == NULL || g->on->host)
        return;
    pthread_mutex_lock(&opari_devices.mapping);
    struct opari_present *p = opari_present(g->on, &i);
    if (p != NULL && p->count == 0)
        opari_present_drop(g->on, p);
    pthread_mutex_unlock(&opari_devices.mapping);
}
