/* waits_as_task.c: taskwait with dependences, of one task and of none and in a task. */
int cell[4];

int main(void)
{
    #pragma omp parallel num_threads(2)
    #pragma omp master
    {
        #pragma omp task depend(out : cell[0])
        cell[0]++;
        #pragma omp taskwait depend(in : cell[0], cell[2]) depend(out : cell[1])
        #pragma omp taskwait depend(in : cell[2])
        #pragma omp task if (0)
        {
            #pragma omp taskwait depend(in : cell[3])
        }
        #pragma omp taskwait
    }
    return cell[0] != 1;
}
