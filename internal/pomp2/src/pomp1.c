/* pomp1.c: POMP2's calls by those of a library for OPARI 1.x. A handle is the library's descriptor.
 * POMP 1 has no tasks, and no ordered.
 */

/* OPARI 1 writes the table, so it is complete before the program starts. */
static void pomp1_assign(pomp2_handle *h)
{
    const struct ompregdescr *d =
        (const struct ompregdescr *)(const void *)((const char *)h -
                                                   offsetof(struct ompregdescr, data));
    const int user = d->kind == POMP_KIND_REGION,
              alone = d->kind == POMP_KIND_BARRIER || d->kind == POMP_KIND_FLUSH;
    struct pomp1_region *r = (struct pomp1_region *)calloc(1, sizeof *r);
    if (r == NULL)
        return;
    r->name = user ? "region" : pomp2_type(d);
    r->sub_name = user || d->kind == POMP_KIND_CRITICAL ? pomp2_text(d->sub_name) : "";
    r->num_sections = d->num_sections;
    r->file_name = pomp2_text(d->file_name);
    r->begin_first_line = d->begin_first_line;
    r->begin_last_line = d->begin_last_line;
    r->end_first_line = alone ? 0 : d->end_first_line;
    r->end_last_line = alone ? 0 : d->end_last_line;
    const int id = __atomic_fetch_add(&POMP_MAX_ID, 1, __ATOMIC_RELAXED);
    if (id <= POMP1_REGIONS)
        pomp_rd_table[id] = r;
    *h = r;
}

#define POMP1_UNUSED __attribute__((__unused__))
static void POMP2_Assign_handle(pomp2_handle *h, const char *ctc)
{
    (void)ctc;
    pomp1_assign(h);
}
static void POMP2_USER_Assign_handle(pomp2_handle *h, const char *ctc)
{
    (void)ctc;
    pomp1_assign(h);
}
static POMP1_UNUSED size_t POMP2_Get_num_regions(void);
static POMP1_UNUSED size_t POMP2_USER_Get_num_regions(void);
static POMP1_UNUSED void POMP2_Init_regions(void);
static POMP1_UNUSED void POMP2_USER_Init_regions(void);
static POMP1_UNUSED const char *POMP2_Get_opari2_version(void);

/* With a string, as the first call of a region has; the library has the descriptor. */
#define POMP1_FIRST(from, to) \
    static POMP1_UNUSED void POMP2_##from(pomp2_handle *h, const char *ctc) \
    { \
        (void)ctc; \
        if (*h != NULL) \
            POMP1_##to((struct pomp1_region *)*h); \
    }
#define POMP1_NEXT(from, to) \
    static POMP1_UNUSED void POMP2_##from(pomp2_handle *h) \
    { \
        if (*h != NULL) \
            POMP1_##to((struct pomp1_region *)*h); \
    }
#define POMP1_AROUND(name) \
    POMP1_FIRST(name##_enter, name##_enter) \
    POMP1_NEXT(name##_exit, name##_exit)
#define POMP1_BLOCK(name) \
    POMP1_NEXT(name##_begin, name##_begin) \
    POMP1_NEXT(name##_end, name##_end)
POMP1_AROUND(Atomic)
POMP1_AROUND(Flush)
POMP1_AROUND(For)
POMP1_AROUND(Sections)
POMP1_AROUND(Workshare)
POMP1_AROUND(Critical)
POMP1_BLOCK(Critical)
POMP1_AROUND(Single)
POMP1_BLOCK(Single)
POMP1_FIRST(Master_begin, Master_begin)
POMP1_NEXT(Master_end, Master_end)
POMP1_FIRST(Section_begin, Section_begin)
POMP1_NEXT(Section_end, Section_end)
POMP1_BLOCK(Parallel)
POMP1_FIRST(Begin, Begin)
POMP1_NEXT(End, End)
#define POMP2_Init POMP1_Init
#define POMP2_Finalize POMP1_Finalize
#define POMP2_On POMP1_On
#define POMP2_Off POMP1_Off

static void POMP2_Barrier_enter(pomp2_handle *h, pomp2_task *old, const char *ctc)
{
    (void)old, (void)ctc;
    if (*h != NULL)
        POMP1_Barrier_enter((struct pomp1_region *)*h);
}
static void POMP2_Barrier_exit(pomp2_handle *h, pomp2_task old)
{
    (void)old;
    if (*h != NULL)
        POMP1_Barrier_exit((struct pomp1_region *)*h);
}
#define POMP2_Implicit_barrier_enter(h, old) POMP2_Barrier_enter(h, old, NULL)
#define POMP2_Implicit_barrier_exit POMP2_Barrier_exit

static void POMP2_Parallel_fork(pomp2_handle *h, int if_value, int num_threads, pomp2_task *old,
                                const char *ctc)
{
    (void)if_value, (void)num_threads, (void)old, (void)ctc;
    if (*h != NULL)
        POMP1_Parallel_fork((struct pomp1_region *)*h);
}
static void POMP2_Parallel_join(pomp2_handle *h, pomp2_task old)
{
    (void)old;
    if (*h != NULL)
        POMP1_Parallel_join((struct pomp1_region *)*h);
}

/* No region has a type that leads to these. */
#define POMP1_SILENT(parameters, name, ...) \
    static POMP1_UNUSED void POMP2_##name parameters { __VA_ARGS__; }
POMP1_SILENT((pomp2_handle * h, const char *ctc), Ordered_enter, (void)h, (void)ctc)
POMP1_SILENT((pomp2_handle * h), Ordered_begin, (void)h)
POMP1_SILENT((pomp2_handle * h), Ordered_end, (void)h)
POMP1_SILENT((pomp2_handle * h), Ordered_exit, (void)h)
POMP1_SILENT((pomp2_handle * h, pomp2_task *old, const char *ctc), Taskwait_begin, (void)h,
             (void)old, (void)ctc)
POMP1_SILENT((pomp2_handle * h, pomp2_task old), Taskwait_end, (void)h, (void)old)
POMP1_SILENT((pomp2_handle * h, pomp2_task *made, pomp2_task *old, int if_value, const char *ctc),
             Task_create_begin, (void)h, (void)made, (void)old, (void)if_value, (void)ctc)
POMP1_SILENT((pomp2_handle * h, pomp2_task old), Task_create_end, (void)h, (void)old)
POMP1_SILENT((pomp2_handle * h, pomp2_task task), Task_begin, (void)h, (void)task)
POMP1_SILENT((pomp2_handle * h), Task_end, (void)h)
#define POMP2_Untied_task_create_begin POMP2_Task_create_begin
#define POMP2_Untied_task_create_end POMP2_Task_create_end
#define POMP2_Untied_task_begin POMP2_Task_begin
#define POMP2_Untied_task_end POMP2_Task_end

#define POMP1_X(name) \
    static POMP1_UNUSED void POMP2_##name(void *lock) { POMP1_##name(lock); }
FOREACH_POMP1_LOCK(POMP1_X)
#undef POMP1_X
#define POMP2_Test_lock POMP1_Test_lock
#define POMP2_Test_nest_lock POMP1_Test_nest_lock
