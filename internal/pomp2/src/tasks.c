/* tasks.c: the calls that carry tasks of POMP2; the frames keep those that the thread leaves. */

/* Enters a barrier of its own, or that of a construct, which is over then. */
void POMP_Barrier_enter(struct ompregdescr *d)
{
    if (!pomp2_hears(d))
        return;
    const int own = d->kind == POMP_KIND_BARRIER;
    if (!own)
        pomp2_close_inside(d);
    struct pomp2_frame *f =
        pomp2_push(d, NULL, own ? POMP2_Barrier_exit : POMP2_Implicit_barrier_exit);
    if (f != NULL && own)
        POMP2_Barrier_enter(pomp2_handle_of(d), &f->old, pomp2_ctc_of(d));
    else if (f != NULL)
        POMP2_Implicit_barrier_enter(pomp2_handle_of(d), &f->old);
}

/* Makes the call that takes a task back. It needs the task, so it is left out with its counterpart.
 */
static void pomp2_go_on(const struct ompregdescr *d, pomp2_resume resume)
{
    const struct pomp2_frame *f = pomp2_hears(d) ? pomp2_pop(d, NULL, resume) : NULL;
    if (f != NULL)
        resume(pomp2_handle_of(d), f->old);
}

void POMP_Barrier_exit(struct ompregdescr *d)
{
    pomp2_go_on(d, d != NULL && d->kind == POMP_KIND_BARRIER ? POMP2_Barrier_exit
                                                             : POMP2_Implicit_barrier_exit);
}

void POMP_Taskwait_enter(struct ompregdescr *d)
{
    struct pomp2_frame *f = pomp2_hears(d) ? pomp2_push(d, NULL, POMP2_Taskwait_end) : NULL;
    if (f != NULL)
        POMP2_Taskwait_begin(pomp2_handle_of(d), &f->old, pomp2_ctc_of(d));
}

void POMP_Taskwait_exit(struct ompregdescr *d) { pomp2_go_on(d, POMP2_Taskwait_end); }

/* A taskgroup waits after its block. A taskloop makes its tasks meanwhile. */
void POMP_Taskgroup_end(struct ompregdescr *d) { POMP_Taskwait_enter(d); }
void POMP_Taskgroup_exit(struct ompregdescr *d) { POMP_Taskwait_exit(d); }
void POMP_Taskloop_enter(struct ompregdescr *d) { POMP_Taskwait_enter(d); }
void POMP_Taskloop_exit(struct ompregdescr *d) { POMP_Taskwait_exit(d); }

/* The library's pomp_tpd, which a team's threads inherit as by copyin. */
#define POMP2_X(number, variable) extern __thread int64_t variable;
#ifdef __cplusplus
extern "C" {
#endif
FOREACH_POMP2_TPD(POMP2_X)
#ifdef __cplusplus
}
#endif
#undef POMP2_X

static int pomp2_threads(int num_threads)
{
    return num_threads > 0 ? num_threads : omp_get_max_threads != NULL ? omp_get_max_threads() : 1;
}

/* The handle of an instance is the frame of the thread that forks it. */
void *POMP_Parallel_fork(struct ompregdescr *d, int if_value, int num_threads)
{
    struct pomp2_frame *f = pomp2_hears(d) ? pomp2_push(d, NULL, POMP2_Parallel_join) : NULL;
    if (f == NULL)
        return NULL;
    POMP2_Parallel_fork(pomp2_handle_of(d), if_value, pomp2_threads(num_threads), &f->old,
                        pomp2_ctc_of(d));
#define POMP2_X(number, variable) f->tpd[number] = variable;
    FOREACH_POMP2_TPD(POMP2_X)
#undef POMP2_X
    return f;
}

/* A thread that has not forked the region has been in no region. What is open on it, a cancelled
 * region has left there. */
void POMP_Parallel_begin(struct ompregdescr *d, void *handle)
{
    const struct pomp2_frame *f = (const struct pomp2_frame *)handle, *top = pomp2_top;
    if (top == NULL || top->region != d || top->resume != POMP2_Parallel_join)
        pomp2_close_above(NULL);
    (void)f;
#define POMP2_X(number, variable) variable = f->tpd[number];
    FOREACH_POMP2_TPD(POMP2_X)
#undef POMP2_X
    (void)pomp2_push(d, POMP2_Parallel_end, NULL);
    POMP2_Parallel_begin(pomp2_handle_of(d));
}

void POMP_Parallel_end(struct ompregdescr *d, void *handle)
{
    (void)handle;
    (void)pomp2_pop(d, POMP2_Parallel_end, NULL);
    POMP2_Parallel_end(pomp2_handle_of(d));
}

void POMP_Parallel_join(struct ompregdescr *d, void *handle)
{
    (void)handle;
    pomp2_go_on(d, POMP2_Parallel_join);
}

/* A task's handle is twice the library's number plus one. A number for which that is too much has
 * memory of its own, which the task's end frees. */
static void *pomp2_wrap(pomp2_task task)
{
    const uint64_t bits = (uint64_t)task << 1;
    if ((bits >> 1) == (uint64_t)task && (uintptr_t)bits == bits)
        return (void *)((uintptr_t)bits | 1);
    pomp2_task *kept = (pomp2_task *)malloc(sizeof task);
    if (kept != NULL)
        *kept = task;
    return kept;
}

static pomp2_task pomp2_unwrap(const void *handle)
{
    const uintptr_t bits = (uintptr_t)handle;
    return (bits & 1) != 0 ? (pomp2_task)(bits >> 1) : *(const pomp2_task *)handle;
}

static int pomp2_is_untied(const struct ompregdescr *d)
{
    return (d->facts & POMP_HAS_UNTIED) != 0;
}

static pomp2_resume pomp2_created_by(const struct ompregdescr *d)
{
    return pomp2_is_untied(d) ? POMP2_Untied_task_create_end : POMP2_Task_create_end;
}

static pomp2_end pomp2_ended_by(const struct ompregdescr *d)
{
    return pomp2_is_untied(d) ? POMP2_Untied_task_end : POMP2_Task_end;
}

/* Announces a task. Returns whether it has one, whose number it stores. */
static int pomp2_create(const struct ompregdescr *d, int if_value, pomp2_task *made)
{
    struct pomp2_frame *f = pomp2_hears(d) ? pomp2_push(d, NULL, pomp2_created_by(d)) : NULL;
    *made = 0;
    if (f == NULL)
        return 0;
    (pomp2_is_untied(d) ? POMP2_Untied_task_create_begin : POMP2_Task_create_begin)(
        pomp2_handle_of(d), made, &f->old, if_value, pomp2_ctc_of(d));
    return 1;
}

static void pomp2_created(const struct ompregdescr *d) { pomp2_go_on(d, pomp2_created_by(d)); }

static void pomp2_task_begin(const struct ompregdescr *d, pomp2_task task)
{
    (void)pomp2_push(d, pomp2_ended_by(d), NULL);
    (pomp2_is_untied(d) ? POMP2_Untied_task_begin : POMP2_Task_begin)(pomp2_handle_of(d), task);
}

static void pomp2_task_end(const struct ompregdescr *d)
{
    (void)pomp2_pop(d, pomp2_ended_by(d), NULL);
    pomp2_ended_by(d)(pomp2_handle_of(d));
}

/* As with OPARI2, a task whose if clause is false is part of the task around it. */
void *POMP_Task_create_begin(struct ompregdescr *d, int if_value)
{
    pomp2_task made;
    if (if_value == 0 || !pomp2_create(d, if_value, &made))
        return NULL;
    void *handle = pomp2_wrap(made);
    if (handle == NULL)
        pomp2_created(d);
    return handle;
}

void POMP_Task_begin(struct ompregdescr *d, void *handle)
{
    pomp2_task_begin(d, pomp2_unwrap(handle));
}

void POMP_Task_end(struct ompregdescr *d, void *handle)
{
    pomp2_task_end(d);
    if (((uintptr_t)handle & 1) == 0)
        free(handle);
}

void POMP_Task_create_end(struct ompregdescr *d, void *handle)
{
    (void)handle;
    pomp2_created(d);
}

/* A unit refers to the merged and the detailed calls, too, but makes none of them. */
struct pomp_made POMP_Task_create(struct ompregdescr *d, int if_value)
{
    struct pomp_made made = {POMP_Task_create_begin(d, if_value), NULL};
    return made;
}
void POMP_Single_only_begin(struct ompregdescr *d) { (void)d; }
void POMP_Single_only_end(struct ompregdescr *d) { (void)d; }
void POMP_Single_other(struct ompregdescr *d) { (void)d; }
void POMP_Counted_enter(struct ompregdescr *d, unsigned long iterations)
{
    (void)d, (void)iterations;
}
void POMP_Iterations(struct ompregdescr *d, unsigned long iterations) { (void)d, (void)iterations; }
void POMP_Final(struct ompregdescr *d, int final_value) { (void)d, (void)final_value; }
