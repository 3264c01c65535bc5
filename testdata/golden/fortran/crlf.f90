subroutine s
!$omp barrier
!$omp parallel do
do i = 1, 3; x = i; end do; y = x
end subroutine