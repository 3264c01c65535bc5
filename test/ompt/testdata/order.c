/* order.c: tasks whose dependences the compiler sorts. What stands beside each is what is to be told. Also as C++. */
#include "order.h"
#include <omp.h>

#ifdef __cplusplus
template <typename T> static void in_template(T *c)
{
    #pragma omp task depend(in : c[0], c[1]) depend(out : c[2]) depend(in : c[3]) /* i0 i1 +2 i3 */
    c[0]++;
}
#else
static void in_template(char *c)
{
    #pragma omp task depend(in : c[0], c[1]) depend(out : c[2]) depend(in : c[3]) /* i0 i1 +2 i3 */
    c[0]++;
}
#endif

#define TWO cells[4], cells[5]

int main(void)
{
    omp_depend_t object;
    int many = 70;
    #pragma omp depobj(object) depend(inout : cells[9])
    #pragma omp task depend(in : cells[0]) depend(out : cells[1], cells[2]) depend(in : cells[3]) /* i0 +1 +2 i3 */
    cells[0]++;
    #pragma omp task depend(in : cells[0]) depend(mutexinoutset : cells[1], cells[2]) depend(inout : cells[3]) if (0) /* i0 m1 m2 +3 */
    cells[0]++;
    #pragma omp task depend(depobj : object) depend(in : cells[0], cells[1]) depend(out : cells[2]) /* +9 i0 i1 +2 */
    cells[0]++;
    #pragma omp task depend(in : cells[9]) depend(iterator(i = 0 : 3), in : cells[i]) depend(in : cells[8], cells[7]) /* i9 i0 i1 i2 i8 i7 */
    cells[0]++;
    #pragma omp task depend(out : cells[9]) depend(iterator(i = 0 : 2), in : cells[i], cells[i + 4]) depend(in : cells[8]) /* +9 i0 i4 i1 i5 i8 */
    cells[0]++;
    #pragma omp task depend(iterator(i = 0 : 0), in : cells[i]) depend(in : cells[8]) depend(out : cells[9]) /* i8 +9 */
    cells[0]++;
    #pragma omp task depend(iterator(i = 0 : 2), in : cells[i]) depend(iterator(i = 3 : 5), out : cells[i]) /* i0 i1 +3 +4 */
    cells[0]++;
    #pragma omp task depend(in : cells[0]) depend(iterator(i = 1 : many), in : cells[i]) depend(out : cells[90]) /* i0 ... i69 +90 */
    cells[0]++;
    #pragma omp taskwait depend(in : cells[0], cells[1]) depend(out : cells[2]) /* i0 i1 +2 */
    #pragma omp target nowait map(tofrom : cells) depend(in : cells[0], cells[1]) depend(out : cells[2]) /* i0 i1 +2 */
    cells[0]++;
    #pragma omp target teams nowait map(tofrom : cells) depend(in : cells[0], cells[1]) depend(out : cells[2]) /* i0 i1 +2 */
    cells[0]++;
    #pragma omp target update nowait to(cells) depend(in : cells[0], cells[1]) depend(out : cells[2]) /* i0 i1 +2 */
    in_template(cells);
    #pragma omp task depend(iterator(i = 0 : 2), in : cells[i]) depend(iterator(i = 3 : 5), in : cells[i]) depend(out : cells[9]) /* not known: the runtime's */
    cells[0]++;
    #pragma omp taskwait
    #pragma omp depobj(object) destroy
    #pragma omp task depend(in : TWO) depend(out : cells[9]) /* i4 i5 +9, where macros have been replaced */
    cells[0]++;
}
