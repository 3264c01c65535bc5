/* waits.c: waiting for requests, in C. When a routine returns, it reports what the completed
 * requests have received. */
#include "layer.h"

enum { LAYER_FEW = 64 };

/* The requests of a call before MPI changes their handles, and statuses if the program wants
 * none. */
struct layer_set {
    int n, early;
    struct layer_request few[LAYER_FEW], *all;
    MPI_Status few_statuses[LAYER_FEW], *statuses;
};

/* If several threads may be in MPI, it takes all requests out now, otherwise each when it is
 * complete. Without memory the call reports nothing. */
static int layer_set_open(struct layer_set *s, int n, const MPI_Request requests[],
                          MPI_Status statuses[])
{
    s->n = n > 0 && __atomic_load_n(&layer.pending, __ATOMIC_RELAXED) != 0 ? n : 0;
    s->early = layer.several;
    s->all = s->few;
    s->statuses = statuses;
    if (s->n > LAYER_FEW && (s->all = malloc((size_t)n * sizeof *s->all)) == NULL)
        s->n = 0;
    if (s->n > 0 && statuses == MPI_STATUSES_IGNORE) {
        s->statuses = s->n <= LAYER_FEW ? s->few_statuses : malloc((size_t)n * sizeof *s->statuses);
        if (s->statuses == NULL) {
            s->statuses = statuses;
            s->n = 0;
        }
    }
    for (int i = 0; i < s->n; i++) {
        s->all[i].handle = requests[i] == MPI_REQUEST_NULL ? 0 : (uintptr_t)requests[i];
        if (s->early)
            s->all[i] = layer_request_take(requests[i]);
    }
    return s->n > 0;
}

static void layer_set_done(struct layer_set *s, int i, const MPI_Status *status)
{
    if (i < 0 || i >= s->n || s->all[i].handle == 0)
        return;
    if (!s->early)
        s->all[i] = layer_request_take((MPI_Request)s->all[i].handle);
    layer_completed(&s->all[i], status);
}

/* A request whose operation has failed has received nothing. */
static void layer_set_done_if(struct layer_set *s, int i, const MPI_Status *status, int error)
{
    if (error == MPI_SUCCESS || (error == MPI_ERR_IN_STATUS && status->MPI_ERROR == MPI_SUCCESS))
        layer_set_done(s, i, status);
}

static void layer_set_close(struct layer_set *s, const MPI_Status *given)
{
    if (s->early)
        for (int i = 0; i < s->n; i++)
            layer_request_back(&s->all[i]);
    if (s->all != s->few)
        free(s->all);
    if (s->statuses != s->few_statuses && s->statuses != given)
        free(s->statuses);
}

#define LAYER_STRAIGHT(call) \
    if (!layer_on() && !layer_follows()) \
        return call; \
    const int measured = layer_on(); \
    struct ompregdescr *d = NULL; \
    if (measured) \
        d = layer_enter(LAYER_ROUTINE, caller); \
    else \
        layer_depth = 1;

static int layer_return(int measured, struct ompregdescr *d, int error)
{
    if (measured)
        layer_leave(d);
    else
        layer_depth = 0;
    return error;
}

#define LAYER_ROUTINE LAYER_Wait
int layer_wait(MPI_Request *request, MPI_Status *status, const void *caller)
{
    MPI_Status own;
    LAYER_STRAIGHT(PMPI_Wait(request, status))
    struct layer_request r = layer_request_take(*request);
    if (r.handle != 0 && status == MPI_STATUS_IGNORE)
        status = &own;
    const int error = PMPI_Wait(request, status);
    if (r.handle != 0 && error == MPI_SUCCESS)
        layer_completed(&r, status);
    return layer_return(measured, d, error);
}

#undef LAYER_ROUTINE
#define LAYER_ROUTINE LAYER_Test
int layer_test(MPI_Request *request, int *flag, MPI_Status *status, const void *caller)
{
    MPI_Status own;
    LAYER_STRAIGHT(PMPI_Test(request, flag, status))
    struct layer_request r = layer_request_take(*request);
    if (r.handle != 0 && status == MPI_STATUS_IGNORE)
        status = &own;
    const int error = PMPI_Test(request, flag, status);
    if (r.handle != 0 && error == MPI_SUCCESS && *flag)
        layer_completed(&r, status);
    layer_request_back(&r);
    return layer_return(measured, d, error);
}

#undef LAYER_ROUTINE
#define LAYER_ROUTINE LAYER_Waitall
int layer_waitall(int count, MPI_Request requests[], MPI_Status statuses[], const void *caller)
{
    struct layer_set s;
    LAYER_STRAIGHT(PMPI_Waitall(count, requests, statuses))
    (void)layer_set_open(&s, count, requests, statuses);
    const int error = PMPI_Waitall(count, requests, s.statuses);
    for (int i = 0; i < s.n; i++)
        layer_set_done_if(&s, i, &s.statuses[i], error);
    layer_set_close(&s, statuses);
    return layer_return(measured, d, error);
}

#undef LAYER_ROUTINE
#define LAYER_ROUTINE LAYER_Testall
int layer_testall(int count, MPI_Request requests[], int *flag, MPI_Status statuses[],
                  const void *caller)
{
    struct layer_set s;
    LAYER_STRAIGHT(PMPI_Testall(count, requests, flag, statuses))
    (void)layer_set_open(&s, count, requests, statuses);
    const int error = PMPI_Testall(count, requests, flag, s.statuses);
    for (int i = 0; i < s.n && *flag; i++)
        layer_set_done_if(&s, i, &s.statuses[i], error);
    layer_set_close(&s, statuses);
    return layer_return(measured, d, error);
}

#undef LAYER_ROUTINE
#define LAYER_ROUTINE LAYER_Waitany
int layer_waitany(int count, MPI_Request requests[], int *index, MPI_Status *status,
                  const void *caller)
{
    struct layer_set s;
    MPI_Status own;
    LAYER_STRAIGHT(PMPI_Waitany(count, requests, index, status))
    if (layer_set_open(&s, count, requests, s.few_statuses) && status == MPI_STATUS_IGNORE)
        status = &own;
    const int error = PMPI_Waitany(count, requests, index, status);
    if (error == MPI_SUCCESS && *index != MPI_UNDEFINED)
        layer_set_done(&s, *index, status);
    layer_set_close(&s, s.few_statuses);
    return layer_return(measured, d, error);
}

#undef LAYER_ROUTINE
#define LAYER_ROUTINE LAYER_Testany
int layer_testany(int count, MPI_Request requests[], int *index, int *flag, MPI_Status *status,
                  const void *caller)
{
    struct layer_set s;
    MPI_Status own;
    LAYER_STRAIGHT(PMPI_Testany(count, requests, index, flag, status))
    if (layer_set_open(&s, count, requests, s.few_statuses) && status == MPI_STATUS_IGNORE)
        status = &own;
    const int error = PMPI_Testany(count, requests, index, flag, status);
    if (error == MPI_SUCCESS && *flag && *index != MPI_UNDEFINED)
        layer_set_done(&s, *index, status);
    layer_set_close(&s, s.few_statuses);
    return layer_return(measured, d, error);
}

#undef LAYER_ROUTINE
#define LAYER_ROUTINE LAYER_Waitsome
int layer_waitsome(int count, MPI_Request requests[], int *done, int indices[],
                   MPI_Status statuses[], const void *caller)
{
    struct layer_set s;
    LAYER_STRAIGHT(PMPI_Waitsome(count, requests, done, indices, statuses))
    (void)layer_set_open(&s, count, requests, statuses);
    const int error = PMPI_Waitsome(count, requests, done, indices, s.statuses);
    for (int i = 0; s.n > 0 && *done != MPI_UNDEFINED && i < *done; i++)
        layer_set_done_if(&s, indices[i], &s.statuses[i], error);
    layer_set_close(&s, statuses);
    return layer_return(measured, d, error);
}

#undef LAYER_ROUTINE
#define LAYER_ROUTINE LAYER_Testsome
int layer_testsome(int count, MPI_Request requests[], int *done, int indices[],
                   MPI_Status statuses[], const void *caller)
{
    struct layer_set s;
    LAYER_STRAIGHT(PMPI_Testsome(count, requests, done, indices, statuses))
    (void)layer_set_open(&s, count, requests, statuses);
    const int error = PMPI_Testsome(count, requests, done, indices, s.statuses);
    for (int i = 0; s.n > 0 && *done != MPI_UNDEFINED && i < *done; i++)
        layer_set_done_if(&s, indices[i], &s.statuses[i], error);
    layer_set_close(&s, statuses);
    return layer_return(measured, d, error);
}

LAYER_API int MPI_Wait(MPI_Request *request, MPI_Status *status)
{
    return layer_wait(request, status, LAYER_CALLER);
}
LAYER_API int MPI_Waitall(int count, MPI_Request requests[], MPI_Status statuses[])
{
    return layer_waitall(count, requests, statuses, LAYER_CALLER);
}
LAYER_API int MPI_Waitany(int count, MPI_Request requests[], int *index, MPI_Status *status)
{
    return layer_waitany(count, requests, index, status, LAYER_CALLER);
}
LAYER_API int MPI_Waitsome(int count, MPI_Request requests[], int *done, int indices[],
                           MPI_Status statuses[])
{
    return layer_waitsome(count, requests, done, indices, statuses, LAYER_CALLER);
}
LAYER_API int MPI_Test(MPI_Request *request, int *flag, MPI_Status *status)
{
    return layer_test(request, flag, status, LAYER_CALLER);
}
LAYER_API int MPI_Testall(int count, MPI_Request requests[], int *flag, MPI_Status statuses[])
{
    return layer_testall(count, requests, flag, statuses, LAYER_CALLER);
}
LAYER_API int MPI_Testany(int count, MPI_Request requests[], int *index, int *flag,
                          MPI_Status *status)
{
    return layer_testany(count, requests, index, flag, status, LAYER_CALLER);
}
LAYER_API int MPI_Testsome(int count, MPI_Request requests[], int *done, int indices[],
                           MPI_Status statuses[])
{
    return layer_testsome(count, requests, done, indices, statuses, LAYER_CALLER);
}
