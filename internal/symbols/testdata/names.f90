module solver
contains
  subroutine relax(a)
    real(8), intent(inout) :: a(:)
    integer :: i
    !$omp parallel do
    do i = 1, size(a)
      a(i) = a(i) * 0.5d0 + cube(a(i))
    end do
  end subroutine
  real(8) function cube(x)
    real(8), intent(in) :: x
    cube = x * x * x
  end function
end module

subroutine outside(a, n)
  integer, intent(in) :: n
  real(8), intent(inout) :: a(n)
  a = a + 1
end subroutine

program heat
  use solver
  real(8) :: a(1000)
  integer :: i
  a = 1
  call relax(a)
  call outside(a, 1000)
  !$omp parallel do
  do i = 1, 1000
    a(i) = a(i) + sin(a(i))
  end do
  print *, sum(a)
end program
