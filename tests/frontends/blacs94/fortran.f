* SPDX-License-Identifier: BSD-3-Clause
*
* Every routine of BLACS 1.0 and of our additions in Fortran, on grids of any number of processes. The processes count
* wrong results together.
*
      PROGRAM FIRST
      INTEGER IAM, NPROCS, P, WRONG, RIGHT
      INTEGER TESTI, TESTS, TESTD, TESTC, TESTZ, AUX, LISTS
      EXTERNAL TESTI, TESTS, TESTD, TESTC, TESTZ, AUX, LISTS
      CALL INITPINFO(IAM, NPROCS)
      IF (NPROCS .LT. 1) THEN
         NPROCS = 3
         CALL AUXSETUP(IAM, NPROCS)
      END IF
      WRONG = 0
      DO 10 P = 1, NPROCS
         IF (MOD(NPROCS, P) .EQ. 0) THEN
            CALL BLACSINIT(P, NPROCS / P)
            WRONG = WRONG + TESTI() + TESTS() + TESTD() + TESTC() +
     $              TESTZ() + LISTS(IAM, NPROCS) + AUX(IAM)
         END IF
   10 CONTINUE
      CALL IGSUM2D('All', 'H', 1, 1, WRONG, 1, -1, 0)
      RIGHT = 0
      IF (WRONG .EQ. 0) RIGHT = 1
      IF (IAM .EQ. 0) WRITE (*, 100) NPROCS, WRONG
  100 FORMAT (I3, ' processes, ', I6, ' wrong results')
      IF (RIGHT .EQ. 0) STOP 1
      CALL BLACSEXIT(0)
      END
*
*     Two lists as scopes, which have process 0 in common: every second process, the last one first,
*     and every third one. Returns the number of wrong results.
*
      INTEGER FUNCTION LISTS(IAM, NPROCS)
      INTEGER IAM, NPROCS, LIST(64), N, STEP, K, S, X, R, C, TOTAL
      CHARACTER NAME
      LISTS = 0
      DO 20 STEP = 2, 3
         IF (MOD(IAM, STEP) .NE. 0) GO TO 20
         N = (NPROCS + STEP - 1) / STEP
         TOTAL = 0
         DO 10 K = 1, N
            LIST(K) = STEP * (K - 1)
            IF (STEP .EQ. 2) LIST(K) = STEP * (N - K)
            TOTAL = TOTAL + LIST(K)
   10    CONTINUE
         NAME = CHAR(ICHAR('0') + STEP)
         CALL SCOPEMAP(NAME, N, LIST)
*
*        The sum of the numbers, the place of the greatest one, and a broadcast from there.
*
         S = IAM
         CALL IGSUM2D(NAME, 'Hypercube', 1, 1, S, 1, -1, 0)
         IF (S .NE. TOTAL) LISTS = LISTS + 1
         X = IAM
         CALL IGMAX2D(NAME, 'Tree', 1, 1, X, 1, R, C, 1, -1, 0)
         IF (X .NE. STEP * (N - 1)) LISTS = LISTS + 1
         IF (KPNUM(R, C) .NE. X) LISTS = LISTS + 1
         IF (IAM .EQ. X) THEN
            S = 7 * STEP
            CALL IGEBS2D(NAME, 'Split ring', 1, 1, S, 1)
         ELSE
            CALL IGEBR2D(NAME, 'Split ring', 1, 1, S, 1, R, C)
            IF (S .NE. 7 * STEP) LISTS = LISTS + 1
         END IF
         CALL BARRIER(NAME)
   20 CONTINUE
*
*     Process 0 uses the first list again, and then ends the second one.
*
      IF (MOD(IAM, 2) .EQ. 0) THEN
         S = 1
         CALL IGSUM2D('2', '1-tree', 1, 1, S, 1, 0, 0)
         IF (IAM .EQ. 0 .AND. S .NE. (NPROCS + 1) / 2)
     $      LISTS = LISTS + 1
      END IF
      IF (MOD(IAM, 3) .EQ. 0) CALL SCOPEMAP('3', 0, LIST)
      END
*
*     The auxiliary routines. Returns the number of wrong results.
*
      INTEGER FUNCTION AUX(IAM)
      INTEGER IAM, P, Q, MYROW, MYCOL, I, J, N(4)
      DOUBLE PRECISION DWALLTIME00, DCPUTIME00, BEGIN
      EXTERNAL DWALLTIME00, DCPUTIME00
      BEGIN = DWALLTIME00()
      AUX = 0
      CALL GRIDINFO(P, Q, MYROW, MYCOL)
      CALL BARRIER('All')
      IF (KPNUM(MYROW, MYCOL) .NE. IAM) AUX = AUX + 1
      CALL PCOORD(IAM, I, J)
      IF (I .NE. MYROW .OR. J .NE. MYCOL) AUX = AUX + 1
      CALL SETBRANCHES(1)
      CALL IDRANGES(N(1), N(2), N(3), N(4))
      IF (N(2) - N(1) .NE. N(4) - N(3)) AUX = AUX + 1
      I = KSENDID(MYROW, MYCOL, 0, 0)
      J = KSENDID(MYROW, MYCOL, 0, 0)
      IF (J - I .NE. 1 .OR. I .LT. N(1) .OR. J .GT. N(2)) AUX = AUX + 1
      J = KRECVID(0, 0)
      IF (J .LT. N(1) .OR. J .GT. N(2)) AUX = AUX + 1
      J = KBSID('Row')
      IF (J .LT. N(3) .OR. J .GT. N(4)) AUX = AUX + 1
      J = KBRID('Row', MYROW, Q - 1)
      IF (J .LT. N(3) .OR. J .GT. N(4)) AUX = AUX + 1
      CALL FREEBUFF
      IF (DWALLTIME00() .LT. BEGIN .OR. DCPUTIME00() .LT. 0.0D0)
     $   AUX = AUX + 1
*
*     The ids that were taken make no message. The next grid counts anew.
*
      CALL SHIFT_RANGE(N(1), N(2), N(3), N(4))
      CALL BLACSINIT(P, Q)
      END
