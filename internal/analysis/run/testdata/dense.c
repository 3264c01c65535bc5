/* Two threads that do nothing but update a sum. */
int main(void)
{
    long sum = 0;
#pragma omp parallel for num_threads(2)
    for (int i = 0; i < 400000; i++)
    {
#pragma omp atomic
        sum += i;
    }
    return sum == 0;
}
