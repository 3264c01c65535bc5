! Workshare deals out an array's elements.
program p
  integer :: a(200), b(200)
  a = 1
  !$omp parallel num_threads(4)
  !$omp workshare
  b = a + 1
  a = b * 2
  !$omp end workshare
  !$omp end parallel
  print *, sum(a)
end program
