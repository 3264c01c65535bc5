/* memory.c: the routines for device memory, OpenMP 5.1 [3.8]. Their operations are real ones, even
 * on the initial device. See gomp/interposed.c.
 */
#include "../state/state.h"

/* Begins an operation outside of any construct. */
static struct opari_thread *pomp_memory_begin(struct opari_target *g, struct opari_operation *o,
                                              int type, int device, const void *ra)
{
    struct opari_thread *t = pomp_observes_target();
    if (OPARI_LIKELY(t == NULL))
        return NULL;
    opari_pending_ops_forget();
    memset(g, 0, sizeof *g);
    g->device = opari_device_number(device);
    g->ra = ra;
    g->on = opari_device_use(g->device);
    memset(o, 0, sizeof *o);
    o->type = type;
    o->from = opari_initial_device();
    o->to = g->device;
    return t;
}

typedef void *(*pomp_omp_target_alloc_t)(size_t, int);
POMP_GOMP void *omp_target_alloc(size_t bytes, int device);
POMP_GOMP void *omp_target_alloc(size_t bytes, int device)
{
    POMP_NEXT(omp_target_alloc);
    struct opari_target g;
    struct opari_operation o;
    struct opari_thread *t = pomp_memory_begin(&g, &o, ompt_target_data_alloc, device, POMP_CALLER);
    if (OPARI_LIKELY(t == NULL))
        return next(bytes, device);
    o.bytes = bytes;
    opari_operation_begin(&g, &o);
    o.destination = next(bytes, device);
    opari_operation_end(opari_self, &g, &o);
    opari_event_end();
    return o.destination;
}

typedef void (*pomp_omp_target_free_t)(void *, int);
POMP_GOMP void omp_target_free(void *memory, int device);
POMP_GOMP void omp_target_free(void *memory, int device)
{
    POMP_NEXT(omp_target_free);
    struct opari_target g;
    struct opari_operation o;
    struct opari_thread *t =
        memory != NULL ? pomp_memory_begin(&g, &o, ompt_target_data_delete, device, POMP_CALLER)
                       : NULL;
    if (OPARI_LIKELY(t == NULL)) {
        next(memory, device);
        return;
    }
    o.from = o.to;
    o.to = -1;
    o.source = memory;
    opari_operation_begin(&g, &o);
    next(memory, device);
    opari_operation_end(opari_self, &g, &o);
    opari_event_end();
}

/* Begins a copy between devices. The operation belongs to the device that is not the host. Returns
 * the thread, or null if no tool listens. */
static struct opari_thread *pomp_copy_begin(struct opari_target *g, struct opari_operation *o,
                                            int to, int from, const void *ra)
{
    struct opari_thread *t = pomp_memory_begin(g, o, ompt_target_data_transfer_to_device, to, ra);
    if (OPARI_LIKELY(t == NULL))
        return NULL;
    o->from = opari_device_number(from);
    if (o->to == opari_initial_device() && o->from != o->to) {
        o->type = ompt_target_data_transfer_from_device;
        g->device = o->from;
        g->on = opari_device_use(g->device);
    }
    return t;
}

static void pomp_copy_end(struct opari_target *g, struct opari_operation *o)
{
    const uint64_t end = opari_record_time();
    opari_operation_end(opari_self, g, o);
    if (opari_records_native(g->on, ompt_native_data_motion_explicit))
        opari_record_native(g->on, ompt_native_data_motion_explicit, o->begins, end, o->id,
                            o->bytes);
    opari_event_end();
}

typedef int (*pomp_omp_target_memcpy_t)(void *, const void *, size_t, size_t, size_t, int, int);
POMP_GOMP int omp_target_memcpy(void *to, const void *from, size_t bytes, size_t to_offset,
                                size_t from_offset, int to_device, int from_device);
POMP_GOMP int omp_target_memcpy(void *to, const void *from, size_t bytes, size_t to_offset,
                                size_t from_offset, int to_device, int from_device)
{
    POMP_NEXT(omp_target_memcpy);
    struct opari_target g;
    struct opari_operation o;
    if (OPARI_LIKELY(pomp_copy_begin(&g, &o, to_device, from_device, POMP_CALLER) == NULL))
        return next(to, from, bytes, to_offset, from_offset, to_device, from_device);
    o.source = (char *)(uintptr_t)from + from_offset;
    o.destination = (char *)to + to_offset;
    o.bytes = bytes;
    opari_operation_begin(&g, &o);
    const int failed = next(to, from, bytes, to_offset, from_offset, to_device, from_device);
    pomp_copy_end(&g, &o);
    return failed;
}

/* Returns the first byte of a part of an array at base; size gives the array's size in each
 * dimension. */
static void *pomp_part_of(const void *base, size_t element, int dimensions, const size_t *offset,
                          const size_t *size)
{
    size_t at = 0;
    for (int i = 0; i < dimensions; i++)
        at = at * size[i] + offset[i];
    return (char *)(uintptr_t)base + at * element;
}

/* The copy is one operation of all its bytes. Without addresses, the routine returns how many
 * dimensions it supports, OpenMP 5.1 [3.8.6]. */
#define POMP_RECT_PARAMETERS \
    (void *to, const void *from, size_t element, int dimensions, const size_t *volume, \
     const size_t *to_offsets, const size_t *from_offsets, const size_t *to_sizes, \
     const size_t *from_sizes, int to_device, int from_device)
#define POMP_RECT_ARGUMENTS \
    (to, from, element, dimensions, volume, to_offsets, from_offsets, to_sizes, from_sizes, \
     to_device, from_device)
typedef int(*pomp_omp_target_memcpy_rect_t) POMP_RECT_PARAMETERS;
POMP_GOMP int omp_target_memcpy_rect POMP_RECT_PARAMETERS;
POMP_GOMP int omp_target_memcpy_rect POMP_RECT_PARAMETERS
{
    POMP_NEXT(omp_target_memcpy_rect);
    struct opari_target g;
    struct opari_operation o;
    if (to == NULL || from == NULL || dimensions < 1 ||
        OPARI_LIKELY(pomp_copy_begin(&g, &o, to_device, from_device, POMP_CALLER) == NULL))
        return next POMP_RECT_ARGUMENTS;
    o.source = pomp_part_of(from, element, dimensions, from_offsets, from_sizes);
    o.destination = pomp_part_of(to, element, dimensions, to_offsets, to_sizes);
    o.bytes = element;
    for (int i = 0; i < dimensions; i++)
        o.bytes *= volume[i];
    opari_operation_begin(&g, &o);
    const int failed = next POMP_RECT_ARGUMENTS;
    pomp_copy_end(&g, &o);
    return failed;
}

typedef int (*pomp_omp_target_associate_ptr_t)(const void *, const void *, size_t, size_t, int);
POMP_GOMP int omp_target_associate_ptr(const void *host, const void *there, size_t bytes,
                                       size_t offset, int device);
POMP_GOMP int omp_target_associate_ptr(const void *host, const void *there, size_t bytes,
                                       size_t offset, int device)
{
    POMP_NEXT(omp_target_associate_ptr);
    struct opari_target g;
    struct opari_operation o;
    struct opari_thread *t =
        pomp_memory_begin(&g, &o, ompt_target_data_associate, device, POMP_CALLER);
    if (OPARI_LIKELY(t == NULL))
        return next(host, there, bytes, offset, device);
    o.source = (void *)(uintptr_t)host;
    o.destination = (char *)(uintptr_t)there + offset;
    o.bytes = bytes;
    opari_operation_begin(&g, &o);
    const int failed = next(host, there, bytes, offset, device);
    opari_operation_end(opari_self, &g, &o);
    if (!failed)
        opari_associate(&g, o.source, bytes, o.destination);
    opari_event_end();
    return failed;
}

typedef int (*pomp_omp_target_disassociate_ptr_t)(const void *, int);
POMP_GOMP int omp_target_disassociate_ptr(const void *host, int device);
POMP_GOMP int omp_target_disassociate_ptr(const void *host, int device)
{
    POMP_NEXT(omp_target_disassociate_ptr);
    struct opari_target g;
    struct opari_operation o;
    struct opari_thread *t =
        pomp_memory_begin(&g, &o, ompt_target_data_disassociate, device, POMP_CALLER);
    if (OPARI_LIKELY(t == NULL))
        return next(host, device);
    o.source = (void *)(uintptr_t)host;
    opari_operation_begin(&g, &o);
    const int failed = next(host, device);
    opari_operation_end(opari_self, &g, &o);
    if (!failed)
        opari_disassociate(&g, o.source);
    opari_event_end();
    return failed;
}
