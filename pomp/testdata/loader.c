/* Loads, runs and unloads the libraries argv[1..], 100 times. Its memory must not grow with that: exit code 3. */
#include "unit.h"

#include <dlfcn.h>
#include <sys/resource.h>

UNIT(REGION(1, REGION, "region"))

static long resident(void)
{
    struct rusage u;
    return getrusage(RUSAGE_SELF, &u) == 0 ? u.ru_maxrss : 0;
}

int main(int argc, char **argv)
{
    long before = 0;
    for (int round = 0; round < 100; round++) {
        USER(Begin, 1);
        for (int i = 1; i < argc; i++) {
            void *library = dlopen(argv[i], RTLD_NOW | RTLD_LOCAL);
            void (*work)(void) = library ? (void (*)(void))dlsym(library, "work") : 0;
            if (!work)
                return 2;
            work();
            dlclose(library);
        }
        USER(End, 1);
        if (round == 10)
            before = resident();
    }
    return resident() - before > 2048 ? 3 : 0;
}
