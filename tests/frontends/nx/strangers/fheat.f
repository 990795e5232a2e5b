C SPDX-License-Identifier: BSD-3-Clause
C Heat in a rod, without fnx.h and with the implicit types of Fortran
C 77: overlapped messages in a COMMON block, a global residual, and the
C pivot by a function of the program.
      PROGRAM FHEAT
      IMPLICIT REAL*8 (A-H,O-Z)
      PARAMETER (N = 32, MAXP = 64)
      COMMON /ROD/ U(0:N+1), V(0:N+1)
      DIMENSION W(0:N*MAXP+1), WN(0:N*MAXP+1), PIV(2), PWORK(2)
      EXTERNAL PIVOT
      REAL*8 DCLOCK
      IBAD = 0
      T0 = DCLOCK()
      IAM = MYNODE()
      NP = NUMNODES()
      DO 10 I = 0, N * NP + 1
   10 W(I) = MOD(I * I, 19) / 3D0
      W(0) = 0
      W(N * NP + 1) = 0
      DO 20 I = 0, N + 1
   20 U(I) = W(IAM * N + I)
      DO 100 ISTEP = 1, 40
        IDL = -1
        IDR = -1
        IF (IAM .GT. 0) IDL = IRECV(2, U(0), 8)
        IF (IAM .LT. NP - 1) IDR = IRECV(1, U(N + 1), 8)
        IF (IAM .GT. 0) CALL CSEND(1, U(1), 8, IAM - 1, 0)
        IF (IAM .LT. NP - 1) THEN
          IDS = ISEND(2, U(N), 8, IAM + 1, 0)
          CALL MSGWAIT(IDS)
        END IF
        IF (IDL .NE. -1) CALL MSGWAIT(IDL)
   30   IF (IDR .NE. -1) THEN
          IF (MSGDONE(IDR) .EQ. 0) GO TO 30
        END IF
        RES = 0
        DO 40 I = 1, N
          V(I) = U(I) + (U(I - 1) - 2 * U(I) + U(I + 1)) / 4
          RES = MAX(RES, ABS(V(I) - U(I)))
   40   CONTINUE
        CALL GDHIGH(RES, 1, WORK)
        RESW = 0
        DO 50 I = 1, N * NP
          WN(I) = W(I) + (W(I - 1) - 2 * W(I) + W(I + 1)) / 4
          RESW = MAX(RESW, ABS(WN(I) - W(I)))
   50   CONTINUE
        IF (RES .NE. RESW) IBAD = IBAD + 1
        DO 60 I = 1, N * NP
   60   W(I) = WN(I)
        DO 70 I = 1, N
   70   U(I) = V(I)
  100 CONTINUE
      DO 110 I = 1, N
  110 IF (U(I) .NE. W(IAM * N + I)) IBAD = IBAD + 1
C The largest of the points, with the node that has it.
      PIV(1) = MOD(IAM * 5, 7)
      PIV(2) = IAM
      CALL GOPF(PIV, 16, PWORK, PIVOT)
      BEST = -1
      DO 120 I = 0, NP - 1
        IF (MOD(I * 5, 7) .GT. BEST) THEN
          BEST = MOD(I * 5, 7)
          IBEST = I
        END IF
  120 CONTINUE
      IF (PIV(1) .NE. BEST .OR. PIV(2) .NE. IBEST) IBAD = IBAD + 1
      IF (DCLOCK() .LT. T0 .OR. MCLOCK() .LT. 0) IBAD = IBAD + 1
      CALL GISUM(IBAD, 1, IWORK)
      IF (IAM .EQ. 0 .AND. IBAD .EQ. 0) WRITE (6, 99) NP, RES
   99 FORMAT('fheat: ok on ', I0, ' nodes, the residual is ', F8.6)
      IF (IBAD .NE. 0) STOP 1
      END

      SUBROUTINE PIVOT(A, B)
      REAL*8 A(2), B(2)
      IF (B(1) .GT. A(1) .OR.
     &    (B(1) .EQ. A(1) .AND. B(2) .LT. A(2))) THEN
        A(1) = B(1)
        A(2) = B(2)
      END IF
      END
