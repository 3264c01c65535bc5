! golden: --functions
      INTEGER FUNCTION SUM3(A, N)
      INTEGER A(*), N
      INTEGER TWICE, X
      DATA X /0/
      TWICE(X) = 2 * X
      SUM3 = TWICE(A(1))
      IF (N.LE.1) RETURN
      DO 20 I = 2, N
        IF (A(I) .LT. 0)
     &    RETURN
        SUM3 = SUM3 + A(I)
   20 CONTINUE
      IF (N .GT. 9) GOTO 30
!$OMP ATOMIC
      N = N + 1
   30 RETURN
      END

      PROGRAM MAIN
      IMPLICIT NONE
      INTEGER A(4), SUM3
      A = 3
!$OMP PARALLEL
      A(1) = 2
!$OMP END PARALLEL
      PRINT *, SUM3(A, 4)
      END
