! issue: default(none), num_threads, if alone on a continuation line
! coverage: parallel; do; parallel do
program continued
  implicit none
  integer :: i, n, s
  s = 0; n = 2
!$omp parallel &
!$omp& default(none) &
!$omp  shared(n) &
!$omp  num_threads(n) &
!$omp  if(n > 1) &
!$omp  reduction(+: &
!$omp& s)
!$omp do &
!$omp schedule(static)
  do i = 1, 10
    s = s + i
  end do
!$omp end do &
!$omp nowait
!$omp end &
!$omp parallel
!$omp parallel do &
!$omp default(none) &
!$omp shared(n) &
!$omp reduction(+:s)
  do i = 1, n
    s = s + i
  end do
  print *, s
end program
