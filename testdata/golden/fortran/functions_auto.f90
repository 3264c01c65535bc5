! golden: --functions=auto,*
module kinds
contains
  recursive integer function recurse(n) result(r)
    integer, intent(in) :: n
    real :: f, x
    f(x) = x * 2.0
    r = n
    if (n <= 1) return
    r = recurse(n - 1) + int(f(1.0))
  contains
    subroutine inner(k)
      integer :: k
      k = 0
    end subroutine inner
  end function
end module kinds

subroutine saves(n)
  integer n, m
  save
  m = n
  10 return
end subroutine

subroutine alternate(n, *)
  integer :: n, a(3); n = 1
  !$omp parallel
  a(n) = 1
  !$omp end parallel
  if (n .eq. 5) return 1
end subroutine
