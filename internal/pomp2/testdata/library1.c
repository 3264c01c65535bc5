/* A measurement library for OPARI 1.x that prints its calls. With -DLOWER it spells them as
 * Debian's OPARI 1.1. Each descriptor must be in the table, and calls must nest. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct ompregdescr {
    char *name, *sub_name;
    int num_sections;
    char *file_name;
    int begin_first_line, begin_last_line, end_first_line, end_last_line;
    void *data;
    struct ompregdescr *next;
};
extern int POMP_MAX_ID;
extern struct ompregdescr *pomp_rd_table[];

static __thread struct ompregdescr *open[100];
static __thread int depth;

static void started(void)
{
    static int done;
    if (__atomic_exchange_n(&done, 1, __ATOMIC_RELAXED))
        return;
    for (int i = 0; i < POMP_MAX_ID; i++)
        if (pomp_rd_table[i] != NULL)
            pomp_rd_table[i]->data = pomp_rd_table[i];
}

/* how: 1 opens, -1 closes. */
static void heard(const char *call, struct ompregdescr *r, int how)
{
    started();
    if (r == NULL || r->data != r) {
        fprintf(stderr, "%s: not in the table\n", call);
        abort();
    }
    if (how > 0)
        open[depth++] = r;
    else if (depth < 1 || open[--depth] != r) {
        fprintf(stderr, "%s of %s: does not nest\n", call, r->name);
        abort();
    }
    const char *file = strrchr(r->file_name, '/');
    printf("%d: %s %s %s %d %s %d-%d %d-%d\n", omp_get_thread_num(), call, r->name, r->sub_name,
           r->num_sections, file != NULL ? file + 1 : r->file_name, r->begin_first_line,
           r->begin_last_line, r->end_first_line, r->end_last_line);
}

#ifdef LOWER
#define CALL(Upper, lower) pomp_##lower
#else
#define CALL(Upper, lower) POMP_##Upper
#endif
#define EVENT(Upper, lower, how) \
    void CALL(Upper, lower)(struct ompregdescr * r) { heard(#lower, r, how); }
EVENT(Atomic_enter, atomic_enter, 1)
EVENT(Atomic_exit, atomic_exit, -1)
EVENT(Barrier_enter, barrier_enter, 1)
EVENT(Barrier_exit, barrier_exit, -1)
EVENT(Critical_begin, critical_begin, 1)
EVENT(Critical_end, critical_end, -1)
EVENT(Critical_enter, critical_enter, 1)
EVENT(Critical_exit, critical_exit, -1)
EVENT(Flush_enter, flush_enter, 1)
EVENT(Flush_exit, flush_exit, -1)
EVENT(For_enter, for_enter, 1)
EVENT(For_exit, for_exit, -1)
EVENT(Master_begin, master_begin, 1)
EVENT(Master_end, master_end, -1)
EVENT(Parallel_begin, parallel_begin, 1)
EVENT(Parallel_end, parallel_end, -1)
EVENT(Parallel_fork, parallel_fork, 1)
EVENT(Parallel_join, parallel_join, -1)
EVENT(Section_begin, section_begin, 1)
EVENT(Section_end, section_end, -1)
EVENT(Sections_enter, sections_enter, 1)
EVENT(Sections_exit, sections_exit, -1)
EVENT(Single_begin, single_begin, 1)
EVENT(Single_end, single_end, -1)
EVENT(Single_enter, single_enter, 1)
EVENT(Single_exit, single_exit, -1)
EVENT(Workshare_enter, workshare_enter, 1)
EVENT(Workshare_exit, workshare_exit, -1)
EVENT(Begin, begin, 1)
EVENT(End, end, -1)
void CALL(Init, init)(void) { started(); }
void CALL(Finalize, finalize)(void) {}
void CALL(On, on)(void) {}
void CALL(Off, off)(void) {}

#define LOCK(type, Upper, lower) \
    void CALL(Upper, lower)(type * s) \
    { \
        printf("%d: %s\n", omp_get_thread_num(), #lower); \
        omp_##lower(s); \
    }
#define LOCKS(kind, type) \
    LOCK(type, Init_##kind, init_##kind) \
    LOCK(type, Destroy_##kind, destroy_##kind) \
    LOCK(type, Set_##kind, set_##kind) \
    LOCK(type, Unset_##kind, unset_##kind) \
    int CALL(Test_##kind, test_##kind)(type * s) { return omp_test_##kind(s); }
LOCKS(lock, omp_lock_t)
LOCKS(nest_lock, omp_nest_lock_t)
