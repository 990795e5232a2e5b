* SPDX-License-Identifier: BSD-3-Clause
*
* MVMULT as appendix A of R. C. Whaley, LAPACK Working Note 73 (1994), prints it, for the BLACS 1.0
* beta. Each fault of the print is mended, with a remark at its place:
*
*   1  DRAND is used but nowhere defined.
*   2  FORMAT 2000 has an apostrophe inside of a text, so it does not compile.
*   3  A comma follows the control list of WRITE, which is no Fortran.
*   4  The send is printed as DGEDSD2D, which is no routine (and in section 3.2 as DGEDS2D).
*   5  The calls behind "Do b = A*x" are printed as comments in the copy that we have.
*   6  A norm is a magnitude, but ABS is missing: DGMAX2D keeps the sign of what it finds.
*   7  On one process, the process sends to itself and never receives, so it compares nothing.
*   8  G20.15 has no room for the sign or the exponent of a number with 15 digits.
*   9  0.0DO ends in a letter.
*  10  A scalar is passed where an array is wanted, which compilers accept for old programs only
*      (-std=legacy).
*
* Four places look like faults and are none. A process outside of the grid gets -1 in all four
* numbers of GRIDINFO, so the test with .GE. holds for it. The first DRAND of a process only chooses
* where its numbers begin. The program ends by STOP, without BLACSEXIT. DGEBR2D names row 0 as the
* source, because in the scope 'r' only the column counts.
*
* It runs on any number of processes: tutti run -n 4 mvmult94. Started by hand, it makes eight.
*
      PROGRAM MVMULT
*
*     .. External Functions ..
      INTEGER IDAMAX
      DOUBLE PRECISION DRAND, DINFNRM
      EXTERNAL IDAMAX, DRAND, DINFNRM
*
*     .. External Subroutines ..
      EXTERNAL AUXSETUP, BLACSINIT, GRIDINFO, DGMAX2D, DGSUM2D, DGEMV
*
*     .. Intrinsic Functions ..
*     Remark 6: the print lacks ABS.
      INTRINSIC ABS, INT, REAL, SQRT
*
*     .. Scalars ..
      INTEGER LDA, LM, LN
      PARAMETER (LDA = 50)
      PARAMETER (LM = LDA)
      PARAMETER (LN = LDA)
      INTEGER IAM, NNODES, NPROW, NPCOL, MYROW, MYCOL
      INTEGER I, J, ITMP1, ITMP2
      DOUBLE PRECISION NORMA, NORMB, NORMX, NORMTST
*
*     .. Arrays ..
      DOUBLE PRECISION A(LM, LN), X(LN), B(LM)
*
*     Find out how many processors have been allocated for use
*
      CALL INITPINFO(IAM, NNODES)
*
*     For PVM only: if virtual machine not set up, allocate
*     it with 8 processes
*
      IF (NNODES .LT. 1) THEN
         NNODES = 8
         CALL AUXSETUP(IAM, NNODES)
      END IF
*
*     Figure processor grid I want to use
*
      NPROW = INT(SQRT(REAL(NNODES)))
      NPCOL = NNODES / NPROW
*
*     Define the processor grid, and get grid information
*
      CALL BLACSINIT(NPROW, NPCOL)
      CALL GRIDINFO(NPROW, NPCOL, MYROW, MYCOL)
*
*     If I'm not in new processor grid, goto end of program
*
      IF (MYCOL .GE. NPCOL .OR. MYROW .GE. NPROW) GOTO 100
*
*     Generate distributed matrix A
*
      A(1,1) = DRAND(MYROW*NPCOL+MYCOL)
      DO 10 J = 1, LN
         DO 10 I = 1, LM
            A(I,J) = DRAND(0)
   10 CONTINUE
*
*     Figure the infinity norm of A
*
      NORMA = DINFNRM(LM, LN, A, LDA, B)
*
      IF (MYROW .EQ. 0) THEN
*
*        Generate vector X, distributed over processor row 0.
*
         X(1) = DRAND(MYCOL)
         DO 20 J = 1, LN
            X(J) = DRAND(0)
   20    CONTINUE
*
*        All processor rows need a copy of X, so broadcast within columns
*
         CALL DGEBS2D('COLUMN', 'HYPERCUBE', LN, 1, X, LN)
*
      ELSE
*
*        Receive my piece of X from processor row 0.
*
         CALL DGEBR2D('COLUMN', 'HYPERCUBE', LN, 1, X, LN, 0, MYCOL)
*
      END IF
*
*     Figure the infinity norm of X
*     Remark 6: the print has X(IDAMAX(LN, X, 1)).
*
      NORMX = ABS(X(IDAMAX(LN, X, 1)))
      CALL DGMAX2D('R', 'H', 1, 1, NORMX, 1, ITMP1, ITMP2, 1, -1, 0)
*
*     Do b = A*x, where b is distributed over a processor column
*     NOTE: all processor columns have a copy of b
*
*     perform local A*x
*     Remark 5: from here to the write of the norms, our copy prints the calls as comments.
*
      CALL DGEMV('N', LM, LN, 1.0D0, A, LDA, X, 1, 0.0D0, B, 1)
*
*     Add in pieces of A*x done on other processors
*
      CALL DGSUM2D('ROW', 'HYPERCUBE', LM, 1, B, LM, -1, 0)
*
*     Figure the infinity norm of B
*     Remark 6: the print has B(IDAMAX(LM, B, 1)).
*
      NORMB = ABS(B(IDAMAX(LM, B, 1)))
      CALL DGMAX2D('C', 'H', 1, 1, NORMB, 1, ITMP1, ITMP2, 1, -1, 0)
*
*     Print out norms
*     Remark 3: the print has WRITE (*, 1000), 'A', NORMA.
*
      IF (MYROW.EQ.0 .AND. MYCOL.EQ.0) THEN
         WRITE (*, 1000) 'A', NORMA
         WRITE (*, 1000) 'x', NORMX
         WRITE (*, 1000) 'b', NORMB
      END IF
*
*     Mainly in order to show an example of using point-to-point
*     communication, the following test is done: is processor {0,0}'s
*     NORMB the same as processor {nprow-1, npcol-1}'s.
*
*     Remark 7: the print has IF and ELSE IF, so one process alone would only send.
*     Remark 4: the print has DGEDSD2D.
*
      IF (MYROW .EQ. NPROW-1 .AND. MYCOL .EQ. NPCOL-1)
     $   CALL DGESD2D(1, 1, NORMB, 1, 0, 0)
      IF (MYROW .EQ. 0 .AND. MYCOL .EQ. 0) THEN
         CALL DGERV2D(1, 1, NORMTST, 1, NPROW-1, NPCOL-1)
         IF (NORMTST .NE. NORMB) WRITE(*, 2000) NORMB, NORMTST
      END IF
*
  100 STOP
*
*     Remark 8: the print has G20.15 here.
*     Remark 2: the print has ||B||'s in FORMAT 2000.
*
 1000 FORMAT ('||',A,'|| = ',G23.15)
 2000 FORMAT ('ERROR: ||B||''s do not match. Values are: ',
     $        G23.15,G23.15)
*
*     End program MVMULT
*
      END

      DOUBLE PRECISION FUNCTION DINFNRM(LM, LN, A, LDA, WORK)
*
*  -- BLACS example routine --
*
*     .. Scalar Arguments ..
      INTEGER LM, LN, LDA
*
*     .. Array Arguments ..
      DOUBLE PRECISION A(LDA, *), WORK(*)
*
*  PURPOSE:
*  =====
*
*  Compute the infinity norm of a distributed matrix, where
*  the matrix is spread across a 2D processor grid.
*
*  Arguments
*  =====
*
*  LM          (input) INTEGER
*              Number of rows of the global matrix owned by this processor.
*
*  LN          (input) INTEGER
*              Number of columns of the global matrix owned by this processor.
*
*  A           (input) DOUBLE PRECISION, dimension (LDA,N)
*              The matrix whose norm you wish to compute.
*
*  LDA         (input) INTEGER
*              Leading Dimension of A.
*
*  WORK        (temporary) DOUBLE PRECISION array, dimension (LM)
*              Temporary work space used for summing rows.
*
*     .. External Subroutines ..
      EXTERNAL DGSUM2D, DGMAX2D, GRIDINFO
*
*     .. External Functions ..
      INTEGER IDAMAX
      DOUBLE PRECISION DASUM
*
*     .. Local Scalars ..
      INTEGER NPROW, NPCOL, MYROW, MYCOL, I, J
      DOUBLE PRECISION MAX
*
*     .. Executable Statements ..
*
*
*     Get processor grid information
*
      CALL GRIDINFO(NPROW, NPCOL, MYROW, MYCOL)
*
*     Add all local rows together
*
      DO 20 I = 1, LM
         WORK(I) = DASUM(LN, A(I,1), LDA)
   20 CONTINUE
*
*     Find sum of global matrix rows and store on column 0 of processor grid
*
      CALL DGSUM2D('r', '1', LM, 1, WORK, LM, MYROW, 0)
*
*     Find maximum sum of rows for supnorm
*     Remark 9: the print has 0.0DO.
*
      IF (MYCOL .EQ. 0) THEN
         MAX = WORK(IDAMAX(LM,WORK,1))
         IF (LM .LT. 1) MAX = 0.0D0
         CALL DGMAX2D('c', 'h', 1, 1, MAX, 1, I, J, 1, -1, 0)
      END IF
*
*     Processor column 0 has answer: send answer to all nodes
*
      IF (MYCOL.EQ.0) THEN
         CALL DGEBS2D('r', 'h', 1, 1, MAX, 1)
      ELSE
         CALL DGEBR2D('r', 'h', 1, 1, MAX, 1, 0, 0)
      END IF
*
      DINFNRM = MAX
*
      RETURN
*
*     End of DINFNRM
*
      END

      DOUBLE PRECISION FUNCTION DRAND(SEED)
*
*     Remark 1: the print lacks this function. It gives numbers between 0 and 1 by the generator of
*     Park and Miller (16807 modulo 2**31 - 1). A SEED that is not 0 says where they begin.
*
      INTEGER SEED
      DOUBLE PRECISION STATE, MODULUS
      PARAMETER (MODULUS = 2147483647.0D0)
      SAVE STATE
      DATA STATE /1.0D0/
      IF (SEED .NE. 0) STATE = 1 + 7919.0D0 * SEED
      STATE = MOD(16807 * STATE, MODULUS)
      DRAND = STATE / MODULUS
      END
