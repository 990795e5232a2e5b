* SPDX-License-Identifier: BSD-3-Clause
*
* A Hermitian matrix travels around a ring as its lower triangle, and the upper one comes back
* without its diagonal. Each process completes what it gets.
*
      PROGRAM HERMIT
      INTEGER N, LD
      PARAMETER (N = 9, LD = 12)
      INTEGER IAM, NP, I, J, NEXT, BEFORE, WRONG
      COMPLEX*16 A(LD, N), B(LD, N), C(LD, N)
      CALL INITPINFO(IAM, NP)
      IF (NP .LT. 1) NP = 3
      CALL AUXSETUP(IAM, NP)
      CALL BLACSINIT(1, NP)
      NEXT = MOD(IAM + 1, NP)
      BEFORE = MOD(IAM + NP - 1, NP)
      CALL FILL(A, LD, N, IAM)
      CALL ZTRSD2D('lower triangular', 'non-unit', N, N, A, LD, 0, NEXT)
      CALL ZTRRV2D('lower triangular', 'non-unit', N, N, B, LD, 0,
     $             BEFORE)
      DO 20 J = 1, N
         DO 10 I = 1, J - 1
            B(I, J) = DCONJG(B(J, I))
   10    CONTINUE
   20 CONTINUE
      CALL FILL(C, LD, N, BEFORE)
      WRONG = 0
      DO 40 J = 1, N
         DO 30 I = 1, N
            IF (B(I, J) .NE. C(I, J)) WRONG = WRONG + 1
            C(I, J) = 0
   30    CONTINUE
   40 CONTINUE
      CALL ZTRSD2D('U', 'Unit', N, N, B, LD, 0, BEFORE)
      CALL ZTRRV2D('U', 'Unit', N, N, C, LD, 0, NEXT)
      DO 60 J = 1, N
         DO 50 I = 1, N
            IF (I .LT. J .AND. C(I, J) .NE. A(I, J)) WRONG = WRONG + 1
            IF (I .GE. J .AND. C(I, J) .NE. 0) WRONG = WRONG + 1
   50    CONTINUE
   60 CONTINUE
      CALL IGSUM2D('a', '2', 1, 1, WRONG, 1, 0, 0)
      IF (IAM .EQ. 0 .AND. WRONG .EQ. 0) WRITE (*, 100) NP
  100 FORMAT ('hermite: ok on ', I0, ' processes')
      END
*
      SUBROUTINE FILL(A, LD, N, WHOSE)
      INTEGER LD, N, WHOSE, I, J
      COMPLEX*16 A(LD, N)
      DO 20 J = 1, N
         DO 10 I = 1, N
            A(I, J) = DCMPLX(DBLE(I + J + WHOSE), DBLE((I - J) * 3))
   10    CONTINUE
   20 CONTINUE
      END
