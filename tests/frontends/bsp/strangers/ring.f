C SPDX-License-Identifier: BSD-3-Clause
C A ring of puts and of messages in Oxford's Fortran 77: the names
C without underscores, and fbsp.h.
      PROGRAM RING
      INCLUDE 'fbsp.h'
      INTEGER P, S, LEFT, RIGHT, X, Y, TAG, STATUS, BYTES
      DOUBLE PRECISION T
      CALL BSPBEGIN(BSPNPROCS())
      P = BSPNPROCS()
      S = BSPPID()
      LEFT = MOD(S + P - 1, P)
      RIGHT = MOD(S + 1, P)
      X = -1
      Y = 100 + S
      CALL BSPPUSHREG(X, BSPINT)
      CALL BSPPUSHREGISTER(Y, BSPINT)
      BYTES = BSPINT
      CALL BSPSETTAGSIZE(BYTES)
      CALL BSPSYNC()
      CALL BSPPUT(RIGHT, Y, X, 0, BSPINT)
      CALL BSPSEND(RIGHT, S, Y, BSPINT)
      CALL BSPPOPREGISTER(Y)
      CALL BSPSYNC()
      IF (X .NE. 100 + LEFT) CALL BSPABORT('PUT')
      CALL BSPPOPREG(X)
      CALL BSPGETTAG(STATUS, TAG)
      X = -1
      CALL BSPMOVE(X, BSPINT)
      IF (STATUS .NE. BSPINT .OR. TAG .NE. LEFT .OR.
     &    X .NE. 100 + LEFT) CALL BSPABORT('MESSAGE')
      CALL BSPSYNC()
      T = BSPDTIME()
      IF (T .LT. 0 .OR. BSPDTIME() .GT. BSPTIME())
     &  CALL BSPABORT('TIME')
      IF (S .EQ. 0) PRINT *, 'RING OK', P
      CALL BSPEND()
      END
