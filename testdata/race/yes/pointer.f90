! Two pointers lead to overlapping parts.
program p
  integer, target :: block(600)
  integer, pointer :: a(:), b(:)
  integer :: i
  block = 1
  a => block(1:400)
  b => block(101:500)
  !$omp parallel do num_threads(4)
  do i = 1, 400
    a(i) = b(i) + 1
  end do
  print *, block(1) > 0
end program
