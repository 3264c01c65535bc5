      program p
      real x(3)
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
!$omp parallel default(none) shared(x)
!$pomp inst begin(inner, x(2))
!$pomp inst end(inner)
!$omp end parallel
!$pomp inst finalize
      end program
