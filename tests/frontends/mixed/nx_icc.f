C SPDX-License-Identifier: BSD-3-Clause
C NX and iCC alternate in one program of Fortran 77: a posted receive
C and a message that nobody has received wait while iCC communicates.
      PROGRAM MIXED
      INCLUDE 'fnx.h'
      INCLUDE 'ficc.h'
      INTEGER ME, P, NEXT, BEFORE, K, I, BAD, IW, ID, ROOT, IERR, N
      INTEGER OUT(4), IN(4), MORE(4), LENS(64), GROUP, HALF, COMM
      INTEGER LIST(64)
      DOUBLE PRECISION X(300), W(300)
      CALL ICC_INITIALIZE()
      IERR = ICC_G_GROUP_INIT()
      ME = MYNODE()
      P = NUMNODES()
      NEXT = MOD(ME + 1, P)
      BEFORE = MOD(ME + P - 1, P)
      BAD = 0
C     The nodes of even number are a group of iCC.
      N = (P + 1)/2
      DO 10 I = 1, N
        LIST(I) = 2*(I - 1)
   10 CONTINUE
      IERR = ICC_G_COMM_GROUP(ICC_G_COMM_WORLD, GROUP)
      IF (IERR .NE. ICC_G_OK) BAD = BAD + 1
      IERR = ICC_G_GROUP_INCL(GROUP, N, LIST, HALF)
      IF (IERR .NE. ICC_G_OK) BAD = BAD + 1
      IERR = ICC_G_COMM_CREATE(ICC_G_COMM_WORLD, HALF, COMM)
      IF (IERR .NE. ICC_G_OK) BAD = BAD + 1
      DO 100 K = 1, 20
        ROOT = MOD(K, P)
        DO 20 I = 1, 4
          OUT(I) = ME*10 + I + K
          IN(I) = -1
          MORE(I) = -1
   20   CONTINUE
        ID = IRECV(-1, IN, 16)
        CALL CSEND(K, OUT, 16, NEXT, 0)
        CALL CSEND(K + 500, OUT, 8, NEXT, 0)
        DO 30 I = 1, 300
          X(I) = -1
          IF (ME .EQ. ROOT) X(I) = K + I
   30   CONTINUE
        CALL ICC_BCAST(X, 2400, ROOT)
        DO 40 I = 1, 300
          IF (X(I) .NE. K + I) BAD = BAD + 1
   40   CONTINUE
        CALL MSGWAIT(ID)
        IF (INFOTYPE() .NE. K .OR. INFONODE() .NE. BEFORE) BAD = BAD+1
        DO 50 I = 1, 4
          IF (IN(I) .NE. BEFORE*10 + I + K) BAD = BAD + 1
   50   CONTINUE
        X(1) = 1
        CALL GDSUM(X, 1, W)
        IF (X(1) .NE. P) BAD = BAD + 1
        DO 60 I = 1, P
          LENS(I) = 8
   60   CONTINUE
        X(1) = ME + K
        CALL ICC_GCOLX(X, LENS, W)
        DO 70 I = 1, P
          IF (W(I) .NE. I - 1 + K) BAD = BAD + 1
   70   CONTINUE
        IF (MOD(ME, 2) .EQ. 0) THEN
          X(1) = ME
          IERR = ICC_G_ALLREDUCE(X, W, 1, ICC_G_DOUBLE_DTYPE,
     &      ICC_G_DSUM, COMM)
          IF (IERR .NE. ICC_G_OK .OR. W(1) .NE. N*(N - 1)) BAD = BAD+1
        END IF
        CALL CRECV(-1, MORE, 16)
        IF (INFOTYPE() .NE. K + 500 .OR. INFOCOUNT() .NE. 8) BAD=BAD+1
        IF (MORE(2) .NE. BEFORE*10 + 2 + K) BAD = BAD + 1
        IF (MORE(3) .NE. -1) BAD = BAD + 1
        CALL GSYNC()
        IF (IPROBE(-1) .NE. 0) BAD = BAD + 1
        CALL ICC_GSYNC()
  100 CONTINUE
      CALL ICC_GISUM(BAD, 1, IW)
      IF (ME .EQ. 0) WRITE (*, 200) P, BAD
  200 FORMAT ('Fortran, NX and iCC: ', I3, ' nodes, ', I4, ' wrong')
      IF (BAD .NE. 0) STOP 1
      END
