      module m
      implicit none
      integer t
!$omp threadprivate(t)
      contains
      pure subroutine one(a)
      real, intent(inout) :: a(10)
      integer i
!$omp simd
      do i = 1, 10
        a(i) = 1
      end do
!$omp parallel
!$omp end parallel
      end subroutine
      elemental real function two(x)
      real, intent(in) :: x
!$omp declare simd(two)
!$omp nothing
      two = x
      end function
      impure elemental subroutine three(x)
      real, intent(inout) :: x
!$omp critical
      x = 1
!$omp end critical
      end subroutine
      subroutine four(a)
      real a(10)
      integer i
      do concurrent (i = 1:10)
!$omp simd
        do t = 1, 2
          a(i) = t
        end do
      end do
      end subroutine
      end module
