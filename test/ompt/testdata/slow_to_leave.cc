// The threads of inner teams leave when those end, which takes them as long as on a busy machine.
#include <cstdio>
#include <omp.h>
#include <unistd.h>

struct Slow {
    bool worked = false;
    ~Slow()
    {
        if (worked)
            usleep(100000);
    }
};

static thread_local Slow slow;

int main()
{
    int n = 0;
    omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2)
#pragma omp parallel num_threads(2) reduction(+ : n)
    {
        slow.worked = omp_get_thread_num() == 1;
        n++;
    }
    std::printf("%d\n", n);
}
