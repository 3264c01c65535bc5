/* check_mutex.c: the checker's callbacks for mutual exclusion. The event of a release comes after
 * the release. So one thread may report that it has acquired a lock before another reports its
 * release. Therefore the checker checks the order for each thread separately. */
#include "check.h"

#define BUCKETS 4096u

/* A lock that has been initialised. */
struct check_lock {
    struct check_lock *next;
    ompt_wait_id_t wait;
    int family, alive;
};

static struct check_lock *locks[BUCKETS];

/* Returns the kind of the lock: a test counts as a set. */
static int family_of(int kind)
{
    return kind == ompt_mutex_test_lock        ? ompt_mutex_lock
           : kind == ompt_mutex_test_nest_lock ? ompt_mutex_nest_lock
                                               : kind;
}

static struct check_lock **bucket(ompt_wait_id_t wait)
{
    return &locks[(wait >> 3 ^ wait >> 15) % BUCKETS];
}

static struct check_lock *find_lock(ompt_wait_id_t wait)
{
    struct check_lock *l = *bucket(wait);
    while (l != NULL && l->wait != wait)
        l = l->next;
    return l;
}

static struct check_hold **find_hold(struct check_thread *t, int family, ompt_wait_id_t wait)
{
    struct check_hold **h = &t->holds;
    while (*h != NULL && ((*h)->wait != wait || (*h)->family != family))
        h = &(*h)->next;
    return h;
}

static void check_mutex(int kind, ompt_wait_id_t wait)
{
    REQUIRE(kind >= ompt_mutex_lock && kind <= ompt_mutex_ordered, rule_kind, "kind %d", kind);
    REQUIRE(wait != 0, rule_wait_id, "wait id 0");
}

static void check_lock(int family, ompt_wait_id_t wait)
{
    const struct check_lock *l = find_lock(wait);
    if (family != ompt_mutex_lock && family != ompt_mutex_nest_lock)
        return;
    REQUIRE(l != NULL && l->alive && l->family == family, rule_lock_known, "the lock is %s",
            l == NULL   ? "not initialised"
            : !l->alive ? "destroyed"
                        : "of another kind");
}

static void on_lock_init(ompt_mutex_t kind, unsigned hint, unsigned impl, ompt_wait_id_t wait,
                         const void *code)
{
    struct check_thread *t = enter(ompt_callback_lock_init, "lock_init");
    struct check_lock *l = find_lock(wait);
    (void)hint, (void)impl, (void)code;
    check_mutex((int)kind, wait);
    REQUIRE(kind < ompt_mutex_critical, rule_kind, "kind %d is not a lock's", (int)kind);
    if (l == NULL) {
        l = allocate(sizeof *l);
        l->next = *bucket(wait);
        l->wait = wait;
        *bucket(wait) = l;
    }
    l->family = family_of((int)kind);
    l->alive = 1;
    check_info(t, 1);
    leave();
}

static void on_lock_destroy(ompt_mutex_t kind, ompt_wait_id_t wait, const void *code)
{
    struct check_thread *t = enter(ompt_callback_lock_destroy, "lock_destroy");
    struct check_lock *l = find_lock(wait);
    (void)code;
    check_mutex((int)kind, wait);
    check_lock(family_of((int)kind), wait);
    REQUIRE(*find_hold(t, family_of((int)kind), wait) == NULL, rule_mutex_held, "the lock is held");
    if (l != NULL)
        l->alive = 0;
    check_info(t, 1);
    leave();
}

static void on_acquire(ompt_mutex_t kind, unsigned hint, unsigned impl, ompt_wait_id_t wait,
                       const void *code)
{
    struct check_thread *t = enter(ompt_callback_mutex_acquire, "mutex_acquire");
    (void)hint, (void)impl, (void)code;
    check_mutex((int)kind, wait);
    check_lock(family_of((int)kind), wait);
    t->pending = (int)kind;
    t->pending_wait = wait;
    check_mutex_set((int)kind);
    check_info(t, 0);
    leave();
}

static void on_acquired(ompt_mutex_t kind, ompt_wait_id_t wait, const void *code)
{
    struct check_thread *t = enter(ompt_callback_mutex_acquired, "mutex_acquired");
    struct check_hold **h = find_hold(t, family_of((int)kind), wait);
    (void)code;
    check_mutex((int)kind, wait);
    REQUIRE(t->pending != 0 && family_of(t->pending) == family_of((int)kind) &&
                t->pending_wait == wait,
            rule_mutex_order, "no mutex_acquire of kind %d and wait id %#llx came before",
            (int)kind, (unsigned long long)wait);
    REQUIRE(*h == NULL, rule_mutex_order, "the thread has acquired it already");
    check_info(t, 0);
    t->pending = 0;
    if (*h == NULL) {
        *h = allocate(sizeof **h);
        (*h)->family = family_of((int)kind);
        (*h)->wait = wait;
        (*h)->depth = 1;
        (*h)->task = t->current;
    }
    leave();
}

static void on_released(ompt_mutex_t kind, ompt_wait_id_t wait, const void *code)
{
    struct check_thread *t = enter(ompt_callback_mutex_released, "mutex_released");
    struct check_hold **h = find_hold(t, family_of((int)kind), wait), *gone = *h;
    (void)code;
    check_mutex((int)kind, wait);
    REQUIRE(gone != NULL, rule_mutex_owner, "the thread has not acquired kind %d, wait id %#llx",
            (int)kind, (unsigned long long)wait);
    if (gone != NULL) {
        REQUIRE(gone->depth == 1, rule_mutex_nest, "the lock is released with %u sets to be undone",
                gone->depth - 1);
        *h = gone->next;
        free(gone);
    }
    check_info(t, 0);
    leave();
}

static void on_nest_lock(ompt_scope_endpoint_t endpoint, ompt_wait_id_t wait, const void *code)
{
    struct check_thread *t = enter(ompt_callback_nest_lock, "nest_lock");
    struct check_hold *h = *find_hold(t, ompt_mutex_nest_lock, wait);
    (void)code;
    REQUIRE(wait != 0, rule_wait_id, "wait id 0");
    REQUIRE(endpoint == ompt_scope_begin || endpoint == ompt_scope_end, rule_endpoint,
            "endpoint %d", (int)endpoint);
    REQUIRE(h != NULL && (endpoint == ompt_scope_begin || h->depth > 1), rule_mutex_nest,
            "the thread holds the lock %u times", h == NULL ? 0 : h->depth);
    if (t->pending != 0)
        REQUIRE(family_of(t->pending) == ompt_mutex_nest_lock && t->pending_wait == wait,
                rule_mutex_order, "the thread was about to acquire another mutex");
    check_info(t, 0);
    t->pending = 0;
    if (h != NULL)
        h->depth += endpoint == ompt_scope_begin ? 1u : -1u;
    leave();
}
