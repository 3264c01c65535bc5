/* places.c: a construct for each kind of call. All that has an event stands in a function whose name begins with here. */
#ifdef __cplusplus
extern "C" int here(int n);
#endif
#include <omp.h>

int here(int n);
int here(int n)
{
    int sum = 0, late = 0;
    omp_lock_t lock;
    omp_init_lock(&lock);
    for (int again = 0; again < 3; again++) {
        #pragma omp parallel num_threads(2) reduction(+ : sum)
        {
            #pragma omp for schedule(dynamic)
            for (int i = 0; i < n; i++)
                sum += i;
            #pragma omp for ordered
            for (int i = 0; i < n; i++) {
                #pragma omp ordered
                sum += 1;
            }
            #pragma omp sections
            {
                #pragma omp section
                sum += 1;
            }
            #pragma omp single
            {
                #pragma omp taskgroup
                {
                    #pragma omp task shared(late) depend(out : late)
                    late++;
                    #pragma omp task if (n > 1) shared(late) depend(in : late)
                    late--;
                }
                #pragma omp taskwait
                #pragma omp taskloop
                for (int i = 0; i < 2; i++)
                    late = late;
            }
            #pragma omp master
            sum += 1;
            #pragma omp critical
            late += 1;
            omp_set_lock(&lock);
            late -= 1;
            omp_unset_lock(&lock);
            #pragma omp flush
            #pragma omp barrier
        }
    }
    omp_destroy_lock(&lock);
    return sum + late;
}

int main(void) { return here(4) < 0; }
