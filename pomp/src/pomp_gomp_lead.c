/* pomp_gomp_lead.c: the library as a shared one, preloaded to a program or linked with it in any place: how what is instrumented calls the runtime through
 * pomp_gomp*.c. No routine of the runtime's is exported for that: it would be found by all that is in the process, programs that have no runtime or another
 * one among them, and not by what is linked with the runtime first. The object with an instrumented unit is looked through instead: the loader's tables name
 * each word in it that holds the address of a routine of the runtime's, and those words are given the address of ours. That happens when a unit is met
 * and measuring is wanted, so where it is not nothing costs anything.
 */
#include "pomp_lib.h"

extern const struct pomp_led __start_pomp_led[] __attribute__((visibility("hidden")));
extern const struct pomp_led __stop_pomp_led[] __attribute__((visibility("hidden")));

/* Our routine of a name; null: there is none. */
static void *pomp_led_to(const char *name)
{
    if (strncmp(name, "GOMP_", 5) != 0 && strncmp(name, "omp_", 4) != 0)
        return NULL;
    for (const struct pomp_led *l = __start_pomp_led; l < __stop_pomp_led; l++)
        if (strcmp(l->name, name) == 0)
            return (void *)(uintptr_t)l->ours;
    return NULL;
}

/* A word that the loader fills in for a name. called: it is one of those that calls go through; the loader may not have done so yet. Else only what holds the
 * routine's address is such a word. Returns whether it leads to us. */
static int pomp_lead_slot(uintptr_t slot, const char *name, int called)
{
    void *ours = pomp_led_to(name), *real = ours != NULL && slot % sizeof(void *) == 0 ? dlsym(POMP_BEHIND, name) : NULL;
    if (real == NULL)
        return 0;
    void **word = (void **)slot, *now = OPARI_LOAD(word);
    return now == ours || ((called || now == real) && pomp_slot_set(word, ours));
}

/* Leads the object around an address, which GCC's runtime must be the first for that the loader finds. Returns whether it calls us. Each entry of the tables
 * begins with where and what it is about. */
static int pomp_lead(const void *within)
{
    struct pomp_object o = {(uintptr_t)within, 0, NULL};
    if (pomp_runtime() == NULL || dl_iterate_phdr(pomp_object_seek, &o) == 0)
        return 0;
    const ElfW(Sym) *symbol = (const ElfW(Sym) *)pomp_object_has(&o, DT_SYMTAB, 1);
    const char *text = (const char *)pomp_object_has(&o, DT_STRTAB, 1);
    if (symbol == NULL || text == NULL)
        return 0;
    const struct {
        int at, size;
        size_t each;
    } tables[] = {
        {DT_JMPREL, DT_PLTRELSZ, pomp_object_has(&o, DT_PLTREL, 0) == DT_RELA ? sizeof(ElfW(Rela)) : sizeof(ElfW(Rel))},
        {DT_RELA, DT_RELASZ, sizeof(ElfW(Rela))},
        {DT_REL, DT_RELSZ, sizeof(ElfW(Rel))},
    };
    int led = 0;
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        const char *r = (const char *)pomp_object_has(&o, tables[i].at, 1);
        const size_t size = r != NULL ? pomp_object_has(&o, tables[i].size, 0) : 0;
        for (const char *end = r + size; r < end; r += tables[i].each) {
            const ElfW(Rel) *entry = (const ElfW(Rel) *)(const void *)r;
            if (POMP_SYMBOL(entry->r_info) != 0)
                led |= pomp_lead_slot(o.base + entry->r_offset, text + symbol[POMP_SYMBOL(entry->r_info)].st_name, tables[i].at == DT_JMPREL);
        }
    }
    if (led)
        OPARI_STORE(&pomp_leads, 1);
    return led;
}
