C SPDX-License-Identifier: BSD-3-Clause
C Buffers of several types in one program unit, and numbers in the place of
C arrays. buffers.py compiles it.
      PROGRAM BUFFER
      INCLUDE 'fnx.h'
      INTEGER I, K(2)
      REAL X(3)
      DOUBLE PRECISION D
      I = MYNODE()
      CALL CSEND(1, I, 4, MYNODE(), 0)
      CALL CSEND(2, X, 12, MYNODE(), 0)
      CALL CSEND(3, D, 8, MYNODE(), 0)
      CALL CRECV(1, K, 4)
      CALL CRECV(2, X, 12)
      CALL CRECV(3, D, 8)
      CALL GISUM(I, 1, K)
      CALL GISUM(K, 2, I)
      END
