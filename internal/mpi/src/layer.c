/* layer.c: routines as regions. Each place that calls a routine has a region of its own, as each
 * construct has. */
#include <dlfcn.h>
#include <stdio.h>

#include "layer.h"

struct layer_state layer = {
    .unit = {.abi = POMP_ABI_1}, .all = MPI_COMM_NULL, .node = MPI_COMM_NULL};
__thread int layer_depth;

/* The linker gets this name from package mpi. So it links the layer even into programs whose calls
 * it would resolve elsewhere. */
LAYER_API extern const int opari_mpi_1;
const int opari_mpi_1 = 1;

static const char *const layer_names[LAYER_ROUTINES] = {
#define LAYER_X(name) "MPI_" #name,
#include "routines.h"
#undef LAYER_X
};

/* A place that calls a routine. */
struct layer_site {
    const void *caller;
    enum layer_routine routine;
    struct ompregdescr region;
};

enum { LAYER_SITES = 1 << 13, LAYER_PROBES = 64 };
static struct layer_site *layer_sites[LAYER_SITES];
static struct layer_site
    layer_overflow[LAYER_ROUTINES]; /* for the places that the table has no room for */

/* The region's directive is the module's path and the address in it; the place in the source is
 * computed from it later. */
static LAYER_COLD void layer_describe(struct layer_site *s)
{
    Dl_info in;
    s->region.name = layer_names[s->routine];
    s->region.sub_name = s->region.file_name = s->region.directive = "";
    s->region.kind = POMP_KIND_MPI;
    if (s->caller == NULL || dladdr(s->caller, &in) == 0 || in.dli_fname == NULL)
        return;
    size_t room = strlen(in.dli_fname) + 20;
    char *place = malloc(room);
    if (place == NULL)
        return;
    (void)snprintf(place, room, "%s+0x%lx", in.dli_fname,
                   (unsigned long)((const char *)s->caller - (const char *)in.dli_fbase));
    s->region.directive = place;
}

static LAYER_COLD struct ompregdescr *layer_new_region(enum layer_routine routine,
                                                       const void *caller, size_t at)
{
    struct layer_site *made = calloc(1, sizeof *made);
    if (made != NULL) {
        made->routine = routine;
        made->caller = caller;
        layer_describe(made);
    }
    for (size_t i = 0; made != NULL && i < LAYER_PROBES; i++) {
        struct layer_site *there = NULL;
        if (__atomic_compare_exchange_n(&layer_sites[(at + i) % LAYER_SITES], &there, made, 0,
                                        __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
            return &made->region;
        if (there->caller == caller && there->routine == routine)
            return &there->region; /* another thread was first; this region stays unused */
    }
    struct layer_site *any = &layer_overflow[routine];
    if (any->region.name == NULL) {
        any->routine = routine;
        layer_describe(any);
    }
    return &any->region;
}

struct ompregdescr *layer_region(enum layer_routine routine, const void *caller)
{
    const size_t at =
        (size_t)(((uintptr_t)caller ^ (uintptr_t)routine << 24) * UINT64_C(0x9e3779b97f4a7c15) >>
                 51);
    for (size_t i = 0; i < LAYER_PROBES; i++) {
        struct layer_site *s =
            __atomic_load_n(&layer_sites[(at + i) % LAYER_SITES], __ATOMIC_ACQUIRE);
        if (s == NULL)
            break;
        if (s->caller == caller && s->routine == routine)
            return &s->region;
    }
    return layer_new_region(routine, caller, at);
}

/* The layer registers as a unit, like an instrumented file. */
__attribute__((constructor)) static void layer_register(void)
{
    if (pomp_unit_1 != NULL && POMP_Begin != NULL && POMP_End != NULL)
        pomp_unit_1(&layer.unit);
}
