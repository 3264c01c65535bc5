/* target.c: what the profile knows of target regions beyond their time: kernels, and data
 * movements. This lies outside the node, because few nodes belong to such regions. */
#include "profile.h"

struct rec_device {
    uint64_t kernels, kernel; /* how many kernels, and their time */
    uint64_t to, from;        /* bytes to copy to devices and back */
    uint64_t in_place; /* how many of these bytes were not copied, because host and device share
                          storage */
    uint64_t moving;   /* time of copying the others */
    uint64_t moved;    /* the same in ns, for copies that were over before their event was raised */
    uint64_t since;    /* when the current kernel or copy began */
};

static struct rec_device *rec_device(struct rec_thread *r)
{
    struct rec_node *n = rec_node(r);
    struct rec_device *d = n->device;
    if (d == NULL && (d = opari_memory(sizeof *d)) != NULL)
        OPARI_RELEASE(&n->device, d);
    return d;
}

static OPARI_COLD void rec_on_submit(ompt_scope_endpoint_t at, ompt_data_t *target,
                                     ompt_id_t *operation, unsigned teams)
{
    struct rec_thread *r = rec_self;
    struct rec_device *d = r != NULL ? rec_device(r) : NULL;
    (void)target, (void)operation, (void)teams;
    if (d == NULL)
        return;
    const uint64_t now = rec_stamp(r);
    if (at == ompt_scope_begin) {
        d->since = now;
        return;
    }
    REC_ADD(d->kernels, 1);
    REC_ADD(d->kernel, rec_less(now, d->since));
}

static OPARI_COLD void rec_on_data_op(ompt_scope_endpoint_t at, ompt_data_t *task,
                                      ompt_data_t *target, ompt_id_t *operation,
                                      ompt_target_data_op_t type, void *source, int from,
                                      void *destination, int to, size_t bytes, const void *ra)
{
    struct rec_thread *r = rec_self;
    const int moves = type == ompt_target_data_transfer_to_device ||
                      type == ompt_target_data_transfer_from_device;
    struct rec_device *d = r != NULL && moves ? rec_device(r) : NULL;
    (void)task, (void)target, (void)operation, (void)from, (void)to, (void)ra;
    if (d == NULL)
        return;
    if (at == ompt_scope_begin) {
        d->since = rec_stamp(r);
        return;
    }
    if (source == destination)
        REC_ADD(d->in_place, bytes);
    else if (r->regions->took != 0)
        REC_ADD(d->moved, r->regions->took);
    else
        REC_ADD(d->moving, rec_less(rec_stamp(r), d->since));
    if (type == ompt_target_data_transfer_to_device)
        REC_ADD(d->to, bytes);
    else
        REC_ADD(d->from, bytes);
}
