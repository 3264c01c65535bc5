/* find_block.c: the common block of a Fortran program that the library is preloaded to.
 *
 * A program that was linked without the library has its own block. Nothing outside refers to it, so
 * the linker made no dynamic symbol for it. gfortran 12 has no weak symbols that would make the
 * loader use the library's block. The symbol table in the program's file names the block. For a
 * program without that table, the library searches the program's data for the mark of an
 * instrumented file (rewrite/fortran_mark.go).
 */
#include "../state/state.h"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define POMP_STRIPPED 1 /* not an address of any block */

/* The program's file in memory. */
struct pomp_image {
    const char *at;
    size_t size;
};

/* Returns count objects of size bytes each at an offset, or null if the file does not contain them
 * or they are not aligned. */
static OPARI_COLD const void *pomp_image_part(const struct pomp_image *i, uint64_t offset,
                                              uint64_t count, size_t size)
{
    if (offset > i->size || count > (i->size - offset) / size ||
        offset % (size > 1 ? _Alignof(ElfW(Shdr)) : 1) != 0)
        return NULL;
    return i->at + offset;
}

/* Returns the value of the block's symbol in the symbol table s with the names in strings, or 0 if
 * it is missing. */
static OPARI_COLD uintptr_t pomp_image_symbol(const struct pomp_image *i, const ElfW(Shdr) * s,
                                              const ElfW(Shdr) * strings)
{
    static const char name[] = "pomp_fortran_1";
    const size_t n = s->sh_size / sizeof(ElfW(Sym));
    const ElfW(Sym) *symbol = pomp_image_part(i, s->sh_offset, n, sizeof *symbol);
    const char *names = pomp_image_part(i, strings->sh_offset, strings->sh_size, 1);
    if (symbol == NULL || names == NULL)
        return 0;
    for (size_t k = 0; k < n; k++) {
        const ElfW(Sym) *y = &symbol[k];
        if (y->st_shndx != SHN_UNDEF && y->st_size == sizeof pomp_fortran_1 &&
            strings->sh_size >= sizeof name && y->st_name <= strings->sh_size - sizeof name &&
            memcmp(names + y->st_name, name, sizeof name) == 0)
            return y->st_value;
    }
    return 0;
}

/* Returns the value of the block's symbol; 0 if there is none; POMP_STRIPPED if the file has no
 * symbol table. */
static OPARI_COLD uintptr_t pomp_image_search(const struct pomp_image *i)
{
    const ElfW(Ehdr) *h = pomp_image_part(i, 0, 1, sizeof *h);
    if (h == NULL)
        return 0;
    const ElfW(Shdr) *s = pomp_image_part(i, h->e_shoff, h->e_shnum, sizeof *s);
    for (unsigned k = 0; s != NULL && k < h->e_shnum; k++)
        if (s[k].sh_type == SHT_SYMTAB && s[k].sh_link < h->e_shnum)
            return pomp_image_symbol(i, &s[k], &s[s[k].sh_link]);
    return POMP_STRIPPED;
}

/* Converts the symbol's value at data into the address in the program, which is the first object; 0
 * if the program's memory there is not writable. */
static OPARI_COLD int pomp_image_place(struct dl_phdr_info *info, size_t size, void *data)
{
    (void)size;
    uintptr_t *at = data;
    const uintptr_t value = *at;
    *at = 0;
    for (int k = 0; k < info->dlpi_phnum; k++) {
        const ElfW(Phdr) *p = &info->dlpi_phdr[k];
        if (p->p_type == PT_LOAD && (p->p_flags & PF_W) != 0 && value >= p->p_vaddr &&
            value - p->p_vaddr < p->p_memsz &&
            p->p_memsz - (value - p->p_vaddr) >= sizeof pomp_fortran_1)
            *at = info->dlpi_addr + value;
    }
    return 1;
}

/* The mark in the data of a Fortran file, after its two slots. */
struct pomp_fortran_mark {
    intptr_t number[3];
    void (*locate)(void **block);
};

/* Returns whether a segment with these flags contains size bytes at an address. */
static OPARI_COLD int pomp_image_holds(const struct dl_phdr_info *info, uintptr_t at, size_t size,
                                       ElfW(Word) flags)
{
    for (int k = 0; k < info->dlpi_phnum; k++) {
        const ElfW(Phdr) *p = &info->dlpi_phdr[k];
        const uintptr_t begin = info->dlpi_addr + p->p_vaddr;
        if (p->p_type == PT_LOAD && (p->p_flags & flags) == flags && at >= begin &&
            at - begin < p->p_memsz && p->p_memsz - (at - begin) >= size)
            return 1;
    }
    return 0;
}

/* Searches the data of the program, which is the first object, for a mark, and gets the block's
 * address from there; 0 if there is none. */
static OPARI_COLD int pomp_image_marked(struct dl_phdr_info *info, size_t size, void *data)
{
    (void)size;
    uintptr_t *at = data;
    *at = 0;
    for (int k = 0; k < info->dlpi_phnum && *at == 0; k++) {
        const ElfW(Phdr) *p = &info->dlpi_phdr[k];
        if (p->p_type != PT_LOAD || (p->p_flags & (PF_R | PF_W)) != (PF_R | PF_W))
            continue;
        const uintptr_t begin = info->dlpi_addr + p->p_vaddr, end = begin + p->p_filesz;
        for (uintptr_t a = (begin + sizeof a - 1) & ~(sizeof a - 1);
             a < end && end - a >= sizeof(struct pomp_fortran_mark); a += sizeof a) {
            const struct pomp_fortran_mark *m = (const struct pomp_fortran_mark *)a;
            if (m->number[0] == 1347374416 && m->number[1] == 1177506898 &&
                m->number[2] == 2085340011 &&
                pomp_image_holds(info, (uintptr_t)m->locate, 1, PF_X)) {
                void *block = NULL;
                m->locate(&block);
                *at = pomp_image_holds(info, (uintptr_t)block, sizeof pomp_fortran_1, PF_W)
                          ? (uintptr_t)block
                          : 0;
                break;
            }
        }
    }
    return 1;
}

/* Returns the program's block, or null if none is found. */
static OPARI_COLD struct pomp_fortran_block *pomp_fortran_find(void)
{
    struct stat file;
    uintptr_t at = 0;
    const int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return NULL;
    if (fstat(fd, &file) == 0 && file.st_size > 0) {
        void *memory = mmap(NULL, (size_t)file.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
        if (memory != MAP_FAILED) {
            at = pomp_image_search(&(struct pomp_image){memory, (size_t)file.st_size});
            (void)munmap(memory, (size_t)file.st_size);
        }
    }
    (void)close(fd);
    if (at != 0)
        (void)dl_iterate_phdr(at == POMP_STRIPPED ? pomp_image_marked : pomp_image_place, &at);
    return at % _Alignof(struct pomp_fortran_block) == 0 ? (struct pomp_fortran_block *)at : NULL;
}
