      call one
!$omp parallel
      call one
!$omp end parallel
      end
      subroutine one
      end
      block data
      common /c/ i
      end block data
