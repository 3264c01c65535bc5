/* One thread makes the tasks, each with a copy of a large array; the other executes them as they come. */
#include "seed.h"

struct field {
    double values[1 << 17];
};

int main(void)
{
    static struct field shared_field;
    struct field *field = &shared_field;
    int64_t lost = 0;
    int line = 0;
    for (int i = 0; i < 1 << 17; i++)
        field->values[i] = i;
#pragma omp parallel num_threads(2)
#pragma omp single
    {
        struct field copy = *field;
        for (int i = 0; i < 100; i++) {
            const int64_t asked = now();
            line = __LINE__ + 1;
#pragma omp task firstprivate(copy)
            {
                if (copy.values[i] < 0)
                    copy.values[i] = 0;
                work(1 * MS);
            }
            lost += now() - asked;
        }
    }
    truth_cause("task-creation", line, lost, "100 tasks, ");
}
