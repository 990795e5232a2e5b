C SPDX-License-Identifier: BSD-3-Clause
C NX and the BLACS 1.0 alternate in one program of Fortran 77: GSYNC,
C CSEND and GDSUM stand between broadcasts and combines of the BLACS, as
C in LAPACK Working Note 73, appendices D.3 and D.4.
      PROGRAM MIXED
      INCLUDE 'fnx.h'
      INTEGER ME, P, K, J, BAD, SRC, NEXT, BEFORE, LEN, IW
      INTEGER NOTE, HEARD, RA(400), CA(400)
      DOUBLE PRECISION X(400), W(400), T
      CALL INITPINFO(ME, P)
      IF (P .LT. 1) P = 3
      CALL AUXSETUP(ME, P)
      CALL BLACSINIT(1, P)
      BAD = 0
      IF (MYNODE() .NE. ME .OR. NUMNODES() .NE. P) BAD = BAD + 1
      NEXT = MOD(ME + 1, P)
      BEFORE = MOD(ME + P - 1, P)
      DO 100 K = 1, 20
        SRC = MOD(K, P)
        LEN = 20*K
        NOTE = 100*ME + K
        CALL CSEND(K, NOTE, 4, NEXT, 0)
        CALL GSYNC()
C       A broadcast of NX, which is a message to all others.
        DO 10 J = 1, LEN
          X(J) = -1
          IF (ME .EQ. SRC) X(J) = K + J
   10   CONTINUE
        IF (ME .EQ. SRC) THEN
          CALL CSEND(1000 + K, X, 8*LEN, -1, 0)
        ELSE
          CALL CRECV(1000 + K, X, 3200)
          IF (INFONODE() .NE. SRC) BAD = BAD + 1
          IF (INFOCOUNT() .NE. 8*LEN) BAD = BAD + 1
        END IF
        CALL GSYNC()
C       A broadcast of the BLACS
        DO 20 J = 1, LEN
          IF (X(J) .NE. K + J) BAD = BAD + 1
          IF (ME .NE. SRC) X(J) = -1
   20   CONTINUE
        IF (ME .EQ. SRC) THEN
          CALL DGEBS2D('All', 'Hypercube', LEN, 1, X, LEN)
        ELSE
          CALL DGEBR2D('All', 'Hypercube', LEN, 1, X, LEN, 0, SRC)
        END IF
C       Sums of both, one after the other
        DO 30 J = 1, LEN
          IF (X(J) .NE. K + J) BAD = BAD + 1
          X(J) = ME + J
   30   CONTINUE
        CALL GDSUM(X, LEN, W)
        DO 40 J = 1, LEN
          IF (X(J) .NE. P*J + P*(P - 1)/2) BAD = BAD + 1
          X(J) = ME + J
   40   CONTINUE
        CALL DGSUM2D('All', '1-tree', LEN, 1, X, LEN, -1, 0)
        DO 50 J = 1, LEN
          IF (X(J) .NE. P*J + P*(P - 1)/2) BAD = BAD + 1
          X(J) = ME + J
   50   CONTINUE
        CALL DGMAX2D('All', '1-tree', LEN, 1, X, LEN, RA, CA, LEN,
     &    -1, 0)
        DO 60 J = 1, LEN
          IF (X(J) .NE. P - 1 + J) BAD = BAD + 1
          IF (RA(J) .NE. 0 .OR. CA(J) .NE. P - 1) BAD = BAD + 1
   60   CONTINUE
C       A number of the BLACS goes round while that of NX waits.
        T = ME
        CALL DGESD2D(1, 1, T, 1, 0, NEXT)
        CALL DGERV2D(1, 1, T, 1, 0, BEFORE)
        IF (T .NE. BEFORE) BAD = BAD + 1
        CALL CRECV(-1, HEARD, 4)
        IF (INFOTYPE() .NE. K .OR. INFONODE() .NE. BEFORE) BAD = BAD+1
        IF (HEARD .NE. 100*BEFORE + K) BAD = BAD + 1
        IF (IPROBE(-1) .NE. 0) BAD = BAD + 1
        CALL GSYNC()
  100 CONTINUE
      CALL GISUM(BAD, 1, IW)
      IF (ME .EQ. 0) WRITE (*, 200) P, BAD
  200 FORMAT ('Fortran, NX and BLACS 1.0: ', I3, ' nodes, ', I4,
     &  ' wrong')
      CALL BLACSEXIT(0)
      IF (BAD .NE. 0) STOP 1
      END
