/* tool.c: the trace recorder as a tool: its threads, fork and the end. */
#include "trace.h"

#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Returns a record for a thread that has none; null without memory. */
static OPARI_COLD struct trc_thread *trc_thread_new(void)
{
    pthread_mutex_lock(&trc_files.lock);
    struct trc_thread *r = trc_files.free;
    if (r != NULL) {
        trc_files.free = r->next_free;
    } else {
        r = mmap(NULL, TRC_CHUNK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (r == MAP_FAILED) {
            r = NULL;
        } else {
            r->magic = TRC_MAGIC;
            r->self = (uint64_t)(uintptr_t)r;
            r->number = trc_files.all != NULL ? trc_files.all->number + 1 : 0;
            r->next = trc_files.all;
            trc_files.all = r;
            trc_rebase(r, r->first = rec_now());
        }
    }
    pthread_mutex_unlock(&trc_files.lock);
    return r;
}

static OPARI_COLD void trc_pair(void)
{
    (void)trc_put(TRC_WAIT << 1);
    (void)trc_put(TRC_WAIT << 1 | 1);
}

/* Measures the cost of an event on the process's first thread, before that has a file, and then
 * takes its records back. A forked child inherits the result. */
static OPARI_COLD void trc_measure_cost(struct trc_thread *r)
{
    static int measured;
    if (r->process != 0 || __atomic_exchange_n(&measured, 1, __ATOMIC_RELAXED))
        return;
    r->limit = TRC_WORDS;
    rec_calibrate(&r->regions, (uintptr_t)1 << TRC_OP_BITS, trc_pair);
    memset(r->record, 0, r->used * sizeof r->record[0]);
    r->used = r->limit = 0;
}
_Static_assert(REC_BATCHES *REC_BATCH < TRC_WORDS, "the records are in one chunk");

static void trc_on_thread_begin(ompt_thread_t type, ompt_data_t *thread_data)
{
    struct trc_thread *r = trc_thread_new();
    thread_data->ptr = r;
    trc_self = r;
    trc_fast = r != NULL && rec_clock.tsc && trc.minimum == 0 ? r : &trc_none.thread;
    if (r == NULL)
        return;
    r->regions = trc.get_region();
    r->locking = 0;
    trc_measure_cost(r);
    trc_store(r, (uint64_t)syscall(SYS_gettid) << TRC_OP_BITS | TRC_DATA << 1);
    trc_put_other(r, (uint64_t)type << TRC_OP_BITS | TRC_THREAD << 1, rec_now());
}

static void trc_on_thread_end(ompt_data_t *thread_data)
{
    struct trc_thread *r = thread_data->ptr;
    trc_self = NULL;
    trc_fast = &trc_none.thread;
    if (r == NULL)
        return;
    trc_put_other(r, TRC_THREAD << 1 | 1, rec_now());
    pthread_mutex_lock(&trc_files.lock);
    r->next_free = trc_files.free;
    trc_files.free = r;
    pthread_mutex_unlock(&trc_files.lock);
}

/* In the child the calling thread is the only one and has number 0. Its first event makes new
 * files. It replaces the memory that it shares with the parent, at the same address, because the
 * program's data point there. */
static OPARI_COLD void trc_child_process(void)
{
    struct trc_thread *self = trc_self;
    trc.process++;
    rec_left_out_in_child();
    trc_files.all = self;
    trc_files.free = NULL;
    trc_files.meta = &trc_no_meta;
    memset(&trc_no_meta, 0, sizeof trc_no_meta);
    if (self == NULL)
        return;
    struct trc_thread header;
    memcpy(&header, self, TRC_HEADER);
    if (mmap(self, TRC_CHUNK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1,
             0) != self) {
        trc_self = trc_files.all = NULL;
        trc_fast = &trc_none.thread;
        return;
    }
    memcpy(self, &header, TRC_HEADER);
    self->sequence = self->used = self->limit = 0;
    self->number = self->process = 0;
    self->next = NULL;
    trc_rebase(self, self->first = rec_now());
}

/* The process ends in order, or the program asks for it. */
static OPARI_COLD void trc_finish(void)
{
    struct trc_meta *meta = trc_files.meta;
    pthread_mutex_lock(&trc_files.lock);
    for (struct trc_thread *r = trc_files.all; r != NULL; r = r->next)
        if (r->dead) /* once, because the program may end the measurement and then itself */
            meta->lost += __atomic_exchange_n(&r->used, 0, __ATOMIC_ACQ_REL);
    rec_clock_stop();
    meta->end_ticks = rec_now();
    meta->end_ns = rec_clock_ns();
    pthread_mutex_unlock(&trc_files.lock);
}

static OPARI_COLD void trc_on_control(opari_control_t what)
{
    switch (what) {
    case opari_control_prepare:
        pthread_mutex_lock(&trc_files.lock);
        pthread_mutex_lock(&rec_out.lock);
        break;
    case opari_control_child:
        trc_child_process();
        pthread_mutex_init(&rec_out.lock, NULL); /* as in the profile recorder */
        pthread_mutex_unlock(&trc_files.lock);
        break;
    case opari_control_parent:
        pthread_mutex_unlock(&rec_out.lock);
        pthread_mutex_unlock(&trc_files.lock);
        break;
    case opari_control_flush: trc_finish(); break;
    }
}

static OPARI_COLD int trc_initialize(ompt_function_lookup_t lookup, int device,
                                     ompt_data_t *tool_data)
{
    static const struct {
        int event;
        ompt_callback_t callback;
    } callbacks[] = {
        {ompt_callback_thread_begin, (ompt_callback_t)trc_on_thread_begin},
        {ompt_callback_thread_end, (ompt_callback_t)trc_on_thread_end},
        {ompt_callback_parallel_begin, (ompt_callback_t)trc_on_parallel_begin},
        {ompt_callback_parallel_end, (ompt_callback_t)trc_on_parallel_end},
        {ompt_callback_implicit_task, (ompt_callback_t)trc_on_implicit_task},
        {ompt_callback_task_create, (ompt_callback_t)trc_on_task_create},
        {opari_callback_created, (ompt_callback_t)trc_on_created},
        {ompt_callback_task_schedule, (ompt_callback_t)trc_on_schedule},
        {ompt_callback_work, (ompt_callback_t)trc_on_work},
        {ompt_callback_masked, (ompt_callback_t)trc_on_masked},
        {ompt_callback_sync_region_wait, (ompt_callback_t)trc_on_sync_wait},
        {ompt_callback_mutex_acquire, (ompt_callback_t)trc_on_acquire},
        {ompt_callback_mutex_acquired, (ompt_callback_t)trc_on_acquired},
        {ompt_callback_mutex_released, (ompt_callback_t)trc_on_released},
        {ompt_callback_nest_lock, (ompt_callback_t)trc_on_nest_lock},
        {opari_callback_region, (ompt_callback_t)trc_on_region},
        {opari_callback_control, (ompt_callback_t)trc_on_control},
    };
    ompt_set_callback_t set = (ompt_set_callback_t)lookup("ompt_set_callback");
    trc.get_region = (opari_get_region_t)lookup("opari_get_region");
    (void)device, (void)tool_data;
    if (set == NULL || trc.get_region == NULL || trc_files.directory == 0)
        return 0;
    for (size_t i = 0; i < sizeof callbacks / sizeof callbacks[0]; i++)
        (void)set((ompt_callbacks_t)callbacks[i].event, callbacks[i].callback);
    if (trc.numbers) {
        (void)set(ompt_callback_task_create, (ompt_callback_t)trc_on_task_create_numbered);
        (void)set(ompt_callback_task_schedule, (ompt_callback_t)trc_on_schedule_numbered);
    }
    return 1;
}

static void trc_finalize(ompt_data_t *tool_data)
{
    (void)tool_data;
    trc_finish();
}

static ompt_start_tool_result_t *trc_start_tool(unsigned omp_version, const char *runtime_version)
{
    static ompt_start_tool_result_t result = {trc_initialize, trc_finalize, {0}};
    (void)omp_version, (void)runtime_version;
    return &result;
}
