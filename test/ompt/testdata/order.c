/* order.c: tasks whose dependences the compiler sorts. The comment beside each is what has to be reported. Also as C++. */
#include "order.h"
#include <omp.h>

#ifdef __cplusplus
template <typename T> static void made(T *c)
#else
static void made(char *c)
#endif
{
    #pragma omp task depend(in : c[10], c[11]) depend(out : c[12]) depend(in : c[13]) /* i10 i11 +12 i13 */
    c[0]++;
}

#define TWO cells[4], cells[5]

int main(void)
{
    omp_depend_t object;
    int many = 70; /* more than the library has room for on the stack */
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
    #pragma omp task depend(in : cells[0]) depend(iterator(i = 1 : many), in : cells[i]) depend(out : cells[90]) /* i0 i1 i2 i3 i4 i5 i6 i7 i8 i9 i10 i11 i12 i13 i14 i15 i16 i17 i18 i19 i20 i21 i22 i23 i24 i25 i26 i27 i28 i29 i30 i31 i32 i33 i34 i35 i36 i37 i38 i39 i40 i41 i42 i43 i44 i45 i46 i47 i48 i49 i50 i51 i52 i53 i54 i55 i56 i57 i58 i59 i60 i61 i62 i63 i64 i65 i66 i67 i68 i69 +90 */
    cells[0]++;
    #pragma omp taskwait depend(in : cells[0], cells[1]) depend(out : cells[2]) /* i0 i1 +2 */
    #pragma omp target nowait map(tofrom : cells) depend(in : cells[0], cells[1]) depend(out : cells[2]) /* i0 i1 +2 */
    cells[0]++;
    #pragma omp target teams nowait map(tofrom : cells) depend(in : cells[0], cells[1]) depend(out : cells[2]) /* i0 i1 +2 */
    cells[0]++;
    #pragma omp target update nowait to(cells) depend(in : cells[0], cells[1]) depend(out : cells[2]) /* i0 i1 +2 */
    made(cells);
    #pragma omp task depend(iterator(i = 0 : 2), in : cells[i]) depend(iterator(i = 3 : 5), in : cells[i]) depend(out : cells[9]) /* +9 i3 i4 i0 i1 as the runtime has it: how many each iterator makes is not known */
    cells[0]++;
    #pragma omp depobj(object) destroy
    #pragma omp task depend(in : TWO) depend(out : cells[9]) /* i4 i5 +9 */
    cells[0]++;
}
