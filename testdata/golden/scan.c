/* A directive with an inscan reduction is not split: clang 19 scans wrongly in a loop that is not combined with its parallel. */
int a[10], b[10];

int f(void) {
    int s = 0;
    #pragma omp parallel for reduction(inscan, +: s)
    for (int i = 0; i < 10; i++) {
        s += a[i];
        #pragma omp scan inclusive(s)
        b[i] = s;
    }
    return s;
}
