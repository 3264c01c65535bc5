/* A measurement library to the letter of POMP2's headers, which checks each call. It prints the
 * first mistake and aborts. At the end it prints how many regions and events there were. */
#include <omp.h>
#include <opari2/pomp2_lib.h>
#include <opari2/pomp2_user_lib.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* OPARI2's own files lack it. */
#pragma weak POMP2_Get_opari2_version

#define LONGEST 512
enum { REGIONS = 200000, TASKS = 4000000, DEEPEST = 64 };

/* pomp_tpd_ is what the threads of a team inherit. */
int64_t pomp_tpd_;
#pragma omp threadprivate(pomp_tpd_)

static struct region {
    void **handle;
    const char *ctc;
    char type[32], critical[LONGEST];
    int user, forked;
} regions[REGIONS];
static size_t assigned[2], promised[2];
static long events;
static int ready;

static struct task {
    struct region *region, *open[DEEPEST];
    const char *how[DEEPEST]; /* the call that opened it */
    int64_t tpd;
    int depth, begun, ended, untied;
    struct task *suspended; /* by this one, on its thread */
} *tasks;
static long created;
static __thread struct task *current;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void mistake(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    fputs("strict: ", stderr);
    vfprintf(stderr, format, list);
    fputc('\n', stderr);
    abort();
}

/* The strings. */

static const char *const types[] = {
    "atomic",      "barrier",          "critical",          "do",        "flush",
    "for",         "master",           "ordered",           "parallel",  "paralleldo",
    "parallelfor", "parallelsections", "parallelworkshare", "sections",  "single",
    "task",        "taskuntied",       "taskwait",          "workshare", "userRegion",
    NULL};
static const char *const flags[] = {
    "hasCollapse", "hasCopyIn",      "hasCopyPrivate", "hasFirstPrivate",
    "hasIf",       "hasLastPrivate", "hasNowait",      "hasNum_threads",
    "hasOrdered",  "hasReduction",   "hasShared",      "hasUntied",
    NULL};

static int among(const char *const *list, const char *word)
{
    for (; *list != NULL; list++)
        if (strcmp(*list, word) == 0)
            return 1;
    return 0;
}

static void check_lines(const char *ctc, const char *value, int *first, int *last)
{
    char file[LONGEST], rest;
    if (sscanf(value, "%511[^:]:%d:%d%c", file, first, last, &rest) != 3)
        mistake("%s: %s is no place", ctc, value);
    if (*first < 1 || *last < *first)
        mistake("%s: the lines of %s", ctc, value);
}

static void check_keys(const char *ctc, struct region *r, char *rest)
{
    int start[2] = {0, 0}, end[2] = {0, 0}, sections = 0, named = 0;
    char seen[LONGEST * 2] = "";
    char *save = NULL;
    for (char *field = strtok_r(rest, "*", &save); field != NULL;
         field = strtok_r(NULL, "*", &save)) {
        char *value = strchr(field, '=');
        if (value == NULL)
            mistake("%s: the field %s has no value", ctc, field);
        *value++ = 0;
        char once[64];
        snprintf(once, sizeof once, ";%s;", field);
        if (strstr(seen, once) != NULL)
            mistake("%s: %s stands there twice", ctc, field);
        strcat(seen, once);
        if (strcmp(field, "regionType") == 0)
            snprintf(r->type, sizeof r->type, "%s", value);
        else if (strcmp(field, "sscl") == 0)
            check_lines(ctc, value, &start[0], &start[1]);
        else if (strcmp(field, "escl") == 0)
            check_lines(ctc, value, &end[0], &end[1]);
        else if (strcmp(field, "numSections") == 0)
            sections = atoi(value);
        else if (strcmp(field, "criticalName") == 0)
            snprintf(r->critical, sizeof r->critical, "%s", value);
        else if (strcmp(field, "userRegionName") == 0)
            named = *value != 0;
        else if (strcmp(field, "hasSchedule") == 0) {
            if (strspn(value, "abcdefghijklmnopqrstuvwxyz") < 4)
                mistake("%s: %s is no schedule", ctc, value);
        } else if (strcmp(field, "hasDefault") == 0) {
            if (*value == 0)
                mistake("%s: no default", ctc);
        } else if (!among(flags, field) || strcmp(value, "1") != 0)
            mistake("%s: %s=%s", ctc, field, value);
    }
    const int alone = strcmp(r->type, "barrier") == 0 || strcmp(r->type, "taskwait") == 0 ||
                      strcmp(r->type, "flush") == 0;
    if (!among(types, r->type) || r->user != (strcmp(r->type, "userRegion") == 0))
        mistake("%s: the type %s", ctc, r->type);
    if (start[0] == 0 || end[0] == 0 || (start[1] > end[0] && !alone))
        mistake("%s: it ends before it starts", ctc);
    if ((strcmp(r->type, "sections") == 0) != (sections > 0) || r->user != named)
        mistake("%s: a key of its type is missing", ctc);
    if (r->critical[0] != 0 && strcmp(r->type, "critical") != 0)
        mistake("%s: criticalName", ctc);
}

static void parse(struct region *r)
{
    char *rest;
    char copy[4 * LONGEST];
    const unsigned long n = strtoul(r->ctc, &rest, 10);
    if (n != strlen(rest) + 2 || n < 6 || *rest != '*' || strcmp(rest + n - 4, "**") != 0)
        mistake("%s: the length is not %lu, or the ends are wrong", r->ctc, n);
    snprintf(copy, sizeof copy, "%.*s", (int)n - 4, rest);
    check_keys(r->ctc, r, copy);
}

/* Handles. */

static void assign(void **handle, const char *ctc, int user)
{
    pthread_mutex_lock(&lock);
    if (promised[user] == 0)
        mistake("%s: a handle comes before anybody has asked", ctc);
    if (assigned[user] >= promised[user])
        mistake("%s: more handles than promised", ctc);
    if (*handle != NULL)
        mistake("%s: the handle is assigned again", ctc);
    const size_t i = assigned[0] + assigned[1];
    assigned[user]++;
    struct region *r = &regions[i];
    r->handle = handle;
    r->ctc = ctc;
    r->user = user;
    parse(r);
    *handle = r;
    if (getenv("STRICT_SHOW") != NULL)
        fprintf(stderr, "region %s\n", ctc);
    pthread_mutex_unlock(&lock);
}

void POMP2_Assign_handle(POMP2_Region_handle *h, const char ctc[]) { assign(h, ctc, 0); }
void POMP2_USER_Assign_handle(POMP2_USER_Region_handle *h, const char ctc[]) { assign(h, ctc, 1); }

static void finish(void)
{
    long open = 0;
    for (long i = 0; i < created; i++)
        if (tasks[i].region != NULL && tasks[i].begun != tasks[i].ended)
            open++;
    if (open > 0 && getenv("STRICT_OPEN") == NULL)
        mistake("%ld tasks have not ended", open);
    fprintf(stderr, "strict: %zu regions, %zu user regions, %ld events, %ld tasks\n", assigned[0],
            assigned[1], events, created);
}

static struct task *new_task(struct region *r)
{
    const long i = __atomic_fetch_add(&created, 1, __ATOMIC_RELAXED);
    if (i >= TASKS)
        mistake("too many tasks");
    tasks[i].region = r;
    return &tasks[i];
}

/* STRICT_WIDE asks for numbers that need all bits. The first number is 0. */
static int64_t number(const struct task *t)
{
    const int64_t i = t - tasks;
    return getenv("STRICT_WIDE") != NULL ? i | INT64_MIN : i;
}

static struct task *find(int64_t n, const char *what)
{
    const int64_t i = n & INT64_MAX;
    if (i >= created || number(&tasks[i]) != n)
        mistake("%s: there is no task %lld", what, (long long)n);
    return &tasks[i];
}

static void initialize(void)
{
    static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&first);
    if (!ready) {
        tasks = calloc(TASKS, sizeof *tasks);
        promised[0] = POMP2_Get_num_regions();
        promised[1] = POMP2_USER_Get_num_regions();
        POMP2_Init_regions();
        POMP2_USER_Init_regions();
        if (POMP2_Get_num_regions() != promised[0] || POMP2_USER_Get_num_regions() != promised[1])
            mistake("the number of regions changes");
        if (POMP2_Get_opari2_version != NULL && POMP2_Get_opari2_version() == NULL)
            mistake("no version");
        atexit(finish);
        __atomic_store_n(&ready, 1, __ATOMIC_RELEASE);
    }
    pthread_mutex_unlock(&first);
}

/* The region of a call, whose types are listed with blanks around them. */
static struct region *heard(const char *call, void **handle, const char *ctc, const char *list)
{
    if (!__atomic_load_n(&ready, __ATOMIC_ACQUIRE))
        initialize();
    __atomic_fetch_add(&events, 1, __ATOMIC_RELAXED);
    if (current == NULL) {
        current = new_task(NULL);
    }
    const struct region *r = *handle;
    if (r < regions || r >= regions + REGIONS || r->handle != handle)
        mistake("%s: no handle", call);
    if (ctc != NULL && strcmp(ctc, r->ctc) != 0)
        mistake("%s: %s, but the handle is that of %s", call, ctc, r->ctc);
    char type[40];
    snprintf(type, sizeof type, " %s ", r->type);
    if (strstr(list, type) == NULL)
        mistake("%s: %s", call, r->ctc);
    return *handle;
}

static void open_region(struct region *r, const char *call)
{
    if (current->depth >= DEEPEST)
        mistake("%s: too deep", call);
    current->how[current->depth] = call;
    current->open[current->depth++] = r;
}

static void expect(const struct region *r, const char *call, const char *opened)
{
    const int top = current->depth - 1;
    if (top < 0 || current->open[top] != r || strcmp(current->how[top], opened) != 0)
        mistake("%s: %s; the task is in %s of %s", call, r->ctc,
                top < 0 ? "nothing" : current->how[top],
                top < 0 ? "nothing" : current->open[top]->ctc);
}

static void close_region(const struct region *r, const char *call, const char *opened)
{
    expect(r, call, opened);
    current->depth--;
}

#define ENTERED(name, types) \
    void POMP2_##name##_enter(POMP2_Region_handle *h, const char ctc[]) \
    { \
        open_region(heard(#name "_enter", h, ctc, types), #name "_enter"); \
    } \
    void POMP2_##name##_exit(POMP2_Region_handle *h) \
    { \
        close_region(heard(#name "_exit", h, NULL, types), #name "_exit", #name "_enter"); \
    }
ENTERED(Atomic, " atomic ")
ENTERED(Flush, " flush ")
ENTERED(For, " for do parallelfor paralleldo ")
ENTERED(Sections, " sections parallelsections ")
ENTERED(Workshare, " workshare parallelworkshare ")
ENTERED(Critical, " critical ")
ENTERED(Single, " single ")
ENTERED(Ordered, " ordered ")

#define BLOCK(name, types, before, after) \
    void POMP2_##name##_begin(POMP2_Region_handle *h) \
    { \
        struct region *r = heard(#name "_begin", h, NULL, types); \
        expect(r, #name "_begin", #name "_enter"); \
        before; \
        open_region(r, #name "_begin"); \
    } \
    void POMP2_##name##_end(POMP2_Region_handle *h) \
    { \
        struct region *r = heard(#name "_end", h, NULL, types); \
        close_region(r, #name "_end", #name "_begin"); \
        after; \
    }

/* Threads exclude one another where critical regions have the same name. */
static int inside(struct region *r, int by)
{
    static struct {
        const char *name;
        int threads;
    } all[1000];
    int i = 0, n;
    pthread_mutex_lock(&lock);
    while (all[i].name != NULL && strcmp(all[i].name, r->critical) != 0)
        i++;
    all[i].name = r->critical;
    n = all[i].threads += by;
    pthread_mutex_unlock(&lock);
    return n;
}

static void enter_critical(struct region *r)
{
    if (inside(r, 1) != 1)
        mistake("Critical_begin: two threads are in %s", r->ctc);
}

BLOCK(Critical, " critical ", enter_critical(r), (void)inside(r, -1))
BLOCK(Single, " single ", (void)0, (void)0)
BLOCK(Ordered, " ordered ", (void)0, (void)0)

#define BODY(name, types) \
    void POMP2_##name##_begin(POMP2_Region_handle *h, const char ctc[]) \
    { \
        open_region(heard(#name "_begin", h, ctc, types), #name "_begin"); \
    } \
    void POMP2_##name##_end(POMP2_Region_handle *h) \
    { \
        close_region(heard(#name "_end", h, NULL, types), #name "_end", #name "_begin"); \
    }
BODY(Master, " master ")
BODY(Section, " sections parallelsections ")

/* The task that a thread goes on with must be the one that it left. */
static void resume(int64_t old, const char *call)
{
    if (find(old, call) != current)
        mistake("%s: the thread left task %lld, and goes on with %lld", call, (long long)old,
                (long long)number(current));
}

#define BARRIERS \
    " for do sections single workshare parallel parallelfor paralleldo " \
    "parallelsections parallelworkshare "
#define WAITS(name, first, next, types, parameter, argument) \
    void POMP2_##name##_##first(POMP2_Region_handle *h, POMP2_Task_handle *old parameter) \
    { \
        struct region *r = heard(#name "_" #first, h, argument, types); \
        *old = number(current); \
        open_region(r, #name "_" #first); \
    } \
    void POMP2_##name##_##next(POMP2_Region_handle *h, POMP2_Task_handle old) \
    { \
        struct region *r = heard(#name "_" #next, h, NULL, types); \
        resume(old, #name "_" #next); \
        close_region(r, #name "_" #next, #name "_" #first); \
    }
#define CTC , const char ctc[]
#define NOTHING
WAITS(Barrier, enter, exit, " barrier ", CTC, ctc)
WAITS(Implicit_barrier, enter, exit, BARRIERS, NOTHING, NULL)
WAITS(Taskwait, begin, end, " taskwait ", CTC, ctc)

/* Parallel regions. Each thread of a team has an implicit task. */

#define PARALLEL " parallel parallelfor paralleldo parallelsections parallelworkshare "

void POMP2_Parallel_fork(POMP2_Region_handle *h, int if_value, int num_threads,
                         POMP2_Task_handle *old, const char ctc[])
{
    struct region *r = heard("Parallel_fork", h, ctc, PARALLEL);
    if (getenv("STRICT_FORKS") != NULL)
        fprintf(stderr, "fork %d %d %s\n", if_value, num_threads, strstr(ctc, "escl="));
    if (num_threads < 1)
        mistake("Parallel_fork: %d threads", num_threads);
    *old = number(current);
    pomp_tpd_ = *old + 1;
    open_region(r, "Parallel_fork");
    __atomic_fetch_add(&r->forked, 1, __ATOMIC_RELAXED);
}

void POMP2_Parallel_begin(POMP2_Region_handle *h)
{
    if (current == NULL)
        current = new_task(NULL);
    struct region *r = heard("Parallel_begin", h, NULL, PARALLEL);
    if (__atomic_load_n(&r->forked, __ATOMIC_RELAXED) < 1)
        mistake("Parallel_begin: nobody has forked %s", r->ctc);
    struct task *t = new_task(r);
    if (getenv("STRICT_TPD") != NULL) {
        struct task *by = find(pomp_tpd_ - 1, "Parallel_begin");
        if (by->depth < 1 || by->open[by->depth - 1] != r)
            mistake("Parallel_begin: pomp_tpd is not that of the fork of %s", r->ctc);
    }
    t->suspended = current;
    t->begun = 1;
    current = t;
}

void POMP2_Parallel_end(POMP2_Region_handle *h)
{
    struct region *r = heard("Parallel_end", h, NULL, PARALLEL);
    if (current->region != r || current->depth != 0)
        mistake("Parallel_end: %s, but the task of %s is in %s", r->ctc,
                current->region != NULL ? current->region->ctc : "nothing",
                current->depth > 0 ? current->how[current->depth - 1] : "nothing");
    current->ended = 1;
    current = current->suspended;
}

void POMP2_Parallel_join(POMP2_Region_handle *h, POMP2_Task_handle old)
{
    struct region *r = heard("Parallel_join", h, NULL, PARALLEL);
    resume(old, "Parallel_join");
    close_region(r, "Parallel_join", "Parallel_fork");
    __atomic_fetch_sub(&r->forked, 1, __ATOMIC_RELAXED);
}

/* Tasks. */

static void create(const char *call, void **h, int64_t *made, int64_t *old, int if_value,
                   const char *ctc, int untied)
{
    struct region *r = heard(call, h, ctc, " task taskuntied ");
    struct task *t = new_task(r);
    if (if_value == 0)
        mistake("%s: the if clause is false", call);
    t->untied = untied;
    *made = number(t);
    *old = number(current);
    open_region(r, "Task_create_begin");
}

static void end_creation(const char *call, void **h, int64_t old)
{
    struct region *r = heard(call, h, NULL, " task taskuntied ");
    resume(old, call);
    close_region(r, call, "Task_create_begin");
}

static void begin_task(const char *call, void **h, int64_t n, int untied)
{
    struct region *r = heard(call, h, NULL, " task taskuntied ");
    struct task *t = find(n, call);
    if (t->region != r || t->untied != untied)
        mistake("%s: task %lld is none of %s", call, (long long)n, r->ctc);
    if (__atomic_exchange_n(&t->begun, 1, __ATOMIC_RELAXED))
        mistake("%s: task %lld begins again", call, (long long)n);
    t->suspended = current;
    current = t;
}

static void end_task(const char *call, void **h, int untied)
{
    struct region *r = heard(call, h, NULL, " task taskuntied ");
    if (current->region != r || current->untied != untied || current->depth != 0)
        mistake("%s: %s is not the task that the thread executes", call, r->ctc);
    current->ended = 1;
    current = current->suspended;
}

#define TASK(name, untied) \
    void POMP2_##name##_create_begin(POMP2_Region_handle *h, POMP2_Task_handle *made, \
                                     POMP2_Task_handle *old, int if_value, const char ctc[]) \
    { \
        create(#name "_create_begin", h, made, old, if_value, ctc, untied); \
    } \
    void POMP2_##name##_create_end(POMP2_Region_handle *h, POMP2_Task_handle old) \
    { \
        end_creation(#name "_create_end", h, old); \
    } \
    void POMP2_##name##_begin(POMP2_Region_handle *h, POMP2_Task_handle task) \
    { \
        begin_task(#name "_begin", h, task, untied); \
    } \
    void POMP2_##name##_end(POMP2_Region_handle *h) { end_task(#name "_end", h, untied); }
TASK(Task, 0)
TASK(Untied_task, 1)

/* User regions, control. */

void POMP2_Begin(POMP2_USER_Region_handle *h, const char ctc[])
{
    open_region(heard("Begin", h, ctc, " userRegion "), "Begin");
}
void POMP2_End(POMP2_USER_Region_handle *h)
{
    close_region(heard("End", h, NULL, " userRegion "), "End", "Begin");
}
void POMP2_Init(void)
{
    if (!ready)
        initialize();
}
void POMP2_Finalize(void) {}
void POMP2_Off(void) {}
void POMP2_On(void) {}
POMP2_Task_handle POMP2_Get_new_task_handle(void) { return number(new_task(NULL)); }
int POMP2_Lib_get_max_threads(void) { return omp_get_max_threads(); }

/* Locks: a lock that is used has been initialized. */
static void *locks[10000];

static int known(void *s, int set, void *to)
{
    int i = 0;
    pthread_mutex_lock(&lock);
    while (i < 9999 && locks[i] != s)
        i++;
    const int found = i < 9999;
    if (set && !found)
        for (i = 0; i < 9998 && locks[i] != NULL; i++)
            ;
    if (set)
        locks[i] = to;
    events++;
    pthread_mutex_unlock(&lock);
    return found;
}

#define LOCKS(kind, type) \
    void POMP2_Init_##kind(type *s) \
    { \
        (void)known(s, 1, s); \
        omp_init_##kind(s); \
    } \
    void POMP2_Destroy_##kind(type *s) \
    { \
        if (!known(s, 1, NULL)) \
            mistake("Destroy_" #kind ": no such lock"); \
        omp_destroy_##kind(s); \
    } \
    void POMP2_Set_##kind(type *s) \
    { \
        if (!known(s, 0, NULL)) \
            mistake("Set_" #kind ": no such lock"); \
        omp_set_##kind(s); \
    } \
    void POMP2_Unset_##kind(type *s) \
    { \
        if (!known(s, 0, NULL)) \
            mistake("Unset_" #kind ": no such lock"); \
        omp_unset_##kind(s); \
    } \
    int POMP2_Test_##kind(type *s) \
    { \
        if (!known(s, 0, NULL)) \
            mistake("Test_" #kind ": no such lock"); \
        return omp_test_##kind(s); \
    }
LOCKS(lock, omp_lock_t)
LOCKS(nest_lock, omp_nest_lock_t)

/* The same by Fortran's names. */
#define FORTRAN_LOCKS(kind) \
    void omp_init_##kind##_(void *), omp_destroy_##kind##_(void *), omp_set_##kind##_(void *), \
        omp_unset_##kind##_(void *); \
    int omp_test_##kind##_(void *); \
    void pomp2_init_##kind##_(void *s) \
    { \
        (void)known(s, 1, s); \
        omp_init_##kind##_(s); \
    } \
    void pomp2_destroy_##kind##_(void *s) \
    { \
        if (!known(s, 1, NULL)) \
            mistake("destroy_" #kind ": no such lock"); \
        omp_destroy_##kind##_(s); \
    } \
    void pomp2_set_##kind##_(void *s) \
    { \
        if (!known(s, 0, NULL)) \
            mistake("set_" #kind ": no such lock"); \
        omp_set_##kind##_(s); \
    } \
    void pomp2_unset_##kind##_(void *s) \
    { \
        if (!known(s, 0, NULL)) \
            mistake("unset_" #kind ": no such lock"); \
        omp_unset_##kind##_(s); \
    } \
    int pomp2_test_##kind##_(void *s) \
    { \
        if (!known(s, 0, NULL)) \
            mistake("test_" #kind ": no such lock"); \
        return omp_test_##kind##_(s); \
    }
FORTRAN_LOCKS(lock)
FORTRAN_LOCKS(nest_lock)
