* SPDX-License-Identifier: BSD-3-Clause
*
* Ids of the user's own messages lie beside those of the BLACS. Sender and receiver agree on each id
* without a word, and ids of different senders differ.
*
      PROGRAM IDS
      INTEGER IAM, NP, I, K, A, B, C, D, MINE, THEIRS, WRONG, LIST(1024)
      CALL INITPINFO(IAM, NP)
      IF (NP .LT. 1) NP = 4
      CALL AUXSETUP(IAM, NP)
      CALL SHIFT_RANGE(5000, 5000 + 50 * NP, 100, 4999)
      CALL BLACSINIT(1, NP)
      CALL IDRANGES(A, B, C, D)
      WRONG = 0
      IF (A .NE. 5000 .OR. B .NE. 5000 + 50 * NP .OR. C .NE. 100 .OR.
     $    D .NE. 4999) WRONG = WRONG + 1
      DO 30 K = 1, 3
         DO 10 I = 0, NP - 1
            MINE = KSENDID(0, IAM, 0, I)
            CALL IGESD2D(1, 1, MINE, 1, 0, I)
            LIST(I + 1) = MINE
   10    CONTINUE
         DO 20 I = 0, NP - 1
            A = KRECVID(0, I)
            CALL IGERV2D(1, 1, THEIRS, 1, 0, I)
            IF (A .NE. THEIRS .OR. A .LT. 5000 .OR. A .GT. B)
     $         WRONG = WRONG + 1
            IF (I .NE. IAM .AND. A .EQ. LIST(I + 1)) WRONG = WRONG + 1
   20    CONTINUE
   30 CONTINUE
*     A broadcast from each: the receivers know the id of its source
      DO 40 I = 0, NP - 1
         IF (I .EQ. IAM) THEN
            A = KBSID('Row')
            CALL IGEBS2D('Row', '1', 1, 1, A, 1)
         ELSE
            A = KBRID('Row', 0, I)
            CALL IGEBR2D('Row', '1', 1, 1, THEIRS, 1, 0, I)
            IF (A .NE. THEIRS) WRONG = WRONG + 1
         END IF
         IF (A .LT. C .OR. A .GT. D) WRONG = WRONG + 1
   40 CONTINUE
      CALL IGSUM2D('All', '1', 1, 1, WRONG, 1, 0, 0)
      IF (IAM .EQ. 0 .AND. WRONG .EQ. 0) WRITE (*, 100) NP
  100 FORMAT ('ids: ok on ', I0, ' processes')
      CALL BLACSEXIT(0)
      END
