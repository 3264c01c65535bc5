/* works.c: three regions of four threads, with a loop and a critical section on each. */
int main(void)
{
    int sum = 0;
    for (int again = 0; again < 3; again++) {
        #pragma omp parallel num_threads(4)
        {
            #pragma omp for nowait
            for (int i = 0; i < 8; i++)
                ;
            #pragma omp critical
            sum++;
        }
    }
    return sum != 12;
}
