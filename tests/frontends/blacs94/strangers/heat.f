* SPDX-License-Identifier: BSD-3-Clause
*
* Jacobi's iteration on a plate that is dealt out to a grid in blocks. Neighbours exchange edges; an
* edge along a row is not contiguous. A plane is a solution, so it must stay as it is.
*
      PROGRAM HEAT
      INTEGER M, N, LD
      PARAMETER (M = 10, N = 7, LD = M + 2)
      INTEGER IAM, NP, P, Q, MYROW, MYCOL, STEP, I, J, RA, CA
      REAL T(0:M+1, 0:N+1), S(0:M+1, 0:N+1), DIFF
      CALL INITPINFO(IAM, NP)
      IF (NP .LT. 1) THEN
         NP = 6
         CALL AUXSETUP(IAM, NP)
      END IF
      P = 1
      IF (MOD(NP, 2) .EQ. 0) P = 2
      CALL BLACSINIT(P, NP / P)
      CALL GRIDINFO(P, Q, MYROW, MYCOL)
      DO 20 J = 0, N + 1
         DO 10 I = 0, M + 1
            T(I, J) = 2 * (MYROW * M + I) + MYCOL * N + J
            IF (I .EQ. 0 .AND. MYROW .GT. 0 .OR.
     $          I .GT. M .AND. MYROW .LT. P - 1 .OR.
     $          J .EQ. 0 .AND. MYCOL .GT. 0 .OR.
     $          J .GT. N .AND. MYCOL .LT. Q - 1) T(I, J) = -99
   10    CONTINUE
   20 CONTINUE
      DO 100 STEP = 1, 25
         IF (MYROW .GT. 0)
     $      CALL SGESD2D(1, N, T(1, 1), LD, MYROW - 1, MYCOL)
         IF (MYROW .LT. P - 1)
     $      CALL SGESD2D(1, N, T(M, 1), LD, MYROW + 1, MYCOL)
         IF (MYCOL .GT. 0)
     $      CALL SGESD2D(M, 1, T(1, 1), LD, MYROW, MYCOL - 1)
         IF (MYCOL .LT. Q - 1)
     $      CALL SGESD2D(M, 1, T(1, N), LD, MYROW, MYCOL + 1)
         IF (MYROW .LT. P - 1)
     $      CALL SGERV2D(1, N, T(M + 1, 1), LD, MYROW + 1, MYCOL)
         IF (MYROW .GT. 0)
     $      CALL SGERV2D(1, N, T(0, 1), LD, MYROW - 1, MYCOL)
         IF (MYCOL .LT. Q - 1)
     $      CALL SGERV2D(M, 1, T(1, N + 1), LD, MYROW, MYCOL + 1)
         IF (MYCOL .GT. 0)
     $      CALL SGERV2D(M, 1, T(1, 0), LD, MYROW, MYCOL - 1)
         DO 40 J = 1, N
            DO 30 I = 1, M
               S(I, J) = (T(I-1,J) + T(I+1,J) + T(I,J-1) + T(I,J+1)) / 4
   30       CONTINUE
   40    CONTINUE
         DIFF = 0
         DO 60 J = 1, N
            DO 50 I = 1, M
               DIFF = MAX(DIFF, ABS(S(I, J) - T(I, J)))
               T(I, J) = S(I, J)
   50       CONTINUE
   60    CONTINUE
         CALL SGMAX2D('All', 'Hypercube', 1, 1, DIFF, 1, RA, CA, 1, -1,
     $                -1)
         IF (DIFF .GT. 1.0E-3) STOP 1
  100 CONTINUE
      IF (IAM .EQ. 0) WRITE (*, 200) NP
  200 FORMAT ('heat: ok on ', I0, ' processes')
      CALL BLACSEXIT(0)
      END
