* SPDX-License-Identifier: BSD-3-Clause
*
* LU factorization of a matrix that is dealt out to a grid element by element. The process column of
* a step broadcasts its part of L along rows, and the process row its part of U along columns.
*
      PROGRAM LU
      INTEGER N, LD
      PARAMETER (N = 24, LD = N)
      INTEGER IAM, NP, P, Q, MYROW, MYCOL, K, I, J, MI, MJ, PK, QK
      INTEGER RA, CA
      DOUBLE PRECISION A(LD, LD), R(LD, LD), L(LD), U(LD), ERR
      CALL INITPINFO(IAM, NP)
      IF (NP .LT. 1) NP = 4
      CALL AUXSETUP(IAM, NP)
      P = INT(SQRT(REAL(NP)))
   10 IF (MOD(NP, P) .NE. 0) THEN
         P = P - 1
         GOTO 10
      END IF
      CALL BLACSINIT(P, NP / P)
      CALL GRIDINFO(P, Q, MYROW, MYCOL)
      MI = (N - MYROW + P - 1) / P
      MJ = (N - MYCOL + Q - 1) / Q
      DO 30 J = 1, MJ
         DO 20 I = 1, MI
            A(I, J) = 1.0D0 / (MYROW + (I-1)*P + MYCOL + (J-1)*Q + 1)
            IF (MYROW + (I-1)*P .EQ. MYCOL + (J-1)*Q)
     $         A(I, J) = A(I, J) + 4
            R(I, J) = A(I, J)
   20    CONTINUE
   30 CONTINUE
      DO 100 K = 0, N - 1
         PK = MOD(K, P)
         QK = MOD(K, Q)
*        The row K of U
         IF (MYROW .EQ. PK) THEN
            DO 40 J = 1, MJ
               U(J) = A(K / P + 1, J)
               IF (MYCOL + (J-1)*Q .LT. K) U(J) = 0
   40       CONTINUE
            CALL DGEBS2D('Column', 'I', MJ, 1, U, LD)
         ELSE
            CALL DGEBR2D('Column', 'I', MJ, 1, U, LD, PK, MYCOL)
         END IF
*        The column K of L
         IF (MYCOL .EQ. QK) THEN
            DO 50 I = 1, MI
               L(I) = A(I, K / Q + 1) / U(K / Q + 1)
               IF (MYROW + (I-1)*P .LT. K) L(I) = 0
   50       CONTINUE
            CALL DGEBS2D('Row', 'Increasing', MI, 1, L, LD)
         ELSE
            CALL DGEBR2D('Row', 'Increasing', MI, 1, L, LD, MYROW, QK)
         END IF
         DO 70 J = 1, MJ
            DO 60 I = 1, MI
               R(I, J) = R(I, J) - L(I) * U(J)
               IF (MYROW + (I-1)*P .GT. K .AND. MYCOL + (J-1)*Q .GT. K)
     $            A(I, J) = A(I, J) - L(I) * U(J)
   60       CONTINUE
   70    CONTINUE
  100 CONTINUE
*     Nothing is left of A - L U
      ERR = 0
      DO 120 J = 1, MJ
         DO 110 I = 1, MI
            ERR = MAX(ERR, ABS(R(I, J)))
  110    CONTINUE
  120 CONTINUE
      CALL DGMAX2D('All', '1-tree', 1, 1, ERR, 1, RA, CA, 1, 0, 0)
      IF (IAM .EQ. 0 .AND. ERR .LT. 1.0D-13)
     $   WRITE (*, 200) NP
  200 FORMAT ('lu: ok on ', I0, ' processes')
      END
