! Procedures that call each other in one way only; one is inside of another one.
module chain
  implicit none
  double precision, volatile :: sink = 0
contains
  subroutine hot(x)
    double precision, intent(in) :: x(:)
    integer :: i
    call begin
    do i = 1, 200000
      sink = sink + x(1 + mod(i, 8)) / i
    end do
  end subroutine hot

  subroutine begin ! compilers give hot no frame pointer unless it calls
    sink = 0
  end subroutine begin

  subroutine middle(n)
    integer, intent(in) :: n
    double precision :: own(n)
    own = n
    call within(2)
    sink = sink + own(n)
  contains
    subroutine within(k)
      integer, intent(in) :: k
      call hot(own(k:n))
      own(1) = sink
    end subroutine within
  end subroutine middle

  recursive subroutine outer(depth, n)
    integer, intent(in) :: depth, n
    if (depth > 0) then
      call outer(depth - 1, n)
    else
      call middle(n)
    end if
    sink = sink + 1
  end subroutine outer
end module chain

program main
  use chain
  integer :: i
  do i = 1, 600
    call outer(4, 40 + mod(i, 3))
  end do
end program main
