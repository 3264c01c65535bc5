C     Names that are keywords, strings, continuation, tabs, columns.
      PROGRAM P
      INTEGER IF(9), DO10I, A(10)
      CHARACTER*40 C
      DO 10 I = 1.5
      DO10I = 2
      IF(1) = 2
      C = '!$omp parallel ; it''s a string that goes to the end of the line an
     1d beyond'
      WRITE (*, 20)
   20 FORMAT (14H!$OMP PARALLEL)
c$omp parallel do private(i,                                             beyond
C a comment between
*$omp+ do10i) sche
!$omp1dule(static)
      do 30 i = 1, 10
      a(i) = 1
3 0   c o n t i n u e
!$omp	barrier
	do j = 1, 3
	a(j) =
	1 2
	end do
C$OMP PARALLEL
c$    a(1) = 2
!$ 50 a(1) =
c$   & 3
      GO TO 50
C$OMP ENDPARALLEL
      END
