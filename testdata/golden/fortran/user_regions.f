      program p
!$pomp inst init
!$omp inst begin(Work)
      call one
!$pomp inst altend(Work)
!$omp inst end(Work)
!$pomp inst off
!$pomp inst on
!$pomp noinstrument
!$omp barrier
!$pomp instrument
!$omp barrier
!$pomp inst finalize
      end program
