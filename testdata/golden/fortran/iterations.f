      subroutine counts(a, b, n)
      implicit none
      type t
        integer n
      end type
      type(t) b
      integer n, i, j, k
      integer, parameter :: n_of_the_outer_dimension = 3
      real a(n, n)
!$omp do collapse(2)
      do i = n, 1, -2
        do j = (1 + n) * 2, b%n
          a(i, j) = 0
        end do
        do k = 1, 3
          a(i, k) = 1
        end do
      end do
!$omp do collapse(2)
      do i = 1, n
        do j = i, n
          a(i, j) = 0
        end do
      end do
!$omp do
      do i = 1, size(a)
      end do
!$omp do collapse(2)
      do i = lbound(a, 1), ubound (a, dim=1), max(1, mod(n, 2))
        do j = 1, min(b%n, size(a, 2) - 1)
        end do
      end do
!$omp do
      do i = 1, of_n(n)
      end do
!$omp do collapse(2)
      do i = 1, n
        do j = 1, min(i, n)
        end do
      end do
!$omp parallel do default(none) shared(b) private(k)
      do 10 i = 1, b%n, 2
        do j = 1, 2
        end do
10    continue
!$omp taskloop collapse(3)
      do i = 1, n_of_the_outer_dimension
        do j = n_of_the_outer_dimension, n_of_the_outer_dimension
          do k = 1, n_of_the_outer_dimension - 1; end do
        end do
      end do
!$omp do
      do i = 1,
     & 2 * 
! a comment in between
     & N
     & , 3
      end do
!$omp do
      do i = 1, n_of_the_outer
     &_dimension
      end do
      end subroutine
