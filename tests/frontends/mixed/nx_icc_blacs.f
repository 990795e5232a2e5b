C SPDX-License-Identifier: BSD-3-Clause
C NX, iCC and the BLACS alternate in one Fortran 77 program. A receive
C of NX that accepts every type gets messages of NX only.
      PROGRAM MIXED
      INCLUDE 'fnx.h'
      INCLUDE 'ficc.h'
      INTEGER ME, P, NEXT, BEFORE, K, I, BAD, IW, ICTXT, NUM, CNT
      INTEGER ID, OUT(4), IN(4), MORE(4), ROWS, NPR, NPC, MYR, MYC
      INTEGER PR, PC, IERR
      DOUBLE PRECISION X(200), W(200), S, T
      CALL ICC_INITIALIZE()
      IERR = ICC_G_GROUP_INIT()
      ME = MYNODE()
      P = NUMNODES()
      NEXT = MOD(ME + 1, P)
      BEFORE = MOD(ME + P - 1, P)
      BAD = 0
      CALL BLACS_PINFO(NUM, CNT)
      IF (NUM .NE. ME .OR. CNT .NE. P) BAD = BAD + 1
      ROWS = 1
   10 IF (ROWS*ROWS .LT. P .OR. MOD(P, ROWS) .NE. 0) THEN
        ROWS = ROWS + 1
        GOTO 10
      END IF
      CALL BLACS_GET(-1, 0, ICTXT)
      CALL BLACS_GRIDINIT(ICTXT, 'Row', ROWS, P/ROWS)
      CALL BLACS_GRIDINFO(ICTXT, NPR, NPC, MYR, MYC)
      DO 100 K = 1, 20
        DO 20 I = 1, 4
          OUT(I) = ME*10 + I + K
          IN(I) = -1
          MORE(I) = -1
   20   CONTINUE
        ID = IRECV(-1, IN, 16)
        CALL CSEND(K, OUT, 16, NEXT, 0)
        CALL CSEND(K + 500, OUT, 8, NEXT, 0)
C       iCC sums, the BLACS send, NX sums, and all wait for the others.
        DO 30 I = 1, 200
          X(I) = ME + I
   30   CONTINUE
        CALL ICC_GDSUM(X, 200, W)
        DO 40 I = 1, 200
          IF (X(I) .NE. P*I + P*(P - 1)/2) BAD = BAD + 1
   40   CONTINUE
        CALL BLACS_PCOORD(ICTXT, NEXT, PR, PC)
        S = 2.5D0*ME
        CALL DGESD2D(ICTXT, 1, 1, S, 1, PR, PC)
        CALL MSGWAIT(ID)
        IF (INFOTYPE() .NE. K .OR. INFONODE() .NE. BEFORE) BAD = BAD+1
        DO 50 I = 1, 4
          IF (IN(I) .NE. BEFORE*10 + I + K) BAD = BAD + 1
   50   CONTINUE
        X(1) = 1
        CALL GDSUM(X, 1, W)
        IF (X(1) .NE. P) BAD = BAD + 1
        CALL ICC_BCAST(X, 1600, MOD(K, P))
        IF (X(1) .NE. P) BAD = BAD + 1
        CALL BLACS_PCOORD(ICTXT, BEFORE, PR, PC)
        CALL DGERV2D(ICTXT, 1, 1, T, 1, PR, PC)
        IF (T .NE. 2.5D0*BEFORE) BAD = BAD + 1
        CALL DGSUM2D(ICTXT, 'All', ' ', 1, 1, S, 1, -1, -1)
        IF (S .NE. 2.5D0*(P*(P - 1)/2)) BAD = BAD + 1
        CALL CRECV(-1, MORE, 16)
        IF (INFOTYPE() .NE. K + 500 .OR. INFOCOUNT() .NE. 8) BAD=BAD+1
        IF (MORE(2) .NE. BEFORE*10 + 2 + K) BAD = BAD + 1
        IF (MORE(3) .NE. -1) BAD = BAD + 1
        IERR = ICC_G_BARRIER(ICC_G_COMM_WORLD)
        IF (IERR .NE. ICC_G_OK .OR. IPROBE(-1) .NE. 0) BAD = BAD + 1
        CALL GSYNC()
  100 CONTINUE
      CALL BLACS_GRIDEXIT(ICTXT)
      CALL ICC_GISUM(BAD, 1, IW)
      IF (ME .EQ. 0) WRITE (*, 200) P, BAD
  200 FORMAT ('Fortran, three interfaces: ', I3, ' nodes, ', I4,
     &  ' wrong')
      IF (BAD .NE. 0) STOP 1
      END
