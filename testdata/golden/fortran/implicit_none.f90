      module m
      implicit none (type, external)
      contains
      subroutine one
      use, intrinsic :: iso_c_binding
!$omp barrier
      call two
!$omp barrier
      contains
      subroutine two
!$omp flush
      end subroutine
      end subroutine
      end module
      subroutine three
!$omp flush
      end subroutine
      program p
      use m
      implicit none (external)
      integer i
!$omp flush
      end program
