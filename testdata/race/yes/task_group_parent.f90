! The parent writes inside the taskgroup.
program p
  integer :: x
  x = 0
  !$omp parallel num_threads(4)
  !$omp single
  !$omp taskgroup
  !$omp task shared(x)
  x = 1
  !$omp end task
  x = 2
  !$omp end taskgroup
  !$omp end single
  !$omp end parallel
  print *, x > 0
end program
