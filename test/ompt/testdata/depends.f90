! A taskwait that depends on a task, which is a task itself, and one that does not. Another
! thread could complete the task before there is a dependence.
program depends
  implicit none
  integer :: cell
!$omp parallel num_threads(1)
!$omp single
!$omp task depend(out: cell)
  cell = 1
!$omp end task
!$omp taskwait depend(in: cell)
!$omp taskwait
!$omp end single
!$omp end parallel
end program
