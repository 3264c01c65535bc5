program p   ! names that are keywords, strings, continuation
  implicit none
  integer :: an_integer_variable_with_a_long_name, another_one_longer
  integer :: if(9), do, end(3), enddo, block(3), parallel
  character(40) :: c
  if(1) = 2; do = 3; end(1) = 4; enddo = 5; block = 6
  c = '!$omp parallel ; it''s & a string'
  c = "a string &
     &that goes on ! no comment"
  print '(5Hdo''10, i3)', do
!$omp par&
!$omp&allel private & ! a comment

  ! another
!$omp   (do) &
!$omp if&
!$omp(if(1) > 1)
  do while (do < 4)
    do = do + 1
  end do
  !$omp atomic
  do = do + 1; !$omp
  !$omp critical
  if (do > 3) do = 1
  !$omp end critical
  !$ do = 3; do = &
  !$ & 4
  !$omp&and this is a comment
!$omp end par&
!$ompallel
  !$ompx end
  ! the next one is too long for a line
  !$omp parallel sections private(if, an_integer_variable_with_a_long_name, another_one_longer) num_threads(4)
  !$omp end parallel sections
  continue
end program
