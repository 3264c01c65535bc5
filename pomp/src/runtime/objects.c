/* objects.c: the loader's tables of an object in the process, and the slots in them through which
 * the object calls other objects' routines.
 */
#include "../state/state.h"

#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

struct pomp_object {
    uintptr_t address, base; /* address is that of something in the object */
    const ElfW(Dyn) * dynamic;
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

/* Returns the value of an entry of an object's dynamic section, or 0 if there is none. An address
 * may be absolute or relative to the base, depending on the loader. */
static uintptr_t pomp_object_has(const struct pomp_object *o, ElfW(Sxword) tag, int address)
{
    for (const ElfW(Dyn) *d = o->dynamic; d != NULL && d->d_tag != DT_NULL; d++)
        if (d->d_tag == tag)
            return address && d->d_un.d_ptr < o->base ? o->base + d->d_un.d_ptr : d->d_un.d_ptr;
    return 0;
}

/* The loader's tables of an object's words: the begin and the size of each. Calls go through the
 * words of the first. All machines of 64 bits have this form of tables. */
static const int pomp_tables[][2] = {{DT_JMPREL, DT_PLTRELSZ}, {DT_RELA, DT_RELASZ}};

/* Returns the slot through which an object calls another object's routine, or null if it is not
 * found. */
static void **pomp_slot(const struct pomp_object *o, const char *name)
{
    const ElfW(Sym) *symbol = (const ElfW(Sym) *)pomp_object_has(o, DT_SYMTAB, 1);
    const char *text = (const char *)pomp_object_has(o, DT_STRTAB, 1);
    if (symbol == NULL || text == NULL)
        return NULL;
    for (int i = 0; i < 2; i++) {
        const ElfW(Rela) *r = (const ElfW(Rela) *)pomp_object_has(o, pomp_tables[i][0], 1);
        const size_t n = r != NULL ? pomp_object_has(o, pomp_tables[i][1], 0) / sizeof *r : 0;
        for (size_t j = 0; j < n; j++)
            if (ELF64_R_SYM(r[j].r_info) != 0 &&
                strcmp(text + symbol[ELF64_R_SYM(r[j].r_info)].st_name, name) == 0)
                return (void **)(o->base + r[j].r_offset);
    }
    return NULL;
}

/* Returns an address in the runtime if that is GCC's, else null. LLVM's runtime shares other names
 * with it, but not this one. */
static void *pomp_runtime(void)
{
    return dlsym != NULL ? dlsym(POMP_BEHIND, "GOMP_offload_register_ver") : NULL;
}

/* Writes the slot. The loader may have made its page read-only; the page stays writable afterwards.
 * Returns whether the slot is set. */
static int pomp_slot_set(void **slot, void *to)
{
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), begin = (uintptr_t)slot & ~(page - 1);
    if (mprotect((void *)begin, page, PROT_READ | PROT_WRITE) != 0)
        return 0;
    OPARI_STORE(slot, to);
    return 1;
}
