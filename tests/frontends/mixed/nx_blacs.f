C SPDX-License-Identifier: BSD-3-Clause
C NX and the BLACS 1.1 alternate in one program of Fortran 77: messages
C of each wait while the other one communicates.
      PROGRAM MIXED
      INCLUDE 'fnx.h'
      INTEGER ME, P, NEXT, BEFORE, K, I, BAD, IW, ICTXT, NUM, CNT
      INTEGER ID, NOTE, HEARD, LATER, ROWS, NPR, NPC, MYR, MYC, PR, PC
      DOUBLE PRECISION A(30, 20), B(30, 20), S, W
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
        NOTE = 100*ME + K
        HEARD = -1
        LATER = -1
        DO 20 I = 1, 20
          A(1, I) = ME*1000 + I + K
          A(29, I) = -A(1, I)
          A(30, I) = 7
          B(30, I) = 5
   20   CONTINUE
        ID = IRECV(-1, HEARD, 4)
        CALL BLACS_PCOORD(ICTXT, NEXT, PR, PC)
        CALL DGESD2D(ICTXT, 29, 20, A, 30, PR, PC)
        CALL CSEND(K, NOTE, 4, NEXT, 0)
        CALL CSEND(K + 500, NOTE, 4, NEXT, 0)
        S = ME
        CALL DGSUM2D(ICTXT, 'All', ' ', 1, 1, S, 1, -1, -1)
        IF (S .NE. P*(P - 1)/2) BAD = BAD + 1
        CALL MSGWAIT(ID)
        IF (INFOTYPE() .NE. K .OR. HEARD .NE. 100*BEFORE + K) BAD=BAD+1
        S = 1
        CALL GDSUM(S, 1, W)
        IF (S .NE. P) BAD = BAD + 1
        CALL BLACS_PCOORD(ICTXT, BEFORE, PR, PC)
        CALL DGERV2D(ICTXT, 29, 20, B, 30, PR, PC)
        DO 30 I = 1, 20
          IF (B(1, I) .NE. BEFORE*1000 + I + K) BAD = BAD + 1
          IF (B(29, I) .NE. -B(1, I) .OR. B(30, I) .NE. 5) BAD = BAD+1
   30   CONTINUE
C       A broadcast along the rows, and a sum of the columns.
        S = -1
        IF (MYC .EQ. MOD(K, NPC)) THEN
          S = 3*MYR
          CALL DGEBS2D(ICTXT, 'Row', ' ', 1, 1, S, 1)
        ELSE
          CALL DGEBR2D(ICTXT, 'Row', ' ', 1, 1, S, 1, MYR, MOD(K, NPC))
        END IF
        CALL GSYNC()
        CALL DGSUM2D(ICTXT, 'Column', ' ', 1, 1, S, 1, -1, -1)
        IF (S .NE. 3*(NPR*(NPR - 1)/2)) BAD = BAD + 1
        CALL CRECV(-1, LATER, 4)
        IF (INFOTYPE() .NE. K + 500 .OR. LATER .NE. HEARD) BAD = BAD+1
        IF (IPROBE(-1) .NE. 0) BAD = BAD + 1
        CALL GSYNC()
  100 CONTINUE
      CALL BLACS_GRIDEXIT(ICTXT)
      CALL GISUM(BAD, 1, IW)
      IF (ME .EQ. 0) WRITE (*, 200) P, BAD
  200 FORMAT ('Fortran, NX and BLACS 1.1: ', I3, ' nodes, ', I4,
     &  ' wrong')
      IF (BAD .NE. 0) STOP 1
      END
