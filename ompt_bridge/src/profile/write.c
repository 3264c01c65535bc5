/* write.c: the profile file: JSON lines, written at the end with write(2) from one fixed buffer.
 *
 * Other threads may run meanwhile; the file may or may not contain what they record then. The file
 * has another name until it is complete.
 */
#include "profile.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Adds to n the open instances of a node on thread r, for a process that ends while other threads
 * work. These threads may go on while this function reads their frames. Each value that it reads
 * was a valid one, and it follows no pointer to memory that could vanish. */
static void rec_add_open(const struct rec_thread *r, const struct rec_node *node,
                         struct rec_node *n, uint64_t now)
{
    const struct rec_frame *f = OPARI_ACQUIRE(&r->stack), *top = OPARI_ACQUIRE(&r->top);
    uint64_t active = 0;
    if (top < f || top > f + REC_DEEPEST)
        return; /* the stack is just being enlarged */
    for (f++; f <= top; f++) {
        int type = OPARI_LOAD(&f->type);
        uint64_t start = OPARI_LOAD(&f->start), mid = OPARI_LOAD(&f->mid);
        if (type == REC_TEAM && f->team != NULL && OPARI_ACQUIRE(&f->team->instance) != f->instance)
            now = OPARI_LOAD(&r->last); /* the region is over: the thread left it by cancellation,
                                           or waits for the next one */
        if (type == REC_TEAM && mid != 0) {
            const struct rec_node *waits = OPARI_LOAD(&f->waits);
            if (f->master || (node != f->node && node != waits))
                continue;
            const uint64_t waited = rec_waited(f, rec_joined_at(f));
            n->barrier += node == waits ? waited : 0;
            n->excl += node == waits ? waited : 0;
            n->body += node == waits ? 0 : waited;
            n->incl += active == 0 ? waited : 0;
            continue;
        }
        if (OPARI_LOAD(&f->node) != node || now < start)
            continue;
        uint64_t dur = now - start, child = OPARI_LOAD(&f->child);
        if (type == REC_WAIT) {
            n->barrier += dur > child ? dur - child : 0;
            continue;
        }
        if (type == REC_BODY || (type == REC_TEAM && f->master)) {
            n->body += dur;
            continue;
        }
        uint64_t inner = f < top && OPARI_LOAD(&f[1].start) >= start
                             ? now - OPARI_LOAD(&f[1].start) + child
                             : child;
        n->count++;
        n->incl += active++ == 0 ? dur : 0;
        n->excl += dur > inner ? dur - inner : 0;
        n->shortest = ~dur > n->shortest ? ~dur : n->shortest;
        n->longest = dur > n->longest ? dur : n->longest;
        if (type == REC_TEAM)
            n->body += dur;
        else if (type == REC_MUTEX && mid != 0)
            n->hold += now > mid ? now - mid : 0;
        else if (type == REC_MUTEX || type == REC_LOCK)
            n->wait += dur;
    }
}

/* Returns a node as it is written: with its open instances. */
static struct rec_node rec_snapshot(const struct rec_thread *r, const struct rec_node *node,
                                    uint64_t now)
{
    struct rec_node n = {
        .count = OPARI_LOAD(&node->count),
        .incl = OPARI_LOAD(&node->incl),
        .excl = OPARI_LOAD(&node->excl),
        .shortest = OPARI_LOAD(&node->shortest),
        .longest = OPARI_LOAD(&node->longest),
        .body = OPARI_LOAD(&node->body),
        .barrier = OPARI_LOAD(&node->barrier),
        .wait = OPARI_LOAD(&node->wait),
        .hold = OPARI_LOAD(&node->hold),
    };
    rec_add_open(r, node, &n, now);
    return n;
}

static void rec_write_node(const struct rec_thread *r, size_t path, const struct rec_node *n)
{
    rec_unsigned("{\"path\":", path);
    rec_unsigned(",\"thread\":", r->number);
    rec_unsigned(",\"count\":", n->count);
    rec_unsigned(",\"incl\":", rec_ns(n->incl));
    rec_unsigned(",\"excl\":", rec_ns(n->excl));
    rec_unsigned(",\"min\":", n->count != 0 ? rec_ns(~n->shortest) : 0);
    rec_unsigned(",\"max\":", rec_ns(n->longest));
    rec_unsigned(",\"body\":", rec_ns(n->body));
    rec_unsigned(",\"barrier\":", rec_ns(n->barrier));
    rec_unsigned(",\"wait\":", rec_ns(n->wait));
    rec_unsigned(",\"hold\":", rec_ns(n->hold));
    rec_text("}\n");
}

/* Writes a line of its own for a target region that has kernels or data. in_place says how many of
 * the bytes were not copied because host and device share storage. */
static void rec_write_device(const struct rec_thread *r, size_t path, const struct rec_device *d)
{
    if (d == NULL || (OPARI_LOAD(&d->kernels) | OPARI_LOAD(&d->to) | OPARI_LOAD(&d->from)) == 0)
        return;
    rec_unsigned("{\"path\":", path);
    rec_unsigned(",\"thread\":", r->number);
    rec_unsigned(",\"kernels\":", OPARI_LOAD(&d->kernels));
    rec_unsigned(",\"kernel\":", rec_ns(OPARI_LOAD(&d->kernel)));
    rec_unsigned(",\"to\":", OPARI_LOAD(&d->to));
    rec_unsigned(",\"from\":", OPARI_LOAD(&d->from));
    rec_unsigned(",\"in_place\":", OPARI_LOAD(&d->in_place));
    rec_unsigned(",\"moving\":", rec_ns(OPARI_LOAD(&d->moving)) + OPARI_LOAD(&d->moved));
    rec_text("}\n");
}

/* The paths of all threads: the region of a node in the path of its parent. A path's number is its
 * index plus one; 0 is the root. */
struct rec_paths {
    size_t used, room; /* room: a power of two, more than twice the number of nodes at the start */
    struct rec_path {
        size_t parent, region;
    } *path;
    size_t *table;  /* path numbers, by hash */
    size_t written; /* how many paths are written */
    size_t regions;
    char *known; /* 1 for each region that is written */
};

static size_t rec_path_number(struct rec_paths *p, size_t parent, size_t region)
{
    size_t mask = p->room - 1, i = (parent * 31 + region) * 0x9e3779b1u & mask;
    for (; p->table[i] != 0; i = (i + 1) & mask) {
        const struct rec_path *q = &p->path[p->table[i] - 1];
        if (q->parent == parent && q->region == region)
            return p->table[i];
    }
    if (2 * p->used >= p->room)
        return 0; /* these nodes are newer than their count */
    p->path[p->used] = (struct rec_path){parent, region};
    return p->table[i] = ++p->used;
}

/* Returns the number of a node's path. An implicit task has that of its fork. The recursion is as
 * deep as the nesting in the text, plus the forks. */
static size_t rec_path_of(struct rec_paths *p, const struct rec_node *n)
{
    while (n->origin != NULL)
        n = n->origin;
    return n->region == 0 ? 0 : rec_path_number(p, rec_path_of(p, n->parent), n->region);
}

static int rec_is_used(const struct rec_node *n)
{
    return n->count != 0 || n->barrier != 0 || n->wait != 0;
}

/* Writes the new paths and their regions. Parents come first. */
static void rec_write_new_paths(struct rec_paths *p)
{
    for (; p->written < p->used; p->written++) {
        const struct rec_path *q = &p->path[p->written];
        const struct ompregdescr *d =
            q->region < p->regions && !p->known[q->region] ? rec_region(q->region) : NULL;
        if (d != NULL) {
            p->known[q->region] = 1;
            rec_write_region(q->region, d);
        }
        rec_unsigned("{\"path\":", p->written + 1);
        rec_unsigned(",\"parent\":", q->parent);
        rec_unsigned(",\"region\":", q->region);
        rec_text("}\n");
    }
}

static void rec_write_nodes(struct rec_paths *p, const struct rec_thread *r, uint64_t now)
{
    for (const struct rec_page *page = OPARI_ACQUIRE(&r->pages); page != NULL; page = page->next) {
        size_t used = OPARI_ACQUIRE(&page->used);
        for (size_t i = 0; i < used; i++) {
            const struct rec_node *node = &page->node[i];
            struct rec_node n = rec_snapshot(r, node, now);
            size_t path = node->target == node && rec_is_used(&n) ? rec_path_of(p, node) : 0;
            if (path == 0)
                continue;
            rec_write_new_paths(p);
            rec_write_node(r, path, &n);
            rec_write_device(r, path, OPARI_ACQUIRE(&node->device));
            rec_write_chunks(r, path, OPARI_ACQUIRE(&node->chunks));
        }
    }
}

static size_t rec_nodes(const struct rec_thread *all)
{
    size_t nodes = 0;
    for (const struct rec_thread *r = all; r != NULL; r = OPARI_ACQUIRE(&r->next))
        for (const struct rec_page *page = OPARI_ACQUIRE(&r->pages); page != NULL;
             page = page->next)
            nodes += OPARI_ACQUIRE(&page->used);
    return nodes;
}

/* Whether any node has something to write. */
static OPARI_COLD int rec_any(const struct rec_thread *all)
{
    uint64_t now = rec_now();
    for (const struct rec_thread *r = all; r != NULL; r = OPARI_ACQUIRE(&r->next))
        for (const struct rec_page *page = OPARI_ACQUIRE(&r->pages); page != NULL;
             page = page->next)
            for (size_t i = 0; i < OPARI_ACQUIRE(&page->used); i++) {
                struct rec_node n = rec_snapshot(r, &page->node[i], now);
                if (page->node[i].target == &page->node[i] && rec_is_used(&n))
                    return 1;
            }
    return 0;
}

/* Writes the functions that are off. In a forked child such a region may have no path. */
static OPARI_COLD void rec_write_functions_off(struct rec_paths *p)
{
    for (size_t number = 1; number < p->regions; number++) {
        const struct ompregdescr *d = rec_region(number);
        if (d == NULL || rec_calls_until_off(d) == 0)
            continue;
        if (!p->known[number])
            rec_write_region(number, d);
        rec_write_off(number, d);
    }
}

/* Writes regions, paths and their threads. Without memory it writes none. */
static OPARI_COLD void rec_write_paths(const struct rec_thread *all)
{
    struct rec_paths p = {.room = 64, .regions = rec_regions_used() + 1};
    uint64_t now = rec_now();
    size_t nodes = rec_nodes(all);
    while (p.room <= 2 * (nodes + 64))
        p.room *= 2;
    p.path = opari_memory(p.room * sizeof *p.path);
    p.table = opari_memory(p.room * sizeof *p.table);
    p.known = opari_memory(p.regions);
    if (p.path == NULL || p.table == NULL || p.known == NULL)
        return;
    for (const struct rec_thread *r = all; r != NULL; r = OPARI_ACQUIRE(&r->next))
        rec_write_nodes(&p, r, now);
    rec_write_functions_off(&p);
}

static void rec_write_head(const struct rec_thread *all, uint64_t wall)
{
    uint64_t lost = 0, threads = 0;
    for (const struct rec_thread *r = all; r != NULL; r = OPARI_ACQUIRE(&r->next)) {
        lost += OPARI_LOAD(&r->lost);
        threads++;
    }
    rec_string("{\"opari_profile\":2,\"program\":", rec_out.program);
    rec_unsigned(",\"pid\":", (uint64_t)getpid());
    rec_unsigned(",\"wall_ns\":", wall);
    rec_unsigned(",\"threads\":", threads);
    rec_unsigned(",\"lost\":", lost);
    rec_unsigned(",\"event_cost\":", (rec_ns(rec_clock.cost) + REC_BATCH / 2) / REC_BATCH);
    rec_string(",\"clock\":", rec_clock.tsc ? "tsc" : "monotonic");
    rec_write_left_out();
    rec_text("}\n");
}

/* Writes PREFIX.PID. On failure there is no file and no message, because the program is not
 * opari's. */
static OPARI_COLD void rec_write_profile(const struct rec_thread *all)
{
    char path[PATH_MAX], temporary[PATH_MAX], digits[24];
    int saved = errno;
    const char *pid = rec_digits(digits + sizeof digits, (uint64_t)getpid());
    size_t n = strlen(rec_out.prefix);
    memcpy(path, rec_out.prefix, n);
    path[n] = '.';
    memcpy(path + n + 1, pid, strlen(pid) + 1);
    n = strlen(path);
    memcpy(temporary, path, n);
    memcpy(temporary + n, ".tmp", 5);
    rec_clock_stop();
    pthread_mutex_lock(&rec_out.lock);
    (void)unlink(temporary); /* left by a killed process of this number; if it is another user's it
                                stays, and there is no profile */
    rec_out.fd = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (rec_out.fd >= 0) {
        rec_out.failed = 0;
        rec_out.used = 0;
        rec_write_head(all, rec_clock_ns() - rec_clock.start_ns);
        rec_write_paths(all);
        rec_flush();
        if (close(rec_out.fd) != 0)
            rec_out.failed = 1;
        if (rec_out.failed || rename(temporary, path) != 0)
            (void)unlink(temporary);
    }
    pthread_mutex_unlock(&rec_out.lock);
    errno = saved;
}
