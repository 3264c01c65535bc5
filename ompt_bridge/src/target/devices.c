/* devices.c: which devices there are, and their events: initialize, load, unload, finalize. */
#include "../core/bridge.h"

#include <link.h>
#include <string.h>

extern int omp_get_num_devices(void) __attribute__((weak));
extern int omp_get_default_device(void) __attribute__((weak));

/* Returns the number of the initial device. It never changes, so the runtime is asked only once. */
static int opari_initial_device(void)
{
    int n = OPARI_LOAD(&opari_initial_number);
    if (n < 0) {
        n = omp_get_num_devices != NULL ? omp_get_num_devices() : 0;
        OPARI_STORE(&opari_initial_number, n);
    }
    return n;
}

/* Returns the number of the device that a construct names by number; -1 stands for the default
 * device. Where there is no such device, that is the initial device. */
static OPARI_MAYBE int opari_device_number(int number)
{
    const int host = opari_initial_device();
    if (host == 0)
        return 0;
    if (number == -1)
        number = omp_get_default_device != NULL ? omp_get_default_device() : 0;
    return number < 0 || number > host ? host : number;
}

static struct opari_device *opari_device_at(int number)
{
    if (number < 0 || number >= OPARI_DEVICES)
        return NULL;
    struct opari_device *d = &opari_devices.device[number];
    if (OPARI_LIKELY(OPARI_ACQUIRE(&d->made)))
        return d;
    pthread_mutex_lock(&opari_devices.lock);
    if (!d->made) {
        (void)pthread_mutex_init(&d->lock, NULL);
        (void)pthread_cond_init(&d->wake, NULL);
        (void)pthread_cond_init(&d->served, NULL);
        d->number = number;
        d->host = number == opari_initial_device();
        d->offset = omp_get_wtime != NULL ? omp_get_wtime() - (double)opari_device_now() * 1e-9 : 0;
        if (d->offset < 1e-3 && d->offset > -1e-3)
            d->offset = 0; /* both read the same clock */
        opari_thread_reset(&opari_devices.server);
        opari_devices.server.type = ompt_thread_other;
        opari_devices.server.state = ompt_state_undefined;
        OPARI_RELEASE(&d->made, 1);
    }
    pthread_mutex_unlock(&opari_devices.lock);
    return d;
}

OPARI_FOR_SIZE

enum { OPARI_MODULES = 64 }; /* at most so many objects with target regions */

/* A program or library whose target regions are loaded onto a device. */
struct opari_module {
    uintptr_t begin, end;
    unsigned devices; /* bit n: it is loaded onto device n */
};

static struct {
    struct opari_module module[OPARI_MODULES];
    int n;
} opari_modules; /* opari_devices.lock protects it */

static const char *opari_device_type(const struct opari_device *d)
{
    return d->host ? "host" : "offload device of GCC's runtime";
}

static void opari_raise_device_known(struct opari_device *d)
{
    OPARI_TOOLS_EACH (tool) {
        ompt_callback_device_initialize_t call =
            (ompt_callback_device_initialize_t)opari_call(tool, ompt_callback_device_initialize);
        if (call != NULL)
            call(d->number, opari_device_type(d), d, opari_device_lookup,
                 opari_device_documentation);
    }
}

struct opari_object_query {
    uintptr_t address, begin, end;
    const char *name;
};

static int opari_seek_object(struct dl_phdr_info *info, size_t size, void *argument)
{
    struct opari_object_query *s = argument;
    uintptr_t begin = UINTPTR_MAX, end = 0;
    (void)size;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *p = &info->dlpi_phdr[i];
        if (p->p_type != PT_LOAD)
            continue;
        const uintptr_t from = info->dlpi_addr + p->p_vaddr, to = from + p->p_memsz;
        begin = from < begin ? from : begin;
        end = to > end ? to : end;
    }
    if (s->address < begin || s->address >= end)
        return 0;
    s->begin = begin;
    s->end = end;
    s->name =
        info->dlpi_name != NULL && info->dlpi_name[0] != 0 ? info->dlpi_name : "/proc/self/exe";
    return 1;
}

/* Raises the load of an object at its first kernel. code is an address in the object. */
static OPARI_MAYBE void opari_device_load(struct opari_device *d, const void *code)
{
    const uintptr_t address = (uintptr_t)code;
    const int known = OPARI_ACQUIRE(&opari_modules.n);
    for (int i = 0; i < known; i++) {
        const struct opari_module *m = &opari_modules.module[i];
        if (address >= m->begin && address < m->end &&
            (OPARI_LOAD(&m->devices) >> d->number & 1) != 0)
            return;
    }
    struct opari_object_query s = {address, 0, 0, NULL};
    if (dl_iterate_phdr(opari_seek_object, &s) == 0)
        return;
    pthread_mutex_lock(&opari_devices.lock);
    int i = 0;
    while (i < opari_modules.n && opari_modules.module[i].begin != s.begin)
        i++;
    if (i < OPARI_MODULES &&
        (i == opari_modules.n || (opari_modules.module[i].devices >> d->number & 1) == 0)) {
        struct opari_module *m = &opari_modules.module[i];
        m->begin = s.begin;
        m->end = s.end;
        OPARI_STORE(&m->devices, m->devices | 1u << d->number);
        OPARI_TOOLS_EACH (tool) {
            ompt_callback_device_load_t call =
                (ompt_callback_device_load_t)opari_call(tool, ompt_callback_device_load);
            if (call != NULL)
                call(d->number, s.name, 0, NULL, s.end - s.begin, (void *)s.begin,
                     d->host ? (void *)s.begin : NULL, (uint64_t)i + 1);
        }
        if (i == opari_modules.n)
            OPARI_RELEASE(&opari_modules.n, i + 1);
    }
    pthread_mutex_unlock(&opari_devices.lock);
}

/* Runs before the tools end: raises the end of every device and module that they know, and delivers
 * all records. */
static void opari_devices_end(void)
{
    for (int number = 0; number < OPARI_DEVICES; number++) {
        struct opari_device *d = &opari_devices.device[number];
        if (!OPARI_ACQUIRE(&d->made))
            continue;
        if (__atomic_exchange_n(&d->known, 0, __ATOMIC_ACQ_REL)) {
            for (int i = OPARI_ACQUIRE(&opari_modules.n); i-- > 0;) {
                if ((opari_modules.module[i].devices >> number & 1) == 0)
                    continue;
                opari_modules.module[i].devices &= ~(1u << number);
                OPARI_TOOLS_EACH (tool) {
                    ompt_callback_device_unload_t call = (ompt_callback_device_unload_t)opari_call(
                        tool, ompt_callback_device_unload);
                    if (call != NULL)
                        call(number, (uint64_t)i + 1);
                }
            }
            OPARI_TOOLS_EACH (tool) {
                ompt_callback_device_finalize_t call = (ompt_callback_device_finalize_t)opari_call(
                    tool, ompt_callback_device_finalize);
                if (call != NULL)
                    call(number);
            }
        }
        opari_device_end(d);
    }
}

/* Returns 1, for the host, until the program has met a construct: asking the runtime would start
 * its plugins. */
static int opari_get_num_devices(void)
{
    const int host = OPARI_LOAD(&opari_initial_number);
    return host > 0 ? host + 1 : 1;
}

static _Bool opari_2016_get_device_info(int32_t number, const char **type, void **handle,
                                        ompt_function_lookup_t *lookup, const char **documentation)
{
    struct opari_device *d =
        number >= 0 && number <= opari_initial_device() ? opari_device_at(number) : NULL;
    if (d == NULL)
        return 0;
    *type = opari_device_type(d);
    *handle = d;
    *lookup = opari_device_lookup;
    *documentation = opari_device_documentation;
    return 1;
}

OPARI_FOR_SPEED

/* Raises the initialization of a device at its first use. Other threads wait until the tools have
 * the event. */
static struct opari_device *opari_device_use(int number)
{
    struct opari_device *d = opari_device_at(number);
    if (d == NULL || OPARI_LIKELY(OPARI_ACQUIRE(&d->known)))
        return d;
    pthread_mutex_lock(&opari_devices.lock);
    if (!d->known) {
        opari_raise_device_known(d);
        OPARI_RELEASE(&d->known, 1);
    }
    pthread_mutex_unlock(&opari_devices.lock);
    return d;
}
