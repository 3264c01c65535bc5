/* A program without OpenMP that loads one with it, for its own use. */
#include <dlfcn.h>

int main(int argc, char **argv)
{
    void *library = argc > 1 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : 0;
    int (*entry)(int, char **) = library != 0 ? (int (*)(int, char **))dlsym(library, "loaded") : 0;
    return entry != 0 ? entry(argc - 1, argv + 1) : 1;
}
