/* lookup.c: entry points found by name, and inquiry functions that need no record. */
#include "bridge.h"

#include <string.h>
#include <unistd.h>

/* An entry point that a lookup finds. A list ends with a null name. */
struct opari_entry_point {
    const char *name;
    ompt_interface_fn_t function;
};

static ompt_interface_fn_t opari_entry_point(const struct opari_entry_point *e, const char *name)
{
    for (; e->name != NULL; e++)
        if (strcmp(e->name, name) == 0)
            return e->function;
    return NULL;
}

/* Returns a number that is unique in the process, without a lock. The address of the thread's
 * record and a counter would not be: records are reused. */
static uint64_t opari_get_unique_id(void)
{
    static uint64_t last;
    return __atomic_add_fetch(&last, 1, __ATOMIC_RELAXED);
}

static int opari_get_num_procs(void) { return (int)sysconf(_SC_NPROCESSORS_ONLN); }
