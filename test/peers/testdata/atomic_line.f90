! issue: an atomic statement not alone on its line
! coverage: parallel; atomic; atomic; atomic
program lines
  implicit none
  integer :: s, t, v
  s = 0; t = 0; v = 0
!$omp parallel num_threads(2)
!$omp atomic
  s = s + 1; continue
!$omp atomic update
  t = t + 2 ; if (s < 0) t = 0
!$omp end parallel
!$omp atomic read
  v = s; s = v * 2
  print *, s, t, v
end program
