! balance HERE
program rows
  use, intrinsic :: iso_c_binding
  implicit none
  interface
    subroutine rest(us) bind(c, name="usleep")
      import c_int
      integer(c_int), value :: us
    end subroutine
  end interface
  integer :: step, i
  do step = 1, 10
    !$omp parallel num_threads(4)
    !$omp do schedule(static) ! HERE
    do i = 1, 8
#ifdef CHANGED
      call rest(22500)
#else
      call rest(5000 * i)
#endif
    end do
    !$omp end do
    !$omp single
    call rest(12000)
    !$omp end single
    !$omp end parallel
  end do
end program
