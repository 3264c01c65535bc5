/* defined.c: whether a loaded object defines a name, without a failed look-up.
 *
 * A look-up that fails makes the loader allocate its message. That was all that the library left in
 * the heap of a program that nobody measures, and it was enough: a team's block then came from
 * other places of the heap, and each parallel region of one thread took 12 ns longer. So the loader
 * is asked only for names that some object has. An answer may be wrong in one direction: an object
 * without the table of GNU's linkers may define every name.
 */
#include "../core/bridge.h"

#include <link.h>

/* The hash that GNU's linkers file a name under. */
static uint32_t opari_gnu_hash(const char *name)
{
    uint32_t hash = 5381;
    for (; *name != 0; name++)
        hash = hash * 33 + (unsigned char)*name;
    return hash;
}

/* The table: a head of four words, a filter, the buckets' first symbols, and each symbol's hash, in
 * which the lowest bit marks the last one of its bucket. Only defined symbols have one. */
static int opari_table_has(const uint32_t *table, uint32_t hash)
{
    const uint32_t buckets = table[0], first = table[1], filter = table[2];
    const uint32_t *bucket = table + 4 + filter * (sizeof(ElfW(Addr)) / sizeof *table),
                   *hashes = bucket + buckets;
    uint32_t symbol = buckets > 0 ? bucket[hash % buckets] : 0;
    if (symbol < first || symbol == 0)
        return 0;
    do
        if (((hashes[symbol - first] ^ hash) | 1) == 1)
            return 1;
    while ((hashes[symbol++ - first] & 1) == 0);
    return 0;
}

/* The loader has made addresses of most objects' offsets; not of the kernel's own. */
static int opari_object_may_define(struct dl_phdr_info *info, size_t size, void *hash)
{
    (void)size;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *p = &info->dlpi_phdr[i];
        if (p->p_type != PT_DYNAMIC)
            continue;
        const ElfW(Dyn) *d = (const ElfW(Dyn) *)(info->dlpi_addr + p->p_vaddr);
        for (; d->d_tag != DT_NULL; d++)
            if (d->d_tag == DT_GNU_HASH) {
                const ElfW(Addr) at = d->d_un.d_ptr;
                return opari_table_has(
                    (const uint32_t *)(at < info->dlpi_addr ? at + info->dlpi_addr : at),
                    *(const uint32_t *)hash);
            }
        return 1;
    }
    return 0;
}

/* Returns whether some object of the program may define name. */
static int opari_may_be_defined(const char *name)
{
    uint32_t hash = opari_gnu_hash(name);
    return dl_iterate_phdr(opari_object_may_define, &hash);
}
