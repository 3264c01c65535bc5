! issue: a first SECTION left out
! coverage: parallel; sections; section; parallel sections; section
program first
  implicit none
  integer :: s, t
  s = 0; t = 0
!$omp parallel num_threads(2)
!$omp sections
  s = s + 1
!$omp section
  t = t + 2
!$omp end sections
!$omp end parallel
!$omp parallel sections reduction(+:s)
  s = s + 3
!$omp section
  s = s + 4
!$omp end parallel sections
  print *, s, t
end program
