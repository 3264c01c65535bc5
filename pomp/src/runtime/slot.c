/* slot.c: the runtime's call of dlsym is led to offload/plugin.c: the loader's table of what the runtime calls elsewhere has a slot for
 * it. Where it has none, or none that can be written, devices are told around the runtime's calls alone.
 */
#include "../pomp_lib.h"

#include <link.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

struct pomp_object {
    uintptr_t address, base; /* address: of something in it */
    const ElfW(Dyn) *dynamic;
};

static int pomp_object_seek(struct dl_phdr_info *info, size_t size, void *argument)
{
    struct pomp_object *o = argument;
    const ElfW(Dyn) *dynamic = NULL;
    int found = 0;
    (void)size;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *p = &info->dlpi_phdr[i];
        const uintptr_t at = info->dlpi_addr + p->p_vaddr;
        if (p->p_type == PT_LOAD)
            found |= o->address >= at && o->address < at + p->p_memsz;
        else if (p->p_type == PT_DYNAMIC)
            dynamic = (const ElfW(Dyn) *)at;
    }
    if (!found)
        return 0;
    o->base = info->dlpi_addr;
    o->dynamic = dynamic;
    return 1;
}

/* The value of an entry of an object's dynamic section; an address is as the loader has left it. 0: there is none. */
static uintptr_t pomp_object_has(const struct pomp_object *o, ElfW(Sxword) tag, int address)
{
    for (const ElfW(Dyn) *d = o->dynamic; d != NULL && d->d_tag != DT_NULL; d++)
        if (d->d_tag == tag)
            return address && d->d_un.d_ptr < o->base ? o->base + d->d_un.d_ptr : d->d_un.d_ptr;
    return 0;
}

#if __ELF_NATIVE_CLASS == 64
#define POMP_SYMBOL(info) ELF64_R_SYM(info)
#else
#define POMP_SYMBOL(info) ELF32_R_SYM(info)
#endif

/* The slot through which an object calls a routine of another; null: not found. */
static void **pomp_slot(const struct pomp_object *o, const char *name)
{
    static const int tables[][2] = {{DT_JMPREL, DT_PLTRELSZ}, {DT_RELA, DT_RELASZ}};
    const ElfW(Sym) *symbol = (const ElfW(Sym) *)pomp_object_has(o, DT_SYMTAB, 1);
    const char *text = (const char *)pomp_object_has(o, DT_STRTAB, 1);
    if (symbol == NULL || text == NULL || pomp_object_has(o, DT_PLTREL, 0) != DT_RELA)
        return NULL;
    for (int i = 0; i < 2; i++) {
        const ElfW(Rela) *r = (const ElfW(Rela) *)pomp_object_has(o, tables[i][0], 1);
        const size_t n = r != NULL ? pomp_object_has(o, tables[i][1], 0) / sizeof *r : 0;
        for (size_t j = 0; j < n; j++)
            if (POMP_SYMBOL(r[j].r_info) != 0 && strcmp(text + symbol[POMP_SYMBOL(r[j].r_info)].st_name, name) == 0)
                return (void **)(o->base + r[j].r_offset);
    }
    return NULL;
}

/* Something in the runtime, where it is GCC's: LLVM's has others of its names, not this. Null: there is none. */
static void *pomp_runtime(void) { return dlsym != NULL ? dlsym(POMP_BEHIND, "GOMP_offload_register_ver") : NULL; }

/* The loader may have written it for good: its page stays writable then. Returns whether it is set. */
static int pomp_slot_set(void **slot, void *to)
{
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), begin = (uintptr_t)slot & ~(page - 1);
    if (mprotect((void *)begin, page, PROT_READ | PROT_WRITE) != 0)
        return 0;
    OPARI_STORE(slot, to);
    return 1;
}

/* Before the runtime looks for plugins, which it does once, when it is first asked for devices. */
static OPARI_COLD void pomp_plugins_await(void)
{
    static int awaited;
    if (__atomic_exchange_n(&awaited, 1, __ATOMIC_RELAXED))
        return;
    struct pomp_object o = {(uintptr_t)pomp_runtime(), 0, NULL};
    if (o.address == 0 || dl_iterate_phdr(pomp_object_seek, &o) == 0)
        return;
    void **slot = pomp_slot(&o, "dlsym");
    if (slot != NULL)
        (void)pomp_slot_set(slot, (void *)(uintptr_t)pomp_plugin_symbol);
}

/* Whether the environment asks for what comes here, as far as can be told before a unit is met. */
static int pomp_may_be_wanted(void)
{
    static const char *const wish[] = {"OMP_TOOL_LIBRARIES", "OPARI_PROFILE"};
    int wished = 0;
    for (size_t i = 0; i < sizeof wish / sizeof *wish; i++)
        wished |= pomp_variable(wish[i]) != NULL;
    return wished;
}

/* A unit of Fortran's is first heard of with its first event, and the program may have asked for devices by then. */
#ifdef OPARI_SHARED
static void pomp_lead_early(const void *within)
{
    if (pomp_may_be_wanted() && pomp_lead(within))
        pomp_plugins_await();
}
#else
static __attribute__((constructor)) void pomp_plugins_await_early(void)
{
    if (pomp_may_be_wanted())
        pomp_plugins_await();
}
#endif
