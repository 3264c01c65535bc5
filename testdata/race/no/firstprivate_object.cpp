// The copy constructor copies what the object has, for tasks too.
#include <cstdio>
struct Part {
    int *p;
    Part() : p(new int(0)) {}
    Part(const Part &o) : p(new int(*o.p)) {}
    Part &operator=(const Part &) = delete;
    ~Part() { delete p; }
};
int main()
{
    Part part;
    int s = 0;
#pragma omp parallel num_threads(4) firstprivate(part)
    {
        *part.p += 1;
#pragma omp single
        for (int i = 0; i < 8; i++) {
#pragma omp task firstprivate(part)
            {
                *part.p += i;
#pragma omp atomic
                s += *part.p;
            }
        }
    }
    std::printf("%d\n", s);
}
