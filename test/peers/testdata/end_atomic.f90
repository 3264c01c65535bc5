! issue: end atomic where it is optional
! coverage: parallel; atomic; atomic; atomic
program ended
  implicit none
  integer :: s, v
  s = 0
!$omp parallel num_threads(2)
!$omp atomic update
  s = s + 1
!$omp end atomic
!$omp atomic
  s = s + 1
!$omp endatomic
!$omp end parallel
!$omp atomic capture
  v = s
  s = s + 1
!$omp end atomic
  print *, s, v
end program
