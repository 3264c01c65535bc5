/* tool.c: the profile recorder as a tool: initialize, fork, finalize. */
#include "profile.h"

#include <pthread.h>
#include <stddef.h>
#include <string.h>

static int rec_forked; /* this is a forked child, which writes a profile only if it has met a
                          region */

static void rec_write(void)
{
    struct rec_thread *all = OPARI_ACQUIRE(&rec_threads.all);
    if (rec_out.prefix[0] != 0 && (!rec_forked || rec_any(all)))
        rec_write_profile(all);
}

/* Forgets what a thread has recorded. Its open regions go on as if they began now. */
static void rec_thread_restart(struct rec_thread *r, int open)
{
    for (struct rec_page *page = r->pages; page != NULL; page = page->next)
        for (size_t i = 0; i < page->used; i++) {
            memset(&page->node[i], 0, offsetof(struct rec_node, key));
            if (page->node[i].device != NULL)
                memset(page->node[i].device, 0, sizeof *page->node[i].device);
            if (page->node[i].chunks != NULL)
                memset(page->node[i].chunks, 0, sizeof *page->node[i].chunks);
        }
    memset(&r->unknown, 0, offsetof(struct rec_node, key));
    r->lost = 0;
    r->holds = 0;
    if (!open) {
        r->top = r->stack;
        return;
    }
    r->last = rec_now();
    for (struct rec_frame *f = r->stack + 1; f <= r->top; f++) {
        f->start = r->last;
        f->child = f->own = f->busy = 0;
        f->mid = f->mid != 0 ? r->last : 0;
        if (f->type != REC_WAIT && f->type != REC_BODY &&
            !(f->type == REC_TEAM && (f->master || f->mid != 0)))
            f->node->active++;
    }
}

/* In the child the calling thread is the only one, and becomes number 0. */
static void rec_child_process(void)
{
    struct rec_thread *self = rec_self;
    rec_forked = 1;
    rec_left_out_in_child();
    pthread_mutex_init(&rec_out.lock,
                       NULL); /* a thread of the parent may have held it while ending the process */
    rec_clock_start();
    rec_threads.free = NULL;
    for (struct rec_thread *r = rec_threads.all; r != NULL; r = r->next) {
        rec_thread_restart(r, r == self);
        if (self != NULL && r->number == 0 && r != self) {
            r->number = self->number;
            self->number = 0;
        }
        if (r != self) {
            r->next_free = rec_threads.free;
            rec_threads.free = r;
        }
    }
}

static OPARI_COLD void rec_on_control(opari_control_t what)
{
    switch (what) {
    case opari_control_prepare:
        pthread_mutex_lock(&rec_threads.lock);
        pthread_mutex_lock(&rec_regions.lock);
        break;
    case opari_control_child:
        rec_child_process();
        /* fall through */
    case opari_control_parent:
        pthread_mutex_unlock(&rec_regions.lock);
        pthread_mutex_unlock(&rec_threads.lock);
        break;
    case opari_control_flush: rec_write(); break;
    }
}

static int rec_initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *tool_data)
{
    static const struct {
        int event;
        ompt_callback_t callback;
    } callbacks[] = {
        {ompt_callback_thread_begin, (ompt_callback_t)rec_on_thread_begin},
        {ompt_callback_thread_end, (ompt_callback_t)rec_on_thread_end},
        {ompt_callback_parallel_begin, (ompt_callback_t)rec_on_parallel_begin},
        {ompt_callback_parallel_end, (ompt_callback_t)rec_on_parallel_end},
        {ompt_callback_implicit_task, (ompt_callback_t)rec_on_implicit_task},
        {ompt_callback_task_schedule, (ompt_callback_t)rec_on_schedule},
        {ompt_callback_work, (ompt_callback_t)rec_on_work},
        {ompt_callback_masked, (ompt_callback_t)rec_on_masked},
        {ompt_callback_sync_region_wait, (ompt_callback_t)rec_on_sync_wait},
        {ompt_callback_mutex_acquire, (ompt_callback_t)rec_on_acquire},
        {ompt_callback_mutex_acquired, (ompt_callback_t)rec_on_acquired},
        {ompt_callback_mutex_released, (ompt_callback_t)rec_on_released},
        {ompt_callback_nest_lock, (ompt_callback_t)rec_on_nest_lock},
        {ompt_callback_lock_init, (ompt_callback_t)rec_on_lock_init},
        {ompt_callback_lock_destroy, (ompt_callback_t)rec_on_lock_destroy},
        {ompt_callback_target_submit_emi, (ompt_callback_t)rec_on_submit},
        {ompt_callback_target_data_op_emi, (ompt_callback_t)rec_on_data_op},
        {opari_callback_region, (ompt_callback_t)rec_on_region},
        {opari_callback_unload, (ompt_callback_t)rec_unload},
        {opari_callback_control, (ompt_callback_t)rec_on_control},
    };
    ompt_set_callback_t set = (ompt_set_callback_t)lookup("ompt_set_callback");
    rec_threads.get_region = (opari_get_region_t)lookup("opari_get_region");
    (void)device, (void)tool_data;
    if (set == NULL || rec_threads.get_region == NULL)
        return 0;
    rec_clock_start();
    for (size_t i = 0; i < sizeof callbacks / sizeof callbacks[0]; i++)
        (void)set((ompt_callbacks_t)callbacks[i].event, callbacks[i].callback);
    return 1;
}

static void rec_finalize(ompt_data_t *tool_data)
{
    (void)tool_data;
    rec_write();
}

static ompt_start_tool_result_t *rec_start_tool(unsigned omp_version, const char *runtime_version)
{
    static ompt_start_tool_result_t result = {rec_initialize, rec_finalize, {0}};
    (void)omp_version, (void)runtime_version;
    return &result;
}
