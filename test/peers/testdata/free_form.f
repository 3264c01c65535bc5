! issue: .f files that hold free form
! coverage: parallel do; atomic
! flags: -ffree-form
! opari: --form=free
program free
implicit none
integer :: i, s
s = 0
!$omp parallel do &
!$omp shared(s)
do i = 1, 10
!$omp atomic
s = s + &
  i
end do
print *, s
end program
