/* Meets each construct 1000 and 3000 times, with a call of mark() before, between and behind, at
 * which valgrind's callgrind writes down what was executed since the last one:
 * --dump-before=mark. Prints a line per construct: its name. Usage: count [CONSTRUCT...] */
#include <stdio.h>
#include <string.h>
#include "overhead.h"

static const struct {
    const char *name;
    kernel *run;
} kernels[] = {
#define X(name, reference) {#name, k_##name},
    FOREACH_KERNEL(X)
#undef X
};

void mark(void);
__attribute__((noinline, noclone)) void mark(void) { __asm__ volatile("" ::: "memory"); }

int main(int argc, char **argv)
{
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++) {
        int wanted = argc < 2;
        for (int a = 1; a < argc; a++)
            wanted |= strcmp(argv[a], kernels[i].name) == 0;
        if (!wanted)
            continue;
        puts(kernels[i].name);
        kernels[i].run(100); /* what is done once */
        mark();
        kernels[i].run(1000);
        mark();
        kernels[i].run(3000);
        mark();
    }
    return 0;
}
