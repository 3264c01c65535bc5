! A module's counter under critical.
module m
  integer :: hits = 0
contains
  subroutine hit
    !$omp critical (counter)
    hits = hits + 1
    !$omp end critical (counter)
  end subroutine
end module
program p
  use m
  !$omp parallel num_threads(4)
  call hit
  !$omp end parallel
  print *, hits
end program
