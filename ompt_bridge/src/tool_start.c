/* tool_start.c: finding and starting the user's tool, OpenMP 5.2 [19.2.2].
 *
 * Found is looked for when the first instrumented unit is registered, which costs two look-ups; started is the tool with the first
 * event, because a program that never gets there (a shell, the `timeout` before the real one) must not start it. Where the runtime
 * brings OMPT itself it starts the tools, and the bridge leaves them alone.
 */
#include "bridge.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

typedef ompt_start_tool_result_t *(*opari_start_tool_t)(unsigned, const char *);

/* An undefined weak reference: the linker then exports a definition in the program, where dlsym of others finds it as well. */
extern ompt_start_tool_result_t *ompt_start_tool(unsigned omp_version, const char *runtime_version) __attribute__((weak));
extern int omp_get_thread_num(void) __attribute__((weak));

/* Weak, so that a static program needs no loader. */
#pragma weak dlopen
#pragma weak dlsym
#pragma weak dlclose
#pragma weak dlerror
#pragma weak dladdr

static struct {
    struct opari_search search;
    opari_start_tool_t found; /* in the address space; null: none */
    int log;                  /* a file descriptor; -1: nobody asked to see the search */
    int close_log;
} opari_start = {{NULL, NULL, NULL, NULL, NULL}, NULL, -1, 0};

/* What OMP_TOOL_VERBOSE_INIT asked to see. */
static __attribute__((format(printf, 1, 2))) void opari_log(const char *format, ...)
{
    char line[1024];
    if (opari_start.log < 0)
        return;
    va_list rest;
    va_start(rest, format);
    int n = vsnprintf(line, sizeof line, format, rest);
    va_end(rest);
    if (n >= (int)sizeof line)
        n = (int)sizeof line - 1;
    for (int done = 0; done < n;) {
        ssize_t put = write(opari_start.log, line + done, (size_t)(n - done));
        if (put <= 0)
            return;
        done += (int)put;
    }
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

/* The definition of name in the runtime's own library; null when the runtime has none or cannot be asked. */
static void *opari_runtime_symbol(const char *name)
{
    Dl_info runtime, owner;
    if (dladdr == NULL || dlsym == NULL || dlopen == NULL || omp_get_thread_num == NULL)
        return NULL;
    if (dladdr((void *)(uintptr_t)omp_get_thread_num, &runtime) == 0 || runtime.dli_fname == NULL)
        return NULL;
    void *library = dlopen(runtime.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
    if (library == NULL)
        return NULL;
    void *symbol = dlsym(library, name);
    if (symbol != NULL && (dladdr(symbol, &owner) == 0 || owner.dli_fbase != runtime.dli_fbase))
        symbol = NULL; /* of a library that the runtime's depends on */
    dlclose(library);
    return symbol;
}

/* Asked without starting the runtime: one that has OMPT defines omp_control_tool, libgomp up to 14 does not. */
static int opari_runtime_has_ompt(void) { return opari_runtime_symbol("omp_control_tool") != NULL; }

static opari_start_tool_t opari_find_in_program(void)
{
    opari_start_tool_t start = ompt_start_tool;
    if (start == NULL && dlsym != NULL)
        start = (opari_start_tool_t)(uintptr_t)dlsym(RTLD_DEFAULT, "ompt_start_tool");
    return start;
}

/* A copy: the program may change its environment before the tool is started. */
static const char *opari_keep(const char *s)
{
    size_t n = s != NULL ? strlen(s) + 1 : 0;
    char *copy = n > 1 ? opari_memory(n) : NULL;
    return copy != NULL ? memcpy(copy, s, n) : NULL;
}

/* Whether a tool may have to be started later. */
static int opari_search_begin(const struct opari_search *s)
{
    const char *tool = s->tool != NULL ? s->tool : "";
    int valid = tool[0] == 0 || strcasecmp(tool, "enabled") == 0 || strcasecmp(tool, "disabled") == 0;
    const char *provider = s->provider != NULL ? s->provider : "";
    opari_dialect = s->dialect == NULL ? 51 : strcmp(s->dialect, "5.0") == 0 ? 50 : strcmp(s->dialect, "5.2") == 0 ? 52 : 51;
    if (strcmp(provider, "off") == 0 || strcmp(provider, "native") == 0)
        return 0;
    opari_start.found = opari_find_in_program();
    int listed = s->libraries != NULL && s->libraries[0] != 0;
    int asked = s->verbose != NULL && s->verbose[0] != 0 && strcasecmp(s->verbose, "disabled") != 0;
    if (opari_start.found == NULL && !listed && !asked)
        return 0;
    if (strcmp(provider, "bridge") != 0 && opari_runtime_has_ompt())
        return 0;
    if (valid && strcasecmp(tool, "disabled") != 0) {
        opari_start.search.libraries = opari_keep(s->libraries);
        opari_start.search.verbose = opari_keep(s->verbose);
        return 1;
    }
    opari_open_log(s->verbose);
    if (!valid)
        opari_log("Warning: OMP_TOOL has invalid value \"%s\".\n  legal values are (NULL,\"\",\"disabled\",\"enabled\").\n", tool);
    else
        opari_log("OMP tool disabled.\n");
    opari_close_log();
    return 0;
}

/* Attaches the tool behind result. Returns 1 when it is to get events. */
static int opari_attach(ompt_start_tool_result_t *result)
{
    unsigned tool = opari_tools.count;
    if (tool == OPARI_TOOLS)
        return 0;
    opari_tools.tool[tool].result = result;
    if (!result->initialize(opari_lookups[tool], 0, &result->tool_data)) {
        memset(&opari_tools.tool[tool], 0, sizeof opari_tools.tool[tool]);
        return 0;
    }
    OPARI_RELEASE(&opari_tools.count, tool + 1);
    opari_hear();
    return 1;
}

static ompt_start_tool_result_t *opari_ask(opari_start_tool_t start)
{
    static const unsigned versions[] = {201811, 202011, 202111};
    return start(versions[opari_dialect - 50], "opari");
}

static ompt_start_tool_result_t *opari_ask_library(const char *name)
{
    opari_log("Opening %s... ", name);
    void *library = dlopen != NULL ? dlopen(name, RTLD_LAZY) : NULL;
    if (library == NULL) {
        const char *why = dlerror != NULL ? dlerror() : NULL;
        opari_log("Failed: %s\n", why != NULL ? why : "no loader in a static program");
        return NULL;
    }
    opari_log("Success.\nSearching for ompt_start_tool in %s... ", name);
    opari_start_tool_t start = (opari_start_tool_t)(uintptr_t)dlsym(library, "ompt_start_tool");
    if (start == NULL) {
        opari_log("Failed: no such symbol\n");
    } else {
        ompt_start_tool_result_t *result = opari_ask(start);
        if (result != NULL)
            return result;
        opari_log("Found but not using the OMPT interface.\nContinuing search...\n");
    }
    dlclose(library);
    return NULL;
}

/* The first library of the list whose tool wants to be started. */
static ompt_start_tool_result_t *opari_ask_libraries(const char *list)
{
    char name[4096];
    opari_log("Searching tool libraries...\nOMP_TOOL_LIBRARIES = %s\n", list);
    while (*list != 0) {
        size_t n = strcspn(list, ":");
        if (n > 0 && n < sizeof name) {
            memcpy(name, list, n);
            name[n] = 0;
            ompt_start_tool_result_t *result = opari_ask_library(name);
            if (result != NULL)
                return result;
        }
        list += n + (list[n] == ':');
    }
    return NULL;
}

/* Finds the user's tool and attaches it. The first one that gives a result ends the search, even if it then declines. */
static int opari_search_end(void)
{
    const struct opari_search *s = &opari_start.search;
    int saved = errno;
    opari_open_log(s->verbose);
    opari_log("Search for OMP tool in current address space... ");
    ompt_start_tool_result_t *result = NULL;
    if (opari_start.found == NULL) {
        opari_log("Failed.\n");
    } else if ((result = opari_ask(opari_start.found)) == NULL) {
        opari_log("Found but not using the OMPT interface.\nContinuing search...\n");
    } else {
        opari_log("Success.\n");
    }
    if (result == NULL && s->libraries != NULL) {
        result = opari_ask_libraries(s->libraries);
        if (result != NULL)
            opari_log("Success.\n");
    }
    int started = result != NULL && opari_attach(result);
    if (started)
        opari_log("Tool was started and is using the OMPT interface.\n");
    else
        opari_log(result != NULL ? "Tool was found but declined.\n" : "No OMP tool loaded.\n");
    opari_close_log();
    errno = saved;
    return started;
}
