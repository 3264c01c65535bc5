/* start.c: what the search for the user's tool needs: its log, the test whether the runtime has
 * OMPT, and attaching a tool. The search is in search.c. */
#include "../core/bridge.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

typedef ompt_start_tool_result_t *(*opari_start_tool_t)(unsigned, const char *);
typedef opari_2016_initialize_t (*opari_2016_tool_t)(void);

/* A tool's entry point in each generation, as the program with its libraries, or a listed library,
 * offers it; null: none. */
struct opari_candidate {
    opari_start_tool_t start;           /* OpenMP 5.x: ompt_start_tool */
    opari_2016_tool_t tool;             /* 2016: ompt_tool */
    opari_2013_initialize_t initialize; /* 2013: ompt_initialize */
};

extern int omp_get_thread_num(void) __attribute__((weak));
extern int omp_get_max_threads(void) __attribute__((weak));

/* These are weak, so that a static program needs no loader. */
#pragma weak dlopen
#pragma weak dlsym
#pragma weak dlclose
#pragma weak dlerror
#pragma weak dladdr
#pragma weak dladdr1

static struct {
    struct opari_search search;
    struct opari_candidate found; /* in the address space */
    int log;                      /* a file descriptor; -1: nobody asked to see the search */
    int close_log;
    int with_native; /* start tools although the runtime has OMPT; it starts none itself */
} opari_start = {{NULL, NULL, NULL, NULL, NULL}, {NULL, NULL, NULL}, -1, 0, 0};

/* Writes the log that OMP_TOOL_VERBOSE_INIT asks for. */
static __attribute__((format(printf, 1, 2))) void opari_log(const char *format, ...)
{
    if (opari_start.log < 0)
        return;
    va_list rest;
    va_start(rest, format);
    (void)vdprintf(opari_start.log, format, rest); /* not a buffer: a list of libraries may be
                                                      long */
    va_end(rest);
}

static void opari_open_log(const char *to)
{
    if (to == NULL || to[0] == 0 || strcasecmp(to, "disabled") == 0)
        return;
    if (strcasecmp(to, "stdout") == 0) {
        opari_start.log = STDOUT_FILENO;
    } else if (strcasecmp(to, "stderr") == 0) {
        opari_start.log = STDERR_FILENO;
    } else {
        opari_start.log = open(to, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
        opari_start.close_log = 1;
    }
    opari_log("----- START LOGGING OF TOOL REGISTRATION -----\n");
}

static void opari_close_log(void)
{
    opari_log("----- END LOGGING OF TOOL REGISTRATION -----\n");
    if (opari_start.close_log && opari_start.log >= 0)
        close(opari_start.log);
    opari_start.log = -1;
    opari_start.close_log = 0;
}

/* Returns the runtime's definition of name; null when the runtime has none or cannot be asked. */
static void *opari_runtime_symbol(const char *name)
{
    Dl_info runtime;
    if (dladdr == NULL || dlsym == NULL || dlopen == NULL || omp_get_thread_num == NULL)
        return NULL;
    if (dladdr((void *)(uintptr_t)omp_get_thread_num, &runtime) == 0 || runtime.dli_fname == NULL)
        return NULL;
    void *library = dlopen(runtime.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
    if (library == NULL)
        return NULL;
    void *symbol = dlsym(library, name);
    dlclose(library);
    return symbol;
}

/* Finds out without starting the runtime. A runtime with OMPT defines omp_control_tool, or
 * ompt_control in the older generations; libgomp up to 14 has neither. */
static int opari_runtime_has_ompt(void)
{
    return opari_runtime_symbol("omp_control_tool") != NULL ||
           opari_runtime_symbol("ompt_control") != NULL;
}

/* Prevents a runtime with OMPT from starting a tool, which would then also get all events from it.
 * The runtime reads the environment at its first call. So this function makes that call, with
 * OMP_TOOL=disabled in an environment that nobody else reads.
 * It asks the loader for the address of environ: a reference in the library would make every
 * program import that name. */
static OPARI_COLD int opari_disable_native(void)
{
    static char none[] = "OMP_TOOL=disabled";
    char ***where = dlsym != NULL ? dlsym(RTLD_DEFAULT, "environ") : NULL;
    if (where == NULL)
        return 0;
    char **was = *where;
    size_t n = 0;
    while (was != NULL && was[n] != NULL)
        n++;
    char **disabled = opari_memory(
        (n + 2) * sizeof *disabled); /* never freed: another thread may be reading it */
    if (disabled == NULL || omp_get_max_threads == NULL)
        return 0;
    disabled[0] = none;
    if (n > 0)
        memcpy(disabled + 1, was, n * sizeof *was);
    *where = disabled;
    (void)omp_get_max_threads();
    if (*where == disabled)
        *where = was;
    return 1;
}

/* Whether the object that contains an address is linked with a runtime that has OMPT, while ours
 * has none. A library that the program loads may bring such a runtime along, which starts tools
 * itself. The first runtime among the object's dependences counts. */
static OPARI_COLD int opari_object_has_ompt(const void *within)
{
#ifdef __GLIBC__
    Dl_info info;
    struct link_map *object = NULL;
    if (opari_start.with_native || dladdr1 == NULL || dlopen == NULL ||
        dladdr1(within, &info, (void **)&object, RTLD_DL_LINKMAP) == 0)
        return 0;
    const char *names = NULL;
    for (const ElfW(Dyn) *d = object->l_ld; d->d_tag != DT_NULL; d++)
        if (d->d_tag == DT_STRTAB)
            /* On some machines, such as RISC-V, the loader relocates no address of the table. */
            names = (const char *)(d->d_un.d_ptr < object->l_addr ? d->d_un.d_ptr + object->l_addr
                                                                  : d->d_un.d_ptr);
    for (const ElfW(Dyn) *d = object->l_ld; d->d_tag != DT_NULL; d++) {
        const char *name = names + d->d_un.d_val;
        void *library = d->d_tag == DT_NEEDED ? dlopen(name, RTLD_LAZY | RTLD_NOLOAD) : NULL;
        if (library == NULL)
            continue;
        const void *routine = dlsym(library, "omp_get_thread_num"),
                   *control = dlsym(library, "omp_control_tool");
        dlclose(library);
        if (routine != NULL && dladdr(routine, &info) != 0 &&
            strstr(info.dli_fname, name) != NULL) /* the routine is not that of a dependence */
            return control != NULL;
    }
#else
    (void)within;
#endif
    return 0;
}

/* Whether the object that contains an address calls a runtime that this library cannot call. A
 * program without OpenMP has then opened the object with RTLD_LOCAL, after the loader had bound
 * this library's names. */
static OPARI_COLD int opari_runtime_is_hidden(const void *within)
{
    Dl_info info;
    if (omp_get_thread_num != NULL || dladdr == NULL || dlsym == NULL || dlopen == NULL)
        return 0;
    if (dladdr(within, &info) == 0 || info.dli_fname == NULL)
        return 0;
    void *object = dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
    if (object == NULL)
        return 0;
    const int hidden = dlsym(object, "omp_get_thread_num") != NULL;
    dlclose(object);
    return hidden;
}

/* Returns a copy, because the program may change its environment before the tool starts. */
static const char *opari_copy_setting(const char *s)
{
    size_t n = s != NULL ? strlen(s) + 1 : 0;
    char *copy = n > 1 ? opari_memory(n) : NULL;
    return copy != NULL ? memcpy(copy, s, n) : NULL;
}

/* Attaches the tool that result describes. initial_device is the device number that the tool gets;
 * for opari's own tools any will do. Returns 1 if the tool gets events. */
static int opari_attach(ompt_start_tool_result_t *result, int initial_device)
{
    const unsigned tool = opari_tools.count;
    opari_tools.tool[tool].result = result;
    if (!result->initialize(opari_lookups[tool], initial_device, &result->tool_data)) {
        memset(&opari_tools.tool[tool], 0, sizeof opari_tools.tool[tool]);
        opari_update_callbacks();
        return 0;
    }
    OPARI_RELEASE(&opari_tools.count, tool + 1);
    opari_update_callbacks();
    return 1;
}
