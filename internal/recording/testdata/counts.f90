! Argument: none. 100 rounds.
program counts
  implicit none
  integer :: i, round, total
  total = 0
  do round = 1, 100
    !$omp parallel num_threads(2)
    !$omp do reduction(+:total)
    do i = 1, 10
      total = total + i
    end do
    !$omp end do
    !$omp critical (gate)
    total = total + 1
    !$omp end critical (gate)
    !$omp single
    total = total + 1
    !$omp end single
    !$omp end parallel
  end do
  if (total /= 100 * (55 + 2 + 1)) stop 1
end program
