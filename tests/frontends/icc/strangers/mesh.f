C SPDX-License-Identifier: BSD-3-Clause
C A matrix times a vector on a mesh of nodes in Fortran 77, with
C groups of rows and of columns: collect within columns, sum within
C rows. Each group also broadcasts, gathers and compares logicals.
      PROGRAM MESH
      INCLUDE 'ficc.h'
      INTEGER N
      PARAMETER (N = 96)
      INTEGER ME, P, ROWS, COLS, ROW, COL, RC, CC, I, J, BAD, IW
      INTEGER COUNTS(64), DISPLS(64), IERR, MYROW, MYCOL, R, ROOT
      LOGICAL FLAG, ANY, ALL
      DOUBLE PRECISION A(N, N), X(N), Y(N), Z(N), WANT
      INTEGER MAKE
      INTEGER MYNODE, NUMNODES
      EXTERNAL MYNODE, NUMNODES
      CALL ICC_INITIALIZE()
      IERR = ICC_G_GROUP_INIT()
      ME = MYNODE()
      P = NUMNODES()
      BAD = 0
      ROWS = 1
   10 IF (ROWS*ROWS .LT. P .OR. MOD(P, ROWS) .NE. 0) THEN
        ROWS = ROWS + 1
        GOTO 10
      END IF
      COLS = P/ROWS
      ROW = ME/COLS
      COL = MOD(ME, COLS)
      RC = MAKE(ROW*COLS, 1, COLS)
      CC = MAKE(COL, COLS, ROWS)
      IF (RC .EQ. ICC_G_COMM_NULL) BAD = BAD + 1
      IF (CC .EQ. ICC_G_COMM_NULL) BAD = BAD + 1
C     Node (ROW, COL) owns rows MYROW+1 .. of A and columns MYCOL+1 ..
      MYROW = N*ROW/ROWS
      MYCOL = N*COL/COLS
      R = N*(ROW + 1)/ROWS - MYROW
      J = N*(COL + 1)/COLS - MYCOL
      DO 20 I = 1, ROWS
        DISPLS(I) = J*(I - 1)/ROWS
        COUNTS(I) = J*I/ROWS - DISPLS(I)
   20 CONTINUE
      DO 30 I = 1, COUNTS(ROW + 1)
        Y(I) = MYCOL + DISPLS(ROW + 1) + I
   30 CONTINUE
      IERR = ICC_G_ALLGATHERV(Y, COUNTS(ROW + 1), ICC_G_DOUBLE_DTYPE,
     &  X, COUNTS, DISPLS, ICC_G_DOUBLE_DTYPE, CC)
      IF (IERR .NE. ICC_G_OK) BAD = BAD + 1
      DO 50 I = 1, R
        Y(I) = 0
        DO 40 J = MYCOL + 1, N*(COL + 1)/COLS
          A(I, J) = MOD((MYROW + I)*3 + J*7, 13)
          Y(I) = Y(I) + A(I, J)*X(J - MYCOL)
   40   CONTINUE
   50 CONTINUE
      IERR = ICC_G_ALLREDUCE(Y, Z, R, ICC_G_DOUBLE_DTYPE, ICC_G_DSUM,
     &  RC)
      IF (IERR .NE. ICC_G_OK) BAD = BAD + 1
      DO 70 I = 1, R
        WANT = 0
        DO 60 J = 1, N
          WANT = WANT + MOD((MYROW + I)*3 + J*7, 13)*J
   60   CONTINUE
        IF (Z(I) .NE. WANT) BAD = BAD + 1
   70 CONTINUE
C     Column 0 of the mesh gathers the answer on its last node.
      IF (COL .EQ. 0) THEN
        DO 80 I = 1, ROWS
          DISPLS(I) = N*(I - 1)/ROWS
          COUNTS(I) = N*I/ROWS - DISPLS(I)
   80   CONTINUE
        IERR = ICC_G_GATHERV(Z, R, ICC_G_DOUBLE_DTYPE, X, COUNTS,
     &    DISPLS, ICC_G_DOUBLE_DTYPE, ROWS - 1, CC)
        IF (IERR .NE. ICC_G_OK) BAD = BAD + 1
      END IF
      IF (COL .EQ. 0 .AND. ROW .EQ. ROWS - 1) THEN
        DO 100 I = 1, N
          WANT = 0
          DO 90 J = 1, N
            WANT = WANT + MOD(I*3 + J*7, 13)*J
   90     CONTINUE
          IF (X(I) .NE. WANT) BAD = BAD + 1
  100   CONTINUE
      END IF
C     Logicals: is one node of the row the last; are all of them.
      FLAG = ME .EQ. P - 1
      IERR = ICC_G_ALLREDUCE(FLAG, ANY, 1, ICC_G_LOGICAL_DTYPE,
     &  ICC_G_LOR, RC)
      IERR = IERR + ICC_G_ALLREDUCE(FLAG, ALL, 1,
     &  ICC_G_LOGICAL_DTYPE, ICC_G_LAND, RC)
      IF (IERR .NE. ICC_G_OK) BAD = BAD + 1
      IF (ANY .NEQV. ROW .EQ. ROWS - 1) BAD = BAD + 1
      IF (ALL .NEQV. (ROW .EQ. ROWS - 1 .AND. COLS .EQ. 1)) BAD = BAD+1
      DO 110 ROOT = 0, COLS - 1
        I = -1
        IF (COL .EQ. ROOT) I = ME
        IERR = ICC_G_BCAST(I, 1, ICC_G_INT_DTYPE, ROOT, RC)
        IF (I .NE. ROW*COLS + ROOT) BAD = BAD + 1
  110 CONTINUE
      IERR = ICC_G_BARRIER(CC) + ICC_G_COMM_FREE(RC)
     &  + ICC_G_COMM_FREE(CC)
      IF (IERR .NE. ICC_G_OK) BAD = BAD + 1
      CALL ICC_GISUM(BAD, 1, IW)
      IF (ME .EQ. 0) WRITE (*, 200) ROWS, COLS, BAD
  200 FORMAT ('Fortran: mesh of ', I2, ' x ', I2, ', ', I4, ' wrong')
      IF (BAD .NE. 0) STOP 1
      END

C     Makes the communicator of LENGTH nodes from FIRST on.
      INTEGER FUNCTION MAKE(FIRST, STRIDE, LENGTH)
      INCLUDE 'ficc.h'
      INTEGER FIRST, STRIDE, LENGTH, RANKS(64), I, WORLD, GROUP, IERR
      DO 10 I = 1, LENGTH
        RANKS(I) = FIRST + (I - 1)*STRIDE
   10 CONTINUE
      IERR = ICC_G_COMM_GROUP(ICC_G_COMM_WORLD, WORLD)
      IERR = IERR + ICC_G_GROUP_INCL(WORLD, LENGTH, RANKS, GROUP)
      IERR = IERR + ICC_G_COMM_CREATE(ICC_G_COMM_WORLD, GROUP, MAKE)
      IERR = IERR + ICC_G_GROUP_FREE(GROUP) + ICC_G_GROUP_FREE(WORLD)
      IF (IERR .NE. ICC_G_OK) MAKE = ICC_G_COMM_NULL
      END
