/* memory.c: memory that is never freed.
 *
 * Free lists reuse records, so the memory taken here is bounded by what is in use at one time. The
 * program's malloc will not do: it may be instrumented, replaced, or locked by the thread that
 * forks.
 */
#include "lock.h"

#include <errno.h>
#include <sys/mman.h>

enum { OPARI_CHUNK = 256 * 1024 };

static struct {
    pthread_mutex_t lock;
    char *at, *end;
} opari_arena = {PTHREAD_MUTEX_INITIALIZER, NULL, NULL};

static void *opari_map(size_t bytes)
{
    int saved = errno;
    void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
                   -1, 0);
    errno = saved;
    return p == MAP_FAILED ? NULL : p;
}

/* Returns zeroed memory, aligned to 64 bytes, that lives as long as the process; null when there is
 * none. It keeps errno. For cold paths only. */
static OPARI_COLD void *opari_memory(size_t bytes)
{
    bytes = (bytes + 63) & ~(size_t)63;
    if (bytes > OPARI_CHUNK / 4)
        return opari_map(bytes);
    void *p = NULL;
    opari_lock(&opari_arena.lock);
    if ((size_t)(opari_arena.end - opari_arena.at) < bytes) {
        char *chunk = opari_map(OPARI_CHUNK);
        if (chunk != NULL) {
            opari_arena.at = chunk;
            opari_arena.end = chunk + OPARI_CHUNK;
        }
    }
    if ((size_t)(opari_arena.end - opari_arena.at) >= bytes) {
        p = opari_arena.at;
        opari_arena.at += bytes;
    }
    opari_unlock(&opari_arena.lock);
    return p;
}
