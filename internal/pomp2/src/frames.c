/* frames.c: what is open on a thread.
 *
 * At some calls the library gives the task that the thread leaves, and gets it back at their
 * counterparts. OPARI2 keeps it in variables of the program. Here each thread has a stack of what
 * it has begun, because begins and ends nest on a thread. It also shows what a cancelled construct
 * has left open. That is closed with what is around it.
 */
#define POMP2_TPDS 2 /* of pomp_tpd, which has one name for C and one for Fortran */

typedef void (*pomp2_end)(pomp2_handle *h);
typedef void (*pomp2_resume)(pomp2_handle *h, pomp2_task old);

/* Either end or resume closes it. */
struct pomp2_frame {
    struct pomp2_frame *below;
    const struct ompregdescr *region;
    pomp2_end end;
    pomp2_resume resume;
    pomp2_task old;
    int64_t tpd[POMP2_TPDS];
};

static __thread struct pomp2_frame *pomp2_top, *pomp2_unused;

static pomp2_handle *pomp2_handle_of(const struct ompregdescr *d)
{
    return &((struct ompregdescr *)d->data[2])->data[0];
}

static const char *pomp2_ctc_of(const struct ompregdescr *d)
{
    return (const char *)((const struct ompregdescr *)d->data[2])->data[1];
}

/* Returns whether the library hears of the region. */
static int pomp2_hears(const struct ompregdescr *d)
{
    return d != NULL && __atomic_load_n(&d->data[2], __ATOMIC_ACQUIRE) != NULL;
}

/* Returns a new top, or null if there is no memory. */
static struct pomp2_frame *pomp2_push(const struct ompregdescr *d, pomp2_end end,
                                      pomp2_resume resume)
{
    struct pomp2_frame *f = pomp2_unused;
    if (f != NULL)
        pomp2_unused = f->below;
    else
        f = (struct pomp2_frame *)malloc(sizeof *f);
    if (f == NULL)
        return NULL;
    f->below = pomp2_top;
    f->region = d;
    f->end = end;
    f->resume = resume;
    f->old = 0;
    pomp2_top = f;
    return f;
}

static void pomp2_drop(void)
{
    struct pomp2_frame *f = pomp2_top;
    pomp2_top = f->below;
    f->below = pomp2_unused;
    pomp2_unused = f;
}

/* clang may continue an untied task on another thread, so nothing below its frame is looked for,
 * and nobody knows whether it has ended. */
static int pomp2_may_move(const struct pomp2_frame *f)
{
    return f->region->kind == POMP_KIND_TASK && (f->region->facts & POMP_HAS_UNTIED) != 0 &&
           f->end != NULL;
}

/* Closes what is above a frame. */
static void pomp2_close_above(const struct pomp2_frame *f)
{
    while (pomp2_top != f) {
        const struct pomp2_frame *top = pomp2_top;
        pomp2_drop();
        if (pomp2_may_move(top))
            continue;
        if (top->end != NULL)
            top->end(pomp2_handle_of(top->region));
        else
            top->resume(pomp2_handle_of(top->region), top->old);
    }
}

/* Takes the region's frame off, and closes what is above it. Returns null if there is none. The
 * frame is valid until the next push. */
static const struct pomp2_frame *pomp2_pop(const struct ompregdescr *d, pomp2_end end,
                                           pomp2_resume resume)
{
    struct pomp2_frame *f = pomp2_top;
    while (f != NULL && (f->region != d || f->end != end || f->resume != resume))
        f = pomp2_may_move(f) ? NULL : f->below;
    if (f == NULL)
        return NULL;
    pomp2_close_above(f);
    pomp2_drop();
    return f;
}

/* Closes what is open inside a construct that has come to its barrier. */
static void pomp2_close_inside(const struct ompregdescr *d)
{
    struct pomp2_frame *f = pomp2_top;
    while (f != NULL && f->region != d)
        f = pomp2_may_move(f) ? NULL : f->below;
    if (f != NULL)
        pomp2_close_above(f);
}
