/* older.h: what the checkers of the protocol of OMPT's two older generations share: reports, what is open in a task, and mutexes. The file that
 * includes it has listed its rules in CHECK_RULES.
 *
 * OPARI_OMPT_CHECK names the file that is written; its lines are those of ompt_bridge/tools/ompt_check.c.
 */
#ifndef OPARI_OLDER_H
#define OPARI_OLDER_H

#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum check_rule {
#define X(name, text) rule_##name,
    CHECK_RULES(X)
#undef X
        RULES
};

static const char *const rule_names[] = {
#define X(name, text) #name,
    CHECK_RULES(X)
#undef X
};

/* So many events are checked at most, for the records are never freed: what an old word leads to can still be looked at. */
#define EVENTS 300000
#define SHOWN 5 /* violations of a rule that are printed one by one */

static struct {
    int fd;
    atomic_int events, threads, open; /* open: threads that have begun, not ended and run no task */
    atomic_int count[RULES];
} check = {.fd = -1};

/* A task, explicit or not. What begins in it ends in it, whatever the thread does meanwhile. */
struct scopes {
    unsigned depth;
    struct {
        unsigned char event, kind;
    } of[24];
};

struct hold {
    int kind;
    unsigned depth;
    uint64_t id;
};

/* What is known of a thread in both generations. */
struct own {
    int begun, ended, idle, within; /* within: a callback */
    int pending;                    /* kind of a mutex that it is about to acquire */
    uint64_t pending_id;
    struct hold held[32];
    const char *event;
    unsigned number;
};

static __thread struct own own;

#define REQUIRE(holds, rule, ...)                                                                                              \
    do {                                                                                                                       \
        if (!(holds) && atomic_fetch_add(&check.count[rule], 1) < SHOWN) {                                                     \
            char text_[200];                                                                                                   \
            snprintf(text_, sizeof text_, __VA_ARGS__);                                                                        \
            dprintf(check.fd, "violation %s: thread %u, %s: %s\n", rule_names[rule], own.number, own.event, text_);            \
        }                                                                                                                      \
    } while (0)

static int is_over(void) { return atomic_load(&check.events) >= EVENTS; }

/* Begins a callback. 0: nothing is checked any more. */
static int counts(const char *event)
{
    if (is_over())
        return 0;
    atomic_fetch_add(&check.events, 1);
    own.event = event;
    return 1;
}

static int check_open(void)
{
    const char *file = getenv("OPARI_OMPT_CHECK");
    if (file == NULL || (check.fd = open(file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600)) < 0)
        return 0;
    atomic_store(&check.events, 0);
    atomic_store(&check.open, 0);
    memset(check.count, 0, sizeof check.count);
    memset(&own, 0, sizeof own); /* in a forked child the tool starts anew, and so do the program's threads */
    return 1;
}

static void check_report(void)
{
    for (int i = 0; i < RULES; i++)
        if (atomic_load(&check.count[i]) > 0)
            dprintf(check.fd, "total %s %d\n", rule_names[i], atomic_load(&check.count[i]));
    dprintf(check.fd, "finalized %d events %d threads\n", atomic_load(&check.events), atomic_load(&check.threads));
}

/* ---- what is open in a task */

static void scope_begin(struct scopes *s, int event, int kind)
{
    if (s->depth < sizeof s->of / sizeof s->of[0]) {
        s->of[s->depth].event = (unsigned char)event;
        s->of[s->depth].kind = (unsigned char)kind;
    }
    s->depth++;
}

/* Whether the innermost that is open is of that event and kind; kind 0: of any. What lies deeper than the list is not known. */
static int scope_is(const struct scopes *s, int event, int kind)
{
    if (s->depth > sizeof s->of / sizeof s->of[0])
        return 1;
    return s->depth > 0 && s->of[s->depth - 1].event == event && (kind == 0 || s->of[s->depth - 1].kind == kind);
}

static void scope_end(struct scopes *s, int event, int kind)
{
    REQUIRE(scope_is(s, event, kind), rule_scope_pair, "kind %d ends, but innermost of %u is event %d, kind %d", kind, s->depth,
            s->depth > 0 ? s->of[s->depth - 1].event : 0, s->depth > 0 ? s->of[s->depth - 1].kind : 0);
    if (s->depth > 0)
        s->depth--;
}

/* ---- mutexes: a release is reported when it has happened, so each thread is followed by itself */

static struct hold *find_hold(int kind, uint64_t id)
{
    struct hold *h = own.held;
    while (h < own.held + 32 && (h->depth == 0 || h->kind != kind || h->id != id))
        h++;
    return h < own.held + 32 ? h : NULL;
}

static void mutex_wait(int kind, uint64_t id)
{
    REQUIRE(id != 0, rule_wait_id, "wait id 0");
    REQUIRE(find_hold(kind, id) == NULL, rule_mutex_order, "the thread waits for what it has");
    own.pending = kind;
    own.pending_id = id;
}

/* tried: a mutex of that kind may be acquired without being waited for. */
static void mutex_acquired(int kind, uint64_t id, int tried)
{
    REQUIRE(id != 0, rule_wait_id, "wait id 0");
    REQUIRE((own.pending == 0 && tried) || (own.pending == kind && own.pending_id == id), rule_mutex_order,
            "acquired %d, waited for %d", kind, own.pending);
    REQUIRE(find_hold(kind, id) == NULL, rule_mutex_order, "the thread has it already");
    own.pending = 0;
    for (struct hold *h = own.held; h < own.held + 32; h++)
        if (h->depth == 0) {
            *h = (struct hold){kind, 1, id};
            break;
        }
}

static void mutex_released(int kind, uint64_t id)
{
    struct hold *h = find_hold(kind, id);
    REQUIRE(h != NULL && h->depth == 1, rule_mutex_owner, "kind %d: the thread has it %u times", kind, h == NULL ? 0 : h->depth);
    if (h != NULL)
        h->depth = 0;
}

static void mutex_nests(int kind, uint64_t id, int begins)
{
    struct hold *h = find_hold(kind, id);
    REQUIRE(h != NULL && h->depth + (unsigned)begins > 1, rule_mutex_owner, "nested: the thread has it %u times", h == NULL ? 0 : h->depth);
    if (h != NULL)
        h->depth += begins ? 1u : -1u;
}

static struct lock {
    uint64_t id;
    int kind; /* 0: destroyed */
} locks[4096];
static pthread_mutex_t locks_guard = PTHREAD_MUTEX_INITIALIZER;

/* kind: what the lock becomes; -1: what it is is returned only. */
static int lock_is(uint64_t id, int kind)
{
    int was = -1;
    pthread_mutex_lock(&locks_guard);
    for (unsigned n = 0; n < 4096 && was < 0; n++) {
        struct lock *l = &locks[((id >> 3) + n) % 4096];
        if (l->id != id && l->id != 0)
            continue;
        was = l->kind;
        if (kind >= 0)
            *l = (struct lock){id, kind};
    }
    pthread_mutex_unlock(&locks_guard);
    return was < 0 ? kind : was;
}

#endif
