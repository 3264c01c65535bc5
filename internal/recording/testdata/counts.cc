// 100 rounds; an exception crosses a region that the thread has left then.
#include <stdexcept>
struct Sum {
    long value = 0;
    void add(int n)
    {
#pragma omp critical(sum)
        value += n;
    }
};
int main()
{
    Sum s;
    int caught = 0;
    for (int round = 0; round < 100; round++) {
#pragma omp parallel num_threads(2)
        {
#pragma omp for
            for (int i = 0; i < 8; i++)
                s.add(i);
#pragma omp sections
            {
#pragma omp section
                s.add(1);
            }
        }
        try {
#pragma pomp inst begin(risky)
            throw std::runtime_error("left");
#pragma pomp inst end(risky)
        } catch (const std::exception &) {
            caught++;
        }
    }
    return s.value == 100 * 29 && caught == 100 ? 0 : 1;
}
