! Threads write a common block.
subroutine add(i)
  integer :: i, n
  common /shared/ n
  n = n + i
end subroutine
program p
  integer :: i, n
  common /shared/ n
  n = 0
  !$omp parallel do num_threads(4)
  do i = 1, 100
    call add(i)
  end do
  print *, n > 0
end program
