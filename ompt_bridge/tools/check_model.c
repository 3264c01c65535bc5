/* check_model.c: reports, objects and data words of the checker. Every access to the model holds
 * its lock. */
#include "check.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LINES_PER_RULE 20u
#define PAGE 4096u
#define PAGES 16384u

struct check_ask check_ask;

static struct {
    int fd;
    char off[RULES];
    unsigned long count[RULES];
    unsigned long events, limit; /* limit 0: none */
    int finalized, reported, stopped;
    int forked; /* this is a child in which no thread has begun */
    unsigned threads;
    struct check_thread *all;
    const char *event; /* name of the current event */
    void **page[PAGES];
    unsigned objects;
    pthread_mutex_t lock;
} check = {.fd = -1, .lock = PTHREAD_MUTEX_INITIALIZER};

static __thread struct check_thread *self;

static const char *const rule_names[] = {
#define X(name, text) #name,
    CHECK_RULES(X)
#undef X
};

/* ---- reports */

__attribute__((format(printf, 1, 2))) static void say(const char *format, ...)
{
    char line[512];
    va_list args;
    int n;
    va_start(args, format);
    n = vsnprintf(line, sizeof line, format, args);
    va_end(args);
    if (n >= (int)sizeof line)
        n = (int)sizeof line - 1;
    if (n > 0 && write(check.fd, line, (size_t)n) < 0)
        check.fd = -1; /* there is nowhere to report to: the reader notices that the last line is
                          missing */
}

/* Reports a violation. It counts all of them, but only the first ones of each rule get a line. */
__attribute__((format(printf, 2, 3))) static void violate(enum check_rule rule, const char *format,
                                                          ...)
{
    char text[300];
    va_list args;
    if (check.stopped || check.off[rule] || check.count[rule]++ >= LINES_PER_RULE)
        return;
    va_start(args, format);
    (void)vsnprintf(text, sizeof text, format, args);
    va_end(args);
    say("violation %s: thread %u, %s: %s\n", rule_names[rule], self == NULL ? 0 : self->number,
        check.event, text);
}

#define REQUIRE(holds, rule, ...) \
    do { \
        if (!(holds)) \
            violate(rule, __VA_ARGS__); \
    } while (0)

/* Writes the last lines: how often each rule was broken, and how many events there were. */
static void report(const char *how)
{
    for (int i = 0; i < RULES; i++)
        if (!check.off[i] && check.count[i] > 0)
            say("total %s %lu\n", rule_names[i], check.count[i]);
    say("%s %lu events %u threads\n", how, check.events, check.threads);
}

/* ---- objects */

static void *allocate(size_t n)
{
    void *p = calloc(1, n);
    if (p == NULL) {
        say("violation kind: the checker is out of memory\n");
        _exit(3);
    }
    return p;
}

/* Registers an object and returns its word: the tag in the highest byte, the number below. */
static uint64_t word_for(enum check_what what, void *object)
{
    unsigned n = check.objects;
    if (n / PAGE >= PAGES)
        return 0; /* 67 million objects: no word is left, so later events report a violation */
    check.objects++;
    if (check.page[n / PAGE] == NULL)
        check.page[n / PAGE] = allocate(PAGE * sizeof(void *));
    check.page[n / PAGE][n % PAGE] = object;
    return (uint64_t)what << 56 | (n + 1);
}

/* Returns the object that a word of the tool's stands for; NULL if it is none. */
static void *object(enum check_what what, const ompt_data_t *data)
{
    uint64_t n;
    if (data == NULL || data->value >> 56 != what)
        return NULL;
    n = (data->value & (((uint64_t)1 << 56) - 1)) - 1;
    return n < check.objects ? check.page[n / PAGE][n % PAGE] : NULL;
}

static struct check_task *task_of(const ompt_data_t *data) { return object(what_task, data); }
static struct check_region *region_of(const ompt_data_t *data) { return object(what_region, data); }

/* Checks that the data of a new object is zero, and sets it to the object's word. */
static void mark(enum check_what what, enum check_rule rule, ompt_data_t *data, void *thing)
{
    REQUIRE(data != NULL, rule, "the data is NULL");
    if (data == NULL)
        return;
    REQUIRE(data->value == 0, rule, "the data is %#llx and not zero",
            (unsigned long long)data->value);
    data->value = word_for(what, thing);
}

static struct check_region *new_region(ompt_data_t *data, struct check_task *parent, unsigned flags)
{
    struct check_region *r = allocate(sizeof *r);
    r->parent = parent;
    r->outer = parent == NULL ? NULL : parent->region;
    r->data = data;
    r->flags = flags;
    mark(what_region, rule_region_data, data, r);
    return r;
}

static struct check_task *new_task(ompt_data_t *data, struct check_region *region,
                                   struct check_task *parent, unsigned flags)
{
    struct check_task *t = allocate(sizeof *t);
    t->region = region;
    t->parent = parent;
    t->data = data;
    t->flags = flags;
    mark(what_task, rule_task_data, data, t);
    return t;
}

static int is_initial(const struct check_task *t) { return (t->flags & ompt_task_initial) != 0; }
static int is_implicit(const struct check_task *t)
{
    return (t->flags & (ompt_task_initial | ompt_task_implicit)) != 0;
}

/* ---- entering a callback */

static struct check_thread *new_thread(void)
{
    struct check_thread *t = allocate(sizeof *t);
    t->number = check.threads++;
    t->next = check.all;
    check.all = t;
    return t;
}

/* Between mutex_acquire and mutex_acquired a thread waits, so no other event can come. The
 * exception is a test that may have failed. */
static void check_pending(struct check_thread *t, unsigned event)
{
    int test = t->pending == ompt_mutex_test_lock || t->pending == ompt_mutex_test_nest_lock;
    if (t->pending == 0 || event == ompt_callback_mutex_acquired ||
        event == ompt_callback_nest_lock)
        return;
    REQUIRE(test, rule_mutex_order,
            "mutex_acquire of wait id %#llx was followed by no mutex_acquired",
            (unsigned long long)t->pending_wait);
    t->pending = 0;
}

static void stop(void);

/* Begins every callback: takes the lock and returns the calling thread. */
static struct check_thread *enter(unsigned event, const char *name)
{
    struct check_thread *t;
    pthread_mutex_lock(&check.lock);
    /* A runtime may begin anew in a child. */
    if (check.forked && event == ompt_callback_thread_begin) {
        check.forked = 0;
        if (self != NULL)
            self->ended = 1;
        self = NULL;
    }
    if (self == NULL)
        self = new_thread();
    t = self;
    check.event = name;
    if (check.events++ == check.limit && check.limit != 0)
        stop();
    REQUIRE(!check.finalized, rule_finalized, "an event after finalize");
    if (event == ompt_callback_thread_begin)
        return t;
    REQUIRE(t->begun, rule_thread_first, "an event before thread_begin");
    REQUIRE(!t->ended, rule_thread_last, "an event after thread_end");
    if (!t->begun)
        t->begun = 2; /* reported once */
    if (t->begun == 1 && check_ask.thread_data != NULL)
        REQUIRE(check_ask.thread_data() == t->data && t->data != NULL && t->data->value == t->word,
                rule_thread_data,
                "ompt_get_thread_data returns other data than thread_begin had, or its value has "
                "changed");
    check_pending(t, event);
    return t;
}

static void leave(void) { pthread_mutex_unlock(&check.lock); }
