/* search.c: finding and starting the user's tool: OpenMP 5.2 [19.2.2], the technical report of May
 * 2016 [7.1], the paper of 2013 [7.1.1].
 *
 * The search begins when the first instrumented unit is registered, and costs a few look-ups. The
 * tool starts only with the first event: a program that never raises one (a shell, the `timeout`
 * before the real program) must not start it. Where the runtime has OMPT itself, it starts the
 * tools, and the bridge leaves them alone.
 *
 * The newest entry point goes first. Tools of 5.x often define an ompt_initialize of their own,
 * which is another function and crashes when it is called like that of 2013. So an older entry
 * point does not count in an object that has a newer one.
 */
#include "../core/bridge.h"

#include <ctype.h>
#include <link.h>
#include <stdlib.h>

/* These are undefined weak references: they make the linker export a definition in the program,
 * where dlsym also finds it for others. */
extern ompt_start_tool_result_t *ompt_start_tool(unsigned omp_version, const char *runtime_version)
    __attribute__((weak));
extern opari_2016_initialize_t ompt_tool(void) __attribute__((weak));
extern int ompt_initialize(ompt_interface_fn_t (*lookup)(const char *), const char *runtime,
                           unsigned version) __attribute__((weak));

/* Whether the object that defines symbol also defines name. any is the first visible definition of
 * name. The program may define both and export neither, or another object's definition may come
 * first. Where nobody can say (a static program) they are in the same object. */
static int opari_object_has(const void *symbol, const char *name, const void *any)
{
    Dl_info of, owner;
    if (any == NULL)
        return 0;
    if (dladdr == NULL || dlopen == NULL || dlsym == NULL || dladdr(symbol, &of) == 0 ||
        of.dli_fname == NULL)
        return 1;
    if (dladdr(any, &owner) != 0 && owner.dli_fbase == of.dli_fbase)
        return 1;
    void *object = dlopen(of.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
    if (object == NULL) /* the program itself */
        return 1;
    const void *newer = dlsym(object, name);
    int has = newer != NULL && dladdr(newer, &owner) != 0 && owner.dli_fbase == of.dli_fbase;
    dlclose(object);
    return has;
}

static const void *opari_address(void (*function)(void))
{
    return (const void *)(uintptr_t)function;
}

static void opari_keep_newest(struct opari_candidate *o)
{
    const void *start = opari_address((void (*)(void))o->start),
               *tool = opari_address((void (*)(void))o->tool);
    const void *initialize = opari_address((void (*)(void))o->initialize);
    if (initialize != NULL && (opari_object_has(initialize, "ompt_start_tool", start) ||
                               opari_object_has(initialize, "ompt_tool", tool)))
        o->initialize = NULL;
    if (tool != NULL && opari_object_has(tool, "ompt_start_tool", start))
        o->tool = NULL;
}

static struct opari_candidate opari_find_in(void *object)
{
    struct opari_candidate o = {
        (opari_start_tool_t)(uintptr_t)dlsym(object, "ompt_start_tool"),
        (opari_2016_tool_t)(uintptr_t)dlsym(object, "ompt_tool"),
        (opari_2013_initialize_t)(uintptr_t)dlsym(object, "ompt_initialize"),
    };
    return o;
}

static struct opari_candidate opari_find_in_program(void)
{
    struct opari_candidate loaded = {NULL, NULL, NULL};
    if (dlsym != NULL &&
        (opari_may_be_defined("ompt_start_tool") || opari_may_be_defined("ompt_tool") ||
         opari_may_be_defined("ompt_initialize")))
        loaded = opari_find_in(RTLD_DEFAULT);
    struct opari_candidate o = {
        ompt_start_tool != NULL ? ompt_start_tool : loaded.start,
        ompt_tool != NULL ? ompt_tool : loaded.tool,
        ompt_initialize != NULL ? ompt_initialize : loaded.initialize,
    };
    opari_keep_newest(&o);
    return o;
}

static int opari_is_candidate(const struct opari_candidate *o)
{
    return o->start != NULL || o->tool != NULL || o->initialize != NULL;
}

/* OMP_TOOL. The report of 2016 allows white space around the word, and ends the program at an
 * illegal word. OpenMP 5.x has neither rule: there a word with blanks around it enables no tool,
 * like any other illegal word. */
enum opari_setting {
    OPARI_TOOL_ENABLED,
    OPARI_TOOL_BLANKS /* enabled only by the report's rule */,
    OPARI_TOOL_DISABLED,
    OPARI_TOOL_ILLEGAL
};

static enum opari_setting opari_setting(const char *word)
{
    const char *first = word != NULL ? word : "", *end;
    while (isspace((unsigned char)*first))
        first++;
    for (end = first + strlen(first); end > first && isspace((unsigned char)end[-1]);)
        end--;
    size_t n = (size_t)(end - first);
    if (n == strlen("disabled") && strncasecmp(first, "disabled", n) == 0)
        return OPARI_TOOL_DISABLED;
    if (n != 0 && (n != strlen("enabled") || strncasecmp(first, "enabled", n) != 0))
        return OPARI_TOOL_ILLEGAL;
    return word == NULL || n == strlen(word) ? OPARI_TOOL_ENABLED : OPARI_TOOL_BLANKS;
}

static void opari_log_setting(enum opari_setting setting, const char *word)
{
    if (setting == OPARI_TOOL_DISABLED)
        opari_log("OMP tool disabled.\n");
    else if (setting != OPARI_TOOL_ENABLED)
        opari_log("Warning: OMP_TOOL has invalid value \"%s\".\n  legal values are "
                  "(NULL,\"\",\"disabled\",\"enabled\").\n",
                  word != NULL ? word : "");
}

/* Begins the search. Returns whether a tool may have to be started later. */
static int opari_search_begin(const struct opari_search *s)
{
    const char *provider = s->provider != NULL ? s->provider : "";
    enum opari_setting setting = opari_setting(s->tool);
    opari_dialect = s->dialect == NULL               ? 51
                    : strcmp(s->dialect, "5.0") == 0 ? 50
                    : strcmp(s->dialect, "5.2") == 0 ? 52
                                                     : 51;
    if (strcmp(provider, "off") == 0 || strcmp(provider, "native") == 0)
        return 0;
    opari_start.found = opari_find_in_program();
    int listed = s->libraries != NULL && s->libraries[0] != 0;
    int asked = s->verbose != NULL && s->verbose[0] != 0 && strcasecmp(s->verbose, "disabled") != 0;
    if (!opari_is_candidate(&opari_start.found) && !listed && !asked)
        return 0;
    opari_start.with_native = opari_runtime_has_ompt();
    if (opari_start.with_native && (strcmp(provider, "bridge") != 0 || !opari_disable_native()))
        return 0;
    /* With an illegal word only a tool of 2016 matters. Opening a listed library shows whether it
     * is one. */
    if (setting == OPARI_TOOL_ENABLED ||
        (setting != OPARI_TOOL_DISABLED && (opari_start.found.tool != NULL || listed))) {
        opari_start.search.tool = opari_copy_setting(s->tool);
        opari_start.search.libraries = opari_copy_setting(s->libraries);
        opari_start.search.verbose = opari_copy_setting(s->verbose);
        return 1;
    }
    opari_open_log(s->verbose);
    opari_log_setting(setting, s->tool);
    opari_close_log();
    return 0;
}

/* The report of 2016 [7.1] demands this of its tools' users. */
static _Noreturn void opari_refuse_setting(const char *word)
{
    static const char before[] = "fatal error: OMP_TOOL has the illegal value \"",
                      after[] = "\"; it must be enabled or disabled\n";
    ssize_t put = write(STDERR_FILENO, before, sizeof before - 1);
    put += write(STDERR_FILENO, word, strlen(word));
    put += write(STDERR_FILENO, after, sizeof after - 1);
    (void)put;
    exit(EXIT_FAILURE);
}

/* The result of asking a tool: go on with the search; the tool wanted to start but then declined;
 * it has started. */
enum opari_search_result { OPARI_GO_ON, OPARI_DECLINED, OPARI_STARTED };

static enum opari_search_result opari_client(ompt_start_tool_result_t *client, int initial_device)
{
    return opari_attach(client, initial_device) ? OPARI_STARTED : OPARI_DECLINED;
}

static enum opari_search_result opari_start_candidate(const struct opari_candidate *o)
{
    static const unsigned versions[] = {201811, 202011, 202111};
    const char *word = opari_start.search.tool;
    enum opari_setting setting = opari_setting(word);
    if (o->start != NULL && setting == OPARI_TOOL_ENABLED) {
        ompt_start_tool_result_t *result = o->start(versions[opari_dialect - 50], "opari");
        if (result != NULL)
            return opari_client(result, opari_initial_device());
    }
    if (o->tool != NULL) {
        if (setting == OPARI_TOOL_ILLEGAL)
            opari_refuse_setting(word);
        opari_2016_initialize_t initialize = o->tool();
        if (initialize != NULL)
            return opari_client(opari_2016_client(initialize), 0);
    }
    /* A definition that returns 0 counts as none, paper [7.1.1]: runtimes defined one
     * themselves. */
    if (o->initialize != NULL && setting == OPARI_TOOL_ENABLED &&
        opari_attach(opari_2013_client(o->initialize), 0))
        return OPARI_STARTED;
    return OPARI_GO_ON;
}

/* Whether a loader has started the program, which is the first object in the list. A library that a
 * static program loads by dlopen has a C library of its own. Its thread-local variables lie where
 * there is no memory. */
#ifdef OPARI_SHARED
static int opari_is_loaded(void) { return 1; }
#else
static int opari_has_interpreter(struct dl_phdr_info *info, size_t size, void *unused)
{
    int names = -1;
    (void)size, (void)unused;
    for (int i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_INTERP)
            names = 1;
    return names;
}

static int opari_is_loaded(void) { return dl_iterate_phdr(opari_has_interpreter, NULL) > 0; }
#endif

static enum opari_search_result opari_search_library(const char *name)
{
    opari_log("Opening %s... ", name);
    const int loaded = dlopen != NULL && dlerror != NULL && opari_is_loaded();
    void *library = loaded ? dlopen(name, RTLD_LAZY) : NULL;
    if (library == NULL) {
        const char *why = loaded ? dlerror() : NULL;
        opari_log("Failed: %s\n", why != NULL ? why : "a static program has no loader");
        return OPARI_GO_ON;
    }
    opari_log("Success.\nSearching for ompt_start_tool, ompt_tool, ompt_initialize in %s... ",
              name);
    struct opari_candidate candidate = opari_find_in(library);
    opari_keep_newest(&candidate);
    if (!opari_is_candidate(&candidate)) {
        opari_log("Failed: no such symbol\n");
    } else {
        enum opari_search_result result = opari_start_candidate(&candidate);
        if (result != OPARI_GO_ON)
            return result;
        opari_log("Found but not using the OMPT interface.\nContinuing search...\n");
    }
    dlclose(library);
    return OPARI_GO_ON;
}

/* Asks the libraries of the list until one has a tool that wants to start. */
static enum opari_search_result opari_search_libraries(const char *list)
{
    char name[4096];
    opari_log("Searching tool libraries...\nOMP_TOOL_LIBRARIES = %s\n", list);
    while (*list != 0) {
        size_t n = strcspn(list, ":");
        if (n > 0 && n < sizeof name) {
            memcpy(name, list, n);
            name[n] = 0;
            enum opari_search_result result = opari_search_library(name);
            if (result != OPARI_GO_ON)
                return result;
        }
        list += n + (list[n] == ':');
    }
    return OPARI_GO_ON;
}

/* Finds the user's tool and attaches it. The first tool that wants to start ends the search, even
 * if it then declines. */
static int opari_search_end(void)
{
    const struct opari_search *s = &opari_start.search;
    int saved = errno;
    enum opari_search_result result = OPARI_GO_ON;
    opari_open_log(s->verbose);
    opari_log_setting(opari_setting(s->tool), s->tool);
    opari_log("Search for OMP tool in current address space... ");
    if (!opari_is_candidate(&opari_start.found))
        opari_log("Failed.\n");
    else if ((result = opari_start_candidate(&opari_start.found)) == OPARI_GO_ON)
        opari_log("Found but not using the OMPT interface.\nContinuing search...\n");
    else
        opari_log("Success.\n");
    if (result == OPARI_GO_ON && s->libraries != NULL) {
        result = opari_search_libraries(s->libraries);
        if (result != OPARI_GO_ON)
            opari_log("Success.\n");
    }
    opari_log(result == OPARI_STARTED    ? "Tool was started and is using the OMPT interface.\n"
              : result == OPARI_DECLINED ? "Tool was found but declined.\n"
                                         : "No OMP tool loaded.\n");
    opari_close_log();
    errno = saved;
    return result == OPARI_STARTED;
}
