/* A program, and with -DLOADED a library that it loads twice. */
#ifdef LOADED
int work(void)
{
    int n = 0;
#pragma pomp inst begin(loaded)
#pragma omp parallel
    {
#pragma omp critical(inside)
        n++;
#pragma omp barrier
    }
#pragma pomp inst end(loaded)
    return n;
}
#else
#include <dlfcn.h>
#include <stdio.h>

int main(void)
{
    int n = 0;
#pragma omp parallel reduction(+ : n)
    n++;
    for (int i = 0; i < 2; i++) {
        void *library = dlopen("./loaded.so", RTLD_NOW);
        if (library == NULL)
            return puts(dlerror());
        n += ((int (*)(void))dlsym(library, "work"))();
        dlclose(library);
    }
    return n < 3;
}
#endif
