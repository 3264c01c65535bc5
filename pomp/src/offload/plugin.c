/* plugin.c: the layer between GCC's runtime and its plugins for devices with their own memory; see
 * target.c.
 *
 * Only the plugin knows what is allocated and copied, and when a kernel runs. The runtime gets a
 * plugin's routines by name from the loader, once, before it calls the first of them. Where there
 * may be a tool, the library redirects the runtime's slot for dlsym and returns its own routines,
 * which call the plugin's. If the runtime has no such slot, or the slot cannot be written, the
 * events of devices are raised only around the runtime's calls.
 */
#include "../state/state.h"

static int pomp_observes_plugin(void)
{
    return opari_self != NULL && OPARI_LOAD(&opari_targets_observed) != 0;
}

/* Runtimes since GCC 13 pass the program's requirements. */
static int pomp_plugin_devices(struct pomp_plugin *p, unsigned required)
{
    const int n = p->get_num_devices(required);
    p->devices = n > 0 ? n : 0;
    p->first = p > pomp_plugin ? p[-1].first + p[-1].devices : 0;
    return n;
}

static void *pomp_plugin_alloc(const struct pomp_plugin *p, int device, size_t bytes)
{
    const int callback = pomp_observes_plugin();
    const uint64_t begins = callback ? opari_device_now() : 0;
    void *there = p->alloc(device, bytes);
    if (there != NULL && callback)
        opari_pending_op(&(struct opari_pending_op){OPARI_OP_ALLOC, p->first + device,
                                                    (uintptr_t)there, bytes, begins,
                                                    opari_device_now()});
    return there;
}

static _Bool pomp_plugin_free(const struct pomp_plugin *p, int device, void *there)
{
    pomp_unmapped_later(p->first + device, (uintptr_t)there);
    return p->free(device, there);
}

static _Bool pomp_plugin_copy(const struct pomp_plugin *p, int what, int device, void *to,
                              const void *from, size_t bytes)
{
    _Bool (*copy)(int, void *, const void *, size_t) =
        what == OPARI_OP_TO ? p->host2dev : p->dev2host;
    if (!pomp_observes_plugin() || bytes == 0)
        return copy(device, to, from, bytes);
    struct opari_pending_op a = {
        what, p->first + device, (uintptr_t)(what == OPARI_OP_TO ? to : from), bytes, 0, 0};
    struct opari_item *item;
    struct pomp_kernel *k = what == OPARI_OP_FROM ? pomp_returns_later(&a, &item) : NULL;
    a.begins = opari_device_now();
    const _Bool done = copy(device, to, from, bytes);
    a.ends = opari_device_now();
    if (k != NULL)
        pomp_returned_later(k, item, &a);
    else
        opari_pending_op(&a);
    return done;
}

static void pomp_plugin_run(const struct pomp_plugin *p, int device, void *kernel, void *data,
                            void **arguments)
{
    struct pomp_kernel *k = pomp_marked(arguments);
    if (k != NULL)
        pomp_discrete_begins(k);
    p->run(device, kernel, data, arguments);
    if (k != NULL)
        pomp_discrete_ends(k);
}

static void pomp_plugin_async_run(const struct pomp_plugin *p, int device, void *kernel, void *data,
                                  void **arguments, void *task)
{
    struct pomp_kernel *k = pomp_marked(arguments);
    const int later = k != NULL && pomp_discrete_submits(k, (uintptr_t)data);
    p->async_run(device, kernel, data, arguments, task);
    if (k != NULL && !later)
        pomp_discrete_submitted(k);
}

/* The routines of one plugin. The runtime passes the number of a device among those of its plugin,
 * but not which plugin. */
#define POMP_PLUGIN(i) \
    static int pomp_plugin_devices_##i(unsigned required) \
    { \
        return pomp_plugin_devices(&pomp_plugin[i], required); \
    } \
    static void *pomp_plugin_alloc_##i(int d, size_t bytes) \
    { \
        return pomp_plugin_alloc(&pomp_plugin[i], d, bytes); \
    } \
    static _Bool pomp_plugin_free_##i(int d, void *there) \
    { \
        return pomp_plugin_free(&pomp_plugin[i], d, there); \
    } \
    static _Bool pomp_plugin_to_##i(int d, void *to, const void *from, size_t bytes) \
    { \
        return pomp_plugin_copy(&pomp_plugin[i], OPARI_OP_TO, d, to, from, bytes); \
    } \
    static _Bool pomp_plugin_from_##i(int d, void *to, const void *from, size_t bytes) \
    { \
        return pomp_plugin_copy(&pomp_plugin[i], OPARI_OP_FROM, d, to, from, bytes); \
    } \
    static void pomp_plugin_run_##i(int d, void *kernel, void *data, void **arguments) \
    { \
        pomp_plugin_run(&pomp_plugin[i], d, kernel, data, arguments); \
    } \
    static void pomp_plugin_async_run_##i(int d, void *kernel, void *data, void **arguments, \
                                          void *task) \
    { \
        pomp_plugin_async_run(&pomp_plugin[i], d, kernel, data, arguments, task); \
    }
POMP_PLUGIN(0)
POMP_PLUGIN(1)

#define POMP_BY_PLUGIN(name) {(uintptr_t)pomp_plugin_##name##_0, (uintptr_t)pomp_plugin_##name##_1}
static const struct pomp_routine {
    const char *name;
    size_t real; /* offset of the plugin's own routine */
    uintptr_t ours[POMP_PLUGINS];
} pomp_routine[] = {
    {"get_num_devices", offsetof(struct pomp_plugin, get_num_devices), POMP_BY_PLUGIN(devices)},
    {"alloc", offsetof(struct pomp_plugin, alloc), POMP_BY_PLUGIN(alloc)},
    {"free", offsetof(struct pomp_plugin, free), POMP_BY_PLUGIN(free)},
    {"host2dev", offsetof(struct pomp_plugin, host2dev), POMP_BY_PLUGIN(to)},
    {"dev2host", offsetof(struct pomp_plugin, dev2host), POMP_BY_PLUGIN(from)},
    {"run", offsetof(struct pomp_plugin, run), POMP_BY_PLUGIN(run)},
    {"async_run", offsetof(struct pomp_plugin, async_run), POMP_BY_PLUGIN(async_run)},
};

/* Returns the plugin with this loader handle, or null if there are more plugins than GCC has. */
static struct pomp_plugin *pomp_plugin_of(void *handle)
{
    for (int i = 0; i < pomp_plugins; i++)
        if (pomp_plugin[i].handle == handle)
            return &pomp_plugin[i];
    if (pomp_plugins == POMP_PLUGINS)
        return NULL;
    pomp_plugin[pomp_plugins].handle = handle;
    return &pomp_plugin[pomp_plugins++];
}

/* Replaces dlsym in the runtime. */
static void *pomp_plugin_symbol(void *handle, const char *name)
{
    static const char prefix[] = "GOMP_OFFLOAD_";
    void *real = dlsym(handle, name);
    if (real == NULL || strncmp(name, prefix, sizeof prefix - 1) != 0)
        return real;
    for (size_t i = 0; i < sizeof pomp_routine / sizeof *pomp_routine; i++) {
        const struct pomp_routine *r = &pomp_routine[i];
        if (strcmp(name + sizeof prefix - 1, r->name) != 0)
            continue;
        struct pomp_plugin *p = pomp_plugin_of(handle);
        if (p == NULL)
            return real;
        memcpy((char *)p + r->real, &real, sizeof real);
        return (void *)r->ours[p - pomp_plugin];
    }
    return real;
}

/* Runs before the runtime looks for plugins, which it does once, when the program first needs
 * devices. */
static OPARI_COLD void pomp_plugins_await(void)
{
    static int awaited;
    if (__atomic_exchange_n(&awaited, 1, __ATOMIC_RELAXED))
        return;
    struct pomp_object o = {(uintptr_t)pomp_runtime(), 0, NULL};
    if (o.address == 0 || dl_iterate_phdr(pomp_object_seek, &o) == 0)
        return;
    void **slot = pomp_slot(&o, "dlsym");
    if (slot != NULL)
        (void)pomp_slot_set(slot, (void *)(uintptr_t)pomp_plugin_symbol);
}

/* Returns whether the environment asks for these events, as far as that is known before the library
 * meets a unit. */
static int pomp_may_be_wanted(void)
{
    static const char *const wish[] = {"OMP_TOOL_LIBRARIES", "OPARI_PROFILE"};
    int wished = 0;
    for (size_t i = 0; i < sizeof wish / sizeof *wish; i++)
        wished |= pomp_variable(wish[i]) != NULL;
    return wished;
}

/* A Fortran unit registers with its first event, and the program may have used devices before
 * then. */
#ifdef OPARI_SHARED
static void pomp_redirect_early(const void *within)
{
    if (pomp_may_be_wanted() && pomp_redirect(within))
        pomp_plugins_await();
}
#else
static __attribute__((constructor)) void pomp_plugins_await_early(void)
{
    if (pomp_may_be_wanted())
        pomp_plugins_await();
}
#endif
