/* events.c: the calls of constructs without a task of their own.
 *
 * A unit that sees POMP_ACTIVE alone merges no calls, so each event of POMP2 has a call.
 */
/* A call of POMP that is one of POMP2, with the region's string and without. */
#define POMP2_FIRST(from, to) \
    void POMP_##from(struct ompregdescr *d) \
    { \
        if (pomp2_hears(d)) \
            POMP2_##to(pomp2_handle_of(d), pomp2_ctc_of(d)); \
    }
#define POMP2_NEXT(from, to) \
    void POMP_##from(struct ompregdescr *d) \
    { \
        if (pomp2_hears(d)) \
            POMP2_##to(pomp2_handle_of(d)); \
    }
#define POMP2_PLAIN(from, to) \
    POMP2_FIRST(from##_enter, to##_enter) \
    POMP2_NEXT(from##_exit, to##_exit)

/* The same for what may have something inside; close is the counterpart. */
#define POMP2_OPENS(from, to, close) \
    void POMP_##from(struct ompregdescr *d) \
    { \
        if (!pomp2_hears(d)) \
            return; \
        (void)pomp2_push(d, POMP2_##close, NULL); \
        POMP2_##to(pomp2_handle_of(d), pomp2_ctc_of(d)); \
    }
#define POMP2_OPENS_INSIDE(from, to, close) \
    void POMP_##from(struct ompregdescr *d) \
    { \
        if (!pomp2_hears(d)) \
            return; \
        (void)pomp2_push(d, POMP2_##close, NULL); \
        POMP2_##to(pomp2_handle_of(d)); \
    }
#define POMP2_CLOSES(from, to) \
    void POMP_##from(struct ompregdescr *d) \
    { \
        if (!pomp2_hears(d)) \
            return; \
        (void)pomp2_pop(d, POMP2_##to, NULL); \
        POMP2_##to(pomp2_handle_of(d)); \
    }
#define POMP2_AROUND(from, to) \
    POMP2_OPENS(from##_enter, to##_enter, to##_exit) \
    POMP2_CLOSES(from##_exit, to##_exit)
#define POMP2_IN_BLOCK(from, to) \
    POMP2_OPENS(from##_begin, to##_begin, to##_end) \
    POMP2_CLOSES(from##_end, to##_end)
#define POMP2_BOTH(from, to) \
    POMP2_AROUND(from, to) \
    POMP2_OPENS_INSIDE(from##_begin, to##_begin, to##_end) \
    POMP2_CLOSES(from##_end, to##_end)
#define POMP2_SILENT(from) \
    void POMP_##from(struct ompregdescr *d) { (void)d; }
#define POMP2_SILENT_PAIR(from) \
    POMP2_SILENT(from##_enter) \
    POMP2_SILENT(from##_exit)

POMP2_AROUND(For, For)
POMP2_AROUND(Do, For)
POMP2_AROUND(Loop, For)
POMP2_AROUND(Sections, Sections)
POMP2_AROUND(Workshare, Workshare)
POMP2_PLAIN(Atomic, Atomic)
POMP2_PLAIN(Flush, Flush)
POMP2_IN_BLOCK(Section, Section)
POMP2_IN_BLOCK(Master, Master)
POMP2_IN_BLOCK(Masked, Master)
POMP2_BOTH(Single, Single)
POMP2_BOTH(Critical, Critical)
POMP2_BOTH(Ordered, Ordered)
POMP2_AROUND(Scope, Workshare)
POMP2_SILENT(Scope_begin)
POMP2_SILENT(Scope_end)
POMP2_SILENT(Taskgroup_enter)
POMP2_SILENT(Taskgroup_begin)
POMP2_SILENT_PAIR(Taskyield)
POMP2_SILENT_PAIR(Teams)
POMP2_SILENT_PAIR(Distribute)
POMP2_SILENT_PAIR(Cancel)
POMP2_SILENT_PAIR(Cancellation_point)
POMP2_SILENT_PAIR(Target)
POMP2_SILENT_PAIR(Target_data)
POMP2_SILENT_PAIR(Target_enter_data)
POMP2_SILENT_PAIR(Target_exit_data)
POMP2_SILENT_PAIR(Target_update)
POMP2_SILENT_PAIR(Interop)
POMP2_SILENT_PAIR(Dispatch)

void POMP_Begin(struct ompregdescr *d, const void *user)
{
    (void)user;
    if (pomp2_hears(d))
        POMP2_Begin(pomp2_handle_of(d), pomp2_ctc_of(d));
}

void POMP_End(struct ompregdescr *d, const void *user)
{
    (void)user;
    if (pomp2_hears(d))
        POMP2_End(pomp2_handle_of(d));
}

void POMP_Function_begin(struct ompregdescr *d) { POMP_Begin(d, NULL); }
void POMP_Function_end(struct ompregdescr *d) { POMP_End(d, NULL); }

#define POMP2_CONTROL(name) \
    void POMP_##name(void) \
    { \
        if (POMP2_##name != NULL) \
            POMP2_##name(); \
    }
POMP2_CONTROL(Init)
POMP2_CONTROL(Finalize)
POMP2_CONTROL(On)
POMP2_CONTROL(Off)

/* Units know the region of a lock routine; POMP2 knows the lock alone. A hint is dropped. */
#define POMP2_X(name, routine, kind) \
    void POMP_##name(struct ompregdescr *d, void *lock) \
    { \
        (void)d; \
        POMP2_##name(lock); \
    }
FOREACH_POMP_LOCK(POMP2_X)
#undef POMP2_X
#define POMP2_X(name, routine, kind) \
    int POMP_##name(struct ompregdescr *d, void *lock) \
    { \
        (void)d; \
        return POMP2_##name(lock); \
    }
FOREACH_POMP_TEST_LOCK(POMP2_X)
#undef POMP2_X

void POMP_Init_lock_with_hint(struct ompregdescr *d, void *lock, int hint)
{
    (void)hint;
    POMP_Init_lock(d, lock);
}

void POMP_Init_nest_lock_with_hint(struct ompregdescr *d, void *lock, int hint)
{
    (void)hint;
    POMP_Init_nest_lock(d, lock);
}
