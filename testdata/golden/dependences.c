/* The order of the dependences, which the compiler sorts by kind, stands behind the names of regions. */
void dependences(char *c, omp_depend_t o)
{
#pragma omp task depend(in: c[0], c[1]) depend(out: c[2]) depend(mutexinoutset: c[3])
    c[0]++;
#pragma omp task depend(iterator(i = 0:4), in: c[i], c[i + 4]) depend(depobj: o)
    c[0]++;
#pragma omp target teams depend(inoutset: c[0]) depend(inout: c[1])
    c[0]++;
#pragma omp taskwait depend(in: c[0]) depend(out: omp_all_memory)
#pragma omp taskwait depend(in: c[0])
}
