! A module's counter without critical.
module m
  integer :: hits = 0
contains
  subroutine hit
    hits = hits + 1
  end subroutine
end module
program p
  use m
  !$omp parallel num_threads(4)
  call hit
  !$omp end parallel
  print *, hits > 0
end program
