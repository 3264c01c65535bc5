/* depends.c: three times a taskwait that waits for one of two tasks, and one that waits for both. */
int main(void)
{
    int x = 0, y = 0;
    for (int i = 0; i < 3; i++) {
        #pragma omp parallel num_threads(1)
        {
            #pragma omp task depend(out : x)
            x++;
            #pragma omp task depend(out : y)
            y++;
            #pragma omp taskwait depend(in : x)
            #pragma omp taskwait
        }
    }
    return x + y != 6;
}
