! golden: --functions=*,!left*
module kinds
  implicit none
  type pair
    integer :: a, b
  end type
  interface
    subroutine elsewhere(n)
      integer, intent(in) :: n
    end subroutine
  end interface
contains
  integer function recurse(n) result(r)
    integer, intent(in) :: n
    real :: f, x
    f(x) = x * 2.0
    if (n <= 1) return
    r = recurse(n - 1) &
      + int(f(1.0))
  contains
    subroutine inner(k)
      integer :: k
      k = k + 1; if (k > 3) &
        return ! enough
      k = 0
    end subroutine inner
  end function

  pure function square(x) result(y)
    real, intent(in) :: x
    real :: y
    y = x * x
  end function
  elemental real function cube(x)
    real, intent(in) :: x
    cube = x ** 3
  end function
  subroutine leftAlone()
  end subroutine
end module kinds

subroutine labels(n, *)
  integer n, a(3)
  a(n) = 1
  if (n .eq. 2) goto 10
  if (n .eq. 3) then
    n = 4; return
  end if
  if (n .eq. 5) return 1
  a(1) = 2
  10 return
  99 end

subroutine empty
end subroutine

subroutine twice(n)
  integer :: n
  n = 1
  return
  entry thrice(n)
  n = 2
end subroutine

#ifdef WIDE
subroutine wide(n)
  integer(8) :: n
#else
subroutine wide(n)
  integer(4) :: n
#endif
  n = 1
end subroutine

subroutine bare
  implicit none (external)
  i = 1
  !$omp do
  do k = 1, j
    i = i + 1
  end do
end subroutine

program main
  use kinds, only: recurse
  implicit none (type, external)
  integer :: i
  !$omp parallel
  i = recurse(3)
  !$omp end parallel
  if (i > 9) stop 1
  print *, i
end program
