/* teams.c: leagues on the host, whose teams GCC's runtime executes one after the other. */
static int a[10];

int main(void)
{
    int sum = 0;
#pragma omp teams num_teams(2)
    {
#pragma omp distribute
        for (int i = 0; i < 10; i++)
            a[i]++;
#pragma omp parallel num_threads(2)
        a[0] += 0 * a[0];
    }
#pragma omp teams distribute simd num_teams(3) reduction(+ : sum) collapse(2)
    for (int i = 0; i < 5; i++)
        for (int j = 0; j < 2; j++)
            sum += a[2 * i + j];
#pragma omp teams distribute parallel for num_teams(2) num_threads(2) reduction(+ : sum)
    for (int i = 0; i < 10; i++)
        sum += a[i];
#pragma omp teams num_teams(1)
    {
#pragma omp distribute parallel for simd schedule(dynamic, 4) num_threads(2)
        for (int i = 0; i < 10; i++)
            a[i]++;
#pragma omp distribute parallel for if(0) dist_schedule(static, 5)
        for (int i = 0; i < 10; i++)
            a[i]++;
    }
    return sum != 20 || a[9] != 3;
}
