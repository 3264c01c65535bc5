/* redirect.c: how instrumented objects call the runtime through the routines in gomp/ and offload/
 * where the library is shared. Such a library is preloaded to a program or linked with it in any
 * order.
 *
 * The library exports no routine with a name of the runtime's. Everything in the process would find
 * it, including programs without a runtime or with another one. Objects that are linked with the
 * runtime first would not find it. Instead, the library searches the object that contains an
 * instrumented unit. The loader's tables name each word in it that holds the address of a routine
 * of the runtime. The library writes the address of its own routine there. That happens when it
 * meets a unit and measuring is wanted, so without measuring there is no cost.
 */
#include "../state/state.h"

extern const struct pomp_redirected __start_pomp_redirected[] __attribute__((visibility("hidden")));
extern const struct pomp_redirected __stop_pomp_redirected[] __attribute__((visibility("hidden")));

/* Returns the library's routine of a name, or null if there is none. */
static void *pomp_redirected_to(const char *name)
{
    if (strncmp(name, "GOMP_", 5) != 0 && strncmp(name, "omp_", 4) != 0)
        return NULL;
    for (const struct pomp_redirected *l = __start_pomp_redirected; l < __stop_pomp_redirected; l++)
        if (strcmp(l->name, name) == 0)
            return (void *)(uintptr_t)l->ours;
    return NULL;
}

/* Redirects a word that the loader fills in for a name. called means that calls go through the
 * word; the loader may not have filled it in yet. Any other word qualifies only if it holds the
 * routine's address. Returns whether the word leads to the library. */
static int pomp_redirect_slot(uintptr_t slot, const char *name, int called)
{
    void *ours = pomp_redirected_to(name),
         *real = ours != NULL && slot % sizeof(void *) == 0 ? dlsym(POMP_BEHIND, name) : NULL;
    if (real == NULL)
        return 0;
    void **word = (void **)slot, *now = OPARI_LOAD(word);
    return now == ours || ((called || now == real) && pomp_slot_set(word, ours));
}

/* Redirects an object's words. Returns one of the words that lead to the library, or null if there
 * is none. */
static void **pomp_redirect_object(const struct pomp_object *o)
{
    const ElfW(Sym) *symbol = (const ElfW(Sym) *)pomp_object_has(o, DT_SYMTAB, 1);
    const char *text = (const char *)pomp_object_has(o, DT_STRTAB, 1);
    if (symbol == NULL || text == NULL)
        return NULL;
    void **redirected = NULL;
    for (int i = 0; i < 2; i++) {
        const ElfW(Rela) *r = (const ElfW(Rela) *)pomp_object_has(o, pomp_tables[i][0], 1);
        const size_t n = r != NULL ? pomp_object_has(o, pomp_tables[i][1], 0) / sizeof *r : 0;
        for (size_t j = 0; j < n; j++) {
            const uintptr_t slot = o->base + r[j].r_offset;
            if (ELF64_R_SYM(r[j].r_info) != 0 &&
                pomp_redirect_slot(slot, text + symbol[ELF64_R_SYM(r[j].r_info)].st_name, i == 0))
                redirected = (void **)slot;
        }
    }
    return redirected;
}

/* The result for the object met last, because the units of one object come in succession. No other
 * lock is taken while this one is held. */
static struct {
    pthread_mutex_t lock;
    const ElfW(Dyn) * dynamic;
    void **word, *ours; /* null: the object does not call the library */
} pomp_redirected_last = {PTHREAD_MUTEX_INITIALIZER, NULL, NULL, NULL};

/* Runs before a unit of the object is unloaded. */
static void pomp_redirect_forget(void)
{
    pthread_mutex_lock(&pomp_redirected_last.lock);
    pomp_redirected_last.dynamic = NULL;
    pthread_mutex_unlock(&pomp_redirected_last.lock);
}

static void pomp_redirect_fork(int before)
{
    (void)(before ? pthread_mutex_lock : pthread_mutex_unlock)(&pomp_redirected_last.lock);
}

/* Redirects the object around an address, where the runtime that the loader finds is GCC's. Returns
 * whether the object calls the library. */
static int pomp_redirect(const void *within)
{
    struct pomp_object o = {(uintptr_t)within, 0, NULL};
    if (pomp_runtime() == NULL || dl_iterate_phdr(pomp_object_seek, &o) == 0 || o.dynamic == NULL)
        return 0;
    pthread_mutex_lock(&pomp_redirected_last.lock);
    const int known = pomp_redirected_last.dynamic == o.dynamic &&
                      (pomp_redirected_last.word == NULL ||
                       OPARI_LOAD(pomp_redirected_last.word) == pomp_redirected_last.ours);
    int redirected = pomp_redirected_last.word != NULL;
    pthread_mutex_unlock(&pomp_redirected_last.lock);
    if (known)
        return redirected;
    void **word = pomp_redirect_object(&o);
    redirected = word != NULL;
    pthread_mutex_lock(&pomp_redirected_last.lock);
    pomp_redirected_last.dynamic = o.dynamic;
    pomp_redirected_last.word = word;
    pomp_redirected_last.ours = redirected ? OPARI_LOAD(word) : NULL;
    pthread_mutex_unlock(&pomp_redirected_last.lock);
    if (redirected)
        OPARI_STORE(&pomp_redirects, 1);
    return redirected;
}
