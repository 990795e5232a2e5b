C SPDX-License-Identifier: BSD-3-Clause
C Workers ask for numbers, and a handler of node 0 hands them out. Then
C all receive by node and by type with the information in an array.
      PROGRAM FFARM
      IMPLICIT NONE
      INCLUDE 'fnx.h'
      INTEGER I, J, X, ID, BAD, WORK, OLD, INFO(8), MINE, TOTAL
      INTEGER REQ, NEXT, SERVED
      COMMON /SHARE/ REQ, NEXT, SERVED
      EXTERNAL SERVE
      BAD = 0
      NEXT = 0
      SERVED = 0
      TOTAL = 10 * (NUMNODES() - 1)
      IF (MYNODE() .EQ. 0) CALL HRECV(100, REQ, 4, SERVE)
      CALL GSYNC()
      MINE = 0
      IF (MYNODE() .EQ. 0) THEN
   10   CONTINUE
        OLD = MASKTRAP(1)
        J = SERVED
        IF (OLD .NE. 0) BAD = BAD + 1
        OLD = MASKTRAP(0)
        CALL FLICK()
        IF (J .LT. TOTAL) GO TO 10
      ELSE
        DO 20 I = 1, 10
          X = -MYNODE()
          CALL CSEND(100, X, 4, 0, MYPTYPE())
          CALL CRECV(101, X, 4)
          MINE = MINE + X
   20   CONTINUE
      END IF
      CALL GSYNC()
      CALL GISUM(MINE, 1, WORK)
      IF (MINE .NE. TOTAL * (TOTAL - 1) / 2) BAD = BAD + 1

C Each node sends its number to all, and receives from the last first.
      DO 30 I = 0, NUMNODES() - 1
   30 CALL CSEND(200 + MYNODE(), MYNODE(), 4, I, 0)
      DO 40 I = NUMNODES() - 1, 0, -1
        X = -1
        IF (MOD(I, 2) .EQ. 0) THEN
          ID = IRECVX(-1, X, 4, I, -1, INFO)
          CALL MSGWAIT(ID)
        ELSE
          CALL CRECVX(200 + I, X, 4, -1, 0, INFO)
        END IF
        IF (X .NE. I .OR. INFO(1) .NE. 200 + I .OR. INFO(2) .NE. 4 .OR.
     &      INFO(3) .NE. I .OR. INFO(4) .NE. 0) BAD = BAD + 1
   40 CONTINUE
      IF (IPROBE(-1) .NE. 0) BAD = BAD + 1
      CALL GISUM(BAD, 1, WORK)
      IF (MYNODE() .EQ. 0 .AND. BAD .EQ. 0) PRINT 99, NUMNODES(), NEXT
   99 FORMAT('ffarm: ok on ', I0, ' nodes, ', I0, ' requests')
      IF (BAD .NE. 0) STOP 1
      END

      SUBROUTINE SERVE(TYPE, COUNT, NODE, PTYPE)
      IMPLICIT NONE
      INTEGER TYPE, COUNT, NODE, PTYPE
      INTEGER REQ, NEXT, SERVED
      COMMON /SHARE/ REQ, NEXT, SERVED
      IF (TYPE .NE. 100 .OR. COUNT .NE. 4 .OR. REQ .NE. -NODE) STOP 2
      CALL CSEND(101, NEXT, 4, NODE, PTYPE)
      NEXT = NEXT + 1
      SERVED = SERVED + 1
      CALL HRECV(100, REQ, 4, SERVE)
      END
