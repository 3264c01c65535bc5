      subroutine s(a, n)
      integer n, i, j, x
      real a(n), t
!$omp parallel do default(none) shared(a, n) firstprivate(t)
      do i = 1, n
        a(i) = t
      end do
!$omp parallel do schedule(dynamic, 4) lastprivate(x) reduction(+: t)
      do i = 1, n
        x = i
        t = t + a(i)
      end do
!$omp end parallel do
!$omp paralleldosimd reduction(+:t) if(parallel: n > 9)collapse(2)
      do i = 1, n
        do j = 1, n
          t = t + 1
        end do
      end do
!$omp end parallel do simd
!$omp parallel do linear(x)
      do i = 1, n
        x = x + 1
      end do
!$omp parallel do default(private) shared(n)
      do i = 1, n
        j = i
      end do
      end subroutine
