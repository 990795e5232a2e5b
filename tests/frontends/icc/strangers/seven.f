C SPDX-License-Identifier: BSD-3-Clause
C The seven operations of iCC's simple interface in Fortran 77: the
C lengths are INTEGER, and the parts of the nodes have 8*(R+1) bytes.
      PROGRAM SEVEN
      INTEGER MAXP, MAXN
      PARAMETER (MAXP = 64, MAXN = 4096)
      INTEGER MYNODE, NUMNODES
      EXTERNAL MYNODE, NUMNODES
      INTEGER ME, P, ROOT, I, R, N, AT, BAD, IWORK, NCNT
      INTEGER LENS(MAXP), NS(MAXP), IX(100), IW(100)
      DOUBLE PRECISION X(MAXN), Y(MAXN), W(MAXN), S
      REAL SX(10), SW(10)
      CALL ICC_INITIALIZE()
      ME = MYNODE()
      P = NUMNODES()
      BAD = 0
      AT = 0
      DO 10 R = 1, P
        LENS(R) = 8*R
        NS(R) = R
        IF (R .LE. ME) AT = AT + R
   10 CONTINUE
      N = P*(P + 1)/2
C     Broadcast, scatter and gather from every root.
      DO 60 ROOT = 0, P - 1
        DO 20 I = 1, N
          X(I) = 0
          IF (ME .EQ. ROOT) X(I) = 100*ROOT + I
   20   CONTINUE
        CALL ICC_BCAST(X, 8*N, ROOT)
        DO 30 I = 1, N
          IF (X(I) .NE. 100*ROOT + I) BAD = BAD + 1
          IF (ME .NE. ROOT) X(I) = 0
          Y(I) = -1
   30   CONTINUE
        CALL ICC_SCATTER(X, LENS, Y, ROOT)
        DO 40 I = 1, ME + 1
          IF (Y(I) .NE. 100*ROOT + AT + I) BAD = BAD + 1
          Y(I) = Y(I) + 0.5
   40   CONTINUE
        IF (ME .LT. P - 1 .AND. Y(ME + 2) .NE. -1) BAD = BAD + 1
        CALL ICC_GATHER(Y, LENS, X, ROOT)
        DO 50 I = 1, N
          IF (ME .EQ. ROOT .AND. X(I) .NE. 100*ROOT + I + 0.5)
     &      BAD = BAD + 1
   50   CONTINUE
C       Combine to one.
        DO 55 I = 1, 100
          IX(I) = ME*I
   55   CONTINUE
        CALL ICC_GIHIGH_ONE(IX, 100, IW, ROOT)
        DO 57 I = 1, 100
          IF (ME .EQ. ROOT .AND. IX(I) .NE. (P - 1)*I) BAD = BAD + 1
   57   CONTINUE
   60 CONTINUE
C     Collect, with all lengths known and with one's own alone.
      DO 70 I = 1, ME + 1
        X(I) = AT + I
   70 CONTINUE
      CALL ICC_GCOLX(X, LENS, Y)
      CALL ICC_GCOL(X, LENS(ME + 1), W, 8*MAXN, NCNT)
      IF (NCNT .NE. 8*N) BAD = BAD + 1
      DO 80 I = 1, N
        IF (Y(I) .NE. I .OR. W(I) .NE. I) BAD = BAD + 1
   80 CONTINUE
C     Combine to all, and distributed combine.
      DO 90 I = 1, N
        X(I) = ME + I
   90 CONTINUE
      CALL ICC_GDSUM(X, N, W)
      DO 100 I = 1, N
        IF (X(I) .NE. P*I + P*(P - 1)/2) BAD = BAD + 1
        X(I) = ME + I
  100 CONTINUE
      CALL ICC_GDSUM_DIST(X, NS, Y)
      DO 110 I = 1, ME + 1
        IF (Y(I) .NE. P*(AT + I) + P*(P - 1)/2) BAD = BAD + 1
  110 CONTINUE
      DO 120 I = 1, 10
        SX(I) = -ME - I
        IX(I) = MOD(ME + I, 2)
        IX(I + 10) = ME
  120 CONTINUE
      CALL ICC_GSLOW(SX, 10, SW)
      CALL ICC_GIXOR(IX, 10, IW)
      CALL ICC_GISUM(IX(11), 10, IW)
      DO 130 I = 1, 10
        IF (SX(I) .NE. -(P - 1) - I) BAD = BAD + 1
        IF (IX(I + 10) .NE. P*(P - 1)/2) BAD = BAD + 1
  130 CONTINUE
      R = 0
      DO 140 I = 0, P - 1
        R = MOD(R + I + 1, 2)
  140 CONTINUE
      IF (IX(1) .NE. R) BAD = BAD + 1
      CALL ICC_GSYNC()
      S = ME + 1
      CALL ICC_GDPROD(S, 1, W)
      CALL ICC_GISUM(BAD, 1, IWORK)
      IF (ME .EQ. 0) WRITE (*, 200) P, S, BAD
  200 FORMAT ('Fortran: ', I3, ' nodes, factorial ', F10.0, I4,
     &  ' wrong')
      IF (BAD .NE. 0) STOP 1
      END
