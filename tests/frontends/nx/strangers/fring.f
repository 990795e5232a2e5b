C SPDX-License-Identifier: BSD-3-Clause
C A ring, a broadcast and global operations in Fortran 77. Messages of
C all data types go through the same CSEND and CRECV.
      PROGRAM FRING
      INCLUDE 'fnx.h'
      INTEGER ME, P, LEFT, RIGHT, I, BAD, IWORK, N
      INTEGER IX(3), LENS(0:63), NODES(0:63), ISUM(4), IWK(4)
      REAL R(50), RWORK(50)
      DOUBLE PRECISION X(1000), WORK(1000), ALL(200)
      LOGICAL L, LWORK
      CHARACTER*12 TEXT
      ME = MYNODE()
      P = NUMNODES()
      LEFT = MOD(ME + P - 1, P)
      RIGHT = MOD(ME + 1, P)
      BAD = 0
      IX(1) = ME
      IX(2) = -ME
      IX(3) = 7
      CALL CSEND(10, IX, 12, RIGHT, MYPID())
      CALL CRECV(10, IX, 12)
      IF (IX(1) .NE. LEFT .OR. IX(2) .NE. -LEFT .OR. IX(3) .NE. 7)
     &  BAD = BAD + 1
      IF (INFOCOUNT() .NE. 12 .OR. INFONODE() .NE. LEFT .OR.
     &    INFOTYPE() .NE. 10 .OR. INFOPID() .NE. 0) BAD = BAD + 1

      TEXT = 'nothing'
      IF (ME .EQ. P - 1) THEN
        TEXT = 'hello, nodes'
        DO 10 I = 1, 1000
   10   X(I) = I / 8D0
        CALL CSEND(20, X, 8 * 1000, -1, MYPID())
        CALL CSEND(21, TEXT, 12, -1, MYPID())
      ELSE
        CALL CPROBE(20)
        N = INFOCOUNT()
        CALL CRECV(20, X, N)
        IF (N .NE. 8000) BAD = BAD + 1
        CALL CRECV(21, TEXT, LEN(TEXT))
      END IF
      DO 20 I = 1, 1000
   20 IF (X(I) .NE. I / 8D0) BAD = BAD + 1
      IF (TEXT .NE. 'hello, nodes') BAD = BAD + 1

      CALL GDSUM(X, 1000, WORK)
      DO 30 I = 1, 1000
   30 IF (X(I) .NE. P * (I / 8D0)) BAD = BAD + 1
      DO 40 I = 1, 4
   40 ISUM(I) = ME + I
      CALL GISUM(ISUM, 4, IWK)
      DO 50 I = 1, 4
   50 IF (ISUM(I) .NE. P * (P - 1) / 2 + P * I) BAD = BAD + 1
      DO 60 I = 1, 50
   60 R(I) = I - ME
      CALL GSHIGH(R, 50, RWORK)
      DO 70 I = 1, 50
   70 IF (R(I) .NE. REAL(I)) BAD = BAD + 1
      CALL GSLOW(R, 1, RWORK)
      IF (R(1) .NE. 1.0) BAD = BAD + 1
      L = ME .GE. 0
      CALL GLAND(L, 1, LWORK)
      IF (.NOT. L) BAD = BAD + 1
      L = ME .EQ. P - 1
      CALL GLOR(L, 1, LWORK)
      IF (.NOT. L) BAD = BAD + 1

      DO 80 I = 0, P - 1
   80 LENS(I) = 8 * MOD(I, 3)
      X(1) = ME
      X(2) = ME + 0.5D0
      CALL GCOLX(X, LENS, ALL)
      N = 0
      DO 90 I = 0, P - 1
        IF (MOD(I, 3) .GE. 1 .AND. ALL(N + 1) .NE. I) BAD = BAD + 1
        IF (MOD(I, 3) .EQ. 2 .AND. ALL(N + 2) .NE. I + 0.5D0)
     &    BAD = BAD + 1
        N = N + MOD(I, 3)
   90 CONTINUE
      CALL GCOL(ME, 4, NODES, 4 * 64, N)
      IF (N .NE. 4 * P) BAD = BAD + 1
      DO 95 I = 0, P - 1
   95 IF (NODES(I) .NE. I) BAD = BAD + 1
      CALL GSYNC()
      CALL GISUM(BAD, 1, IWORK)
      IF (ME .EQ. 0 .AND. BAD .EQ. 0) PRINT 99, P
   99 FORMAT('fring: ok on ', I0, ' nodes')
      IF (BAD .NE. 0) STOP 1
      END
