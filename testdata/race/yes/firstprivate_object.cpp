// Copies of an object share what they point to.
#include <cstdio>
struct Part {
    int *p;
};
int main()
{
    int x = 0;
    Part part{&x};
#pragma omp parallel num_threads(4) firstprivate(part)
    *part.p += 1;
    std::printf("%d\n", x > 0);
}
