      subroutine s(a, n)
      integer n, i, j
      real a(n)
!$omp parallel
!$omp do
      do i = 1, n
        a(i) = i
      end do
!$omp do schedule(static)
      do 10 i = 1, n
      do 10 j = 1, n
   10 a(i) = j
!$omp do
      outer: do i = 1, n
        if (a(i) > 1) cycle outer
      end do outer
!$omp end do
!$omp do
      do i = 1, n
        a(i) = i
      enddo
!$omp end do nowait
!$omp do simd
      do i = 1, n; a(i) = i; end do; a(1) = 0
!$omp end parallel
      end subroutine
