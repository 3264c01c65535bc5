! Directives with branches of #if inside: calls stand behind all of them, or the directive is left alone.
program p
  integer :: i, s
  s = 0
!$omp parallel &
#ifdef A
!$omp private(i)
#else
!$omp private(i) &
!$omp reduction(+:s)
#endif
  i = 1
!$omp end parallel
!$omp parallel private(i) &
#ifdef A
!$omp& num_threads(2) &
#else
!$omp& num_threads(3) &
#endif
!$omp& reduction(+:s)
  i = 1
!$omp end parallel
!$omp parallel &
#ifdef A
!$omp do reduction(+:s)
#else
!$omp do reduction(+:s) schedule(static)
#endif
  do i = 1, 4
    s = s + i
  end do
!$omp parallel do &
#if defined(A) && \
    defined(B)
!$omp schedule(static) &
#else
#  ifdef A
!$omp schedule(guided) &
#  endif
#endif
!$omp reduction(+:s)
  do i = 1, 4
    s = s + i
  end do
#ifdef A
!$omp parallel do &
!$omp reduction(+:s) &
#else
!$omp parallel do reduction(+:s) schedule(static) &
#endif
!$omp private(i)
  do i = 1, 4
    s = s + i
  end do
!$omp end parallel do
!$omp parallel &
#ifdef A
!$omp private(i)
  i = 1
#else
!$omp reduction(+:s)
  i = 2
#endif
  i = i + 1
!$omp end parallel
  print *, s
end program
