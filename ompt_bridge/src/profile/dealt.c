/* dealt.c: what handing out the chunks of loops has cost, in the profile. Like what target.c has,
 * it lies outside the node. */
#include "profile.h"

struct rec_chunks {
    uint64_t chunks, iterations, ticks, own; /* see struct rec_dealt; own is of all chunks */
};

/* Adds what handing out the chunks of the event's loop has cost. The loop is the innermost
 * region. */
static OPARI_MAYBE OPARI_NOINLINE void rec_dealt(const struct rec_dealt *w)
{
    struct rec_thread *r = rec_self;
    if (r == NULL || r->top->type != REC_WORK)
        return;
    struct rec_node *n = r->top->node;
    struct rec_chunks *c = n->chunks;
    if (c == NULL && (c = opari_memory(sizeof *c)) != NULL)
        OPARI_RELEASE(&n->chunks, c);
    if (c == NULL)
        return;
    REC_ADD(c->chunks, w->chunks);
    REC_ADD(c->iterations, w->iterations);
    REC_ADD(c->ticks, w->ticks);
    REC_ADD(c->own, (uint64_t)w->own * w->chunks / REC_DEALT_OWN);
}

/* Writes a line of its own for a loop that had chunks. */
static void rec_write_chunks(const struct rec_thread *r, size_t path, const struct rec_chunks *c)
{
    if (c == NULL || OPARI_LOAD(&c->ticks) == 0)
        return;
    rec_unsigned("{\"path\":", path);
    rec_unsigned(",\"thread\":", r->number);
    rec_unsigned(",\"chunks\":", OPARI_LOAD(&c->chunks));
    rec_unsigned(",\"iterations\":", OPARI_LOAD(&c->iterations));
    rec_unsigned(",\"dispatch\":", rec_ns(OPARI_LOAD(&c->ticks)));
    rec_unsigned(",\"measuring\":", rec_ns(OPARI_LOAD(&c->own)));
    rec_text("}\n");
}
