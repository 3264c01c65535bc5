      subroutine s(a)
      real a(10)
!$omp parallel
!$omp do
      do i = 1, 10
!$omp cancel do if(a(i) < 0)
!$omp cancellation point do
      end do
!$omp end do
!$omp end parallel
!$omp parallel
!$omp do
      do i = 1, 10
        a(i) = 1
      end do
!$omp cancel parallel
!$omp end parallel
      end subroutine
