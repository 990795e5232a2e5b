* SPDX-License-Identifier: BSD-3-Clause
*
* Every routine of BLACS 1.0 in Fortran, on grids of any number of processes. The processes count
* wrong results together.
*
      PROGRAM FIRST
      INTEGER IAM, NPROCS, P, WRONG, RIGHT
      INTEGER TESTI, TESTS, TESTD, TESTC, TESTZ, AUX
      EXTERNAL TESTI, TESTS, TESTD, TESTC, TESTZ, AUX
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
     $              TESTZ() + AUX(IAM)
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
