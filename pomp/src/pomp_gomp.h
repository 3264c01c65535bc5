/* pomp_gomp.h: what pomp_gomp.c, which stands between a Fortran program and libgomp, asks of the library. Not for others. */
#ifndef POMP_GOMP_H
#define POMP_GOMP_H

/* The instance that the calling thread has just forked, or the task that it has just created; null: none that is measured. */
extern void *pomp_gomp_forked(void);
extern void *pomp_gomp_created(void);

/* The calling thread starts to work for an instance or a task; the one before, to be given back when it has done. */
extern void *pomp_gomp_work_for(void *instance);
extern void *pomp_gomp_run_task(void *task);

/* pomp_gomp.c is part of the program. */
extern void pomp_gomp_is_there(void);

enum pomp_gomp_lock {
    POMP_GOMP_INIT,
    POMP_GOMP_DESTROY,
    POMP_GOMP_SET,
    POMP_GOMP_UNSET,
    POMP_GOMP_TEST
};

/* Calls a lock routine of Fortran's and reports it; ra: who called it. */
extern int pomp_gomp_lock(enum pomp_gomp_lock what, int nested, int hint, void *lock, int (*original)(void *, void *), void *argument,
                          const void *ra);

#endif
