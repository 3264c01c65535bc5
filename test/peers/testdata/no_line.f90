! issue: compilers without #line
! coverage: parallel; single
! opari: --nosrc
! flags: -Werror
program no_line
  implicit none
  integer :: s
  s = 0
!$omp parallel num_threads(2)
!$omp single
  s = s + 1
!$omp end single
!$omp end parallel
  print *, s
end program
