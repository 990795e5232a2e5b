* SPDX-License-Identifier: BSD-3-Clause
*
* Several grids with tasks of their own at the same time, whose processes join a larger grid
* afterwards. Processes with an odd number sum integers, the others complex numbers.
*
      PROGRAM MULTI
      INTEGER IAM, NP, MAP(1024), N, I, TURN, P, Q, MYROW, MYCOL, S
      COMPLEX Z
      CALL INITPINFO(IAM, NP)
      IF (NP .LT. 1) THEN
         NP = 5
         CALL AUXSETUP(IAM, NP)
      END IF
      DO 100 TURN = 1, 10
         N = 0
         DO 10 I = NP - 1, 0, -1
            IF (MOD(I, 2) .EQ. MOD(IAM, 2)) THEN
               N = N + 1
               MAP(N) = I
            END IF
   10    CONTINUE
         CALL GRIDMAP(MAP, 1, 1, N)
         CALL GRIDINFO(P, Q, MYROW, MYCOL)
         IF (Q .NE. N .OR. MAP(MYCOL + 1) .NE. IAM) STOP 1
         IF (MOD(IAM, 2) .EQ. 1) THEN
            DO 20 I = 1, TURN
               S = IAM
               CALL IGSUM2D('Row', 'T', 1, 1, S, 1, -1, 0)
               IF (S .NE. N * N) STOP 2
   20       CONTINUE
         ELSE
            Z = CMPLX(IAM, 1)
            CALL CGSUM2D('All', 'H', 1, 1, Z, 1, -1, 0)
            IF (Z .NE. CMPLX(N * (N - 1), N)) STOP 3
         END IF
*        Now all of them, in a column
         CALL BLACSINIT(NP, 1)
         S = 1
         CALL IGSUM2D('Column', 'F', 1, 1, S, 1, -1, 0)
         IF (S .NE. NP) STOP 4
*        And only one, which the others know nothing of
         IF (IAM .EQ. NP - 1) THEN
            CALL GRIDMAP(IAM, 1, 1, 1)
            CALL IGSUM2D('All', '1', 1, 1, S, 1, 0, 0)
            IF (S .NE. NP .OR. KPNUM(0, 0) .NE. IAM) STOP 5
         END IF
  100 CONTINUE
      IF (IAM .EQ. 0) WRITE (*, 200) NP
  200 FORMAT ('multi: ok on ', I0, ' processes')
      END
