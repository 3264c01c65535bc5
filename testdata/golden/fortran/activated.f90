program p
!P$ integer :: i
!p$ i = 1; &
!P$ & i = 2
  print *, 1
  !P$ if (i > 1) then
!$omp barrier
  !P$ end if
!P$x no sentinel
end program
