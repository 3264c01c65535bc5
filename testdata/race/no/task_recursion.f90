! Tasks of a recursion, each with its own variables.
program p
  integer :: f
  !$omp parallel num_threads(4)
  !$omp single
  f = fib(9)
  !$omp end single
  !$omp end parallel
  print *, f
contains
  recursive integer function fib(n) result(r)
    integer, intent(in) :: n
    integer :: a, b
    if (n < 2) then
      r = n
      return
    end if
    !$omp task shared(a)
    a = fib(n - 1)
    !$omp end task
    !$omp task shared(b)
    b = fib(n - 2)
    !$omp end task
    !$omp taskwait
    r = a + b
  end function
end program
