/* lock.h: locks of the library, which order nothing of the program.
 *
 * A tool for data races takes a lock for an order of what stands before and behind it. The program
 * did not ask for the library's locks, so that order would hide its races. */
#ifndef OPARI_LOCK_H
#define OPARI_LOCK_H

#include <pthread.h>

#include "platform.h"

extern void AnnotateIgnoreSyncBegin(const char *file, int line) __attribute__((weak));
extern void AnnotateIgnoreSyncEnd(const char *file, int line) __attribute__((weak));

/* A library that is itself built for ThreadSanitizer needs the order. */
#ifdef __SANITIZE_THREAD__
#define OPARI_HIDES_LOCKS 0
#else
#define OPARI_HIDES_LOCKS 1
#endif

static OPARI_COLD void opari_lock_by(int (*call)(pthread_mutex_t *), pthread_mutex_t *lock)
{
    const int hides = OPARI_HIDES_LOCKS && AnnotateIgnoreSyncBegin != NULL;
    if (hides)
        AnnotateIgnoreSyncBegin(__FILE__, __LINE__);
    (void)call(lock);
    if (hides)
        AnnotateIgnoreSyncEnd(__FILE__, __LINE__);
}

static OPARI_COLD void opari_lock(pthread_mutex_t *lock)
{
    opari_lock_by(pthread_mutex_lock, lock);
}

static OPARI_COLD void opari_unlock(pthread_mutex_t *lock)
{
    opari_lock_by(pthread_mutex_unlock, lock);
}

#endif
