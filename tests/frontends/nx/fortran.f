C SPDX-License-Identifier: BSD-3-Clause
C Every call of NX in Fortran, as old programs have them.
      PROGRAM NXCALLS
      INCLUDE 'fnx.h'
      INTEGER*4 WRONG, ME, P, NEXT, LAST
      COMMON /RESULT/ WRONG, ME, P, NEXT, LAST
      WRONG = 0
      ME = MYNODE()
      P = NUMNODES()
      NEXT = MOD(ME + 1, P)
      LAST = MOD(ME + P - 1, P)
      CALL NODES
      CALL GSYNC
      CALL WAITED
      CALL GSYNC
      CALL STARTD
      CALL GSYNC
      CALL HANDLE
      CALL GSYNC
      CALL ALL
      CALL FILES
      CALL GISUM(WRONG, 1, ME)
      IF (WRONG .NE. 0) STOP 1
      IF (MYNODE() .EQ. 0) PRINT '(I0, A)', P, ' nodes call by Fortran'
      END

      SUBROUTINE CHECK(RIGHT, WHAT)
      LOGICAL RIGHT
      CHARACTER*(*) WHAT
      INTEGER*4 WRONG, ME, P, NEXT, LAST
      COMMON /RESULT/ WRONG, ME, P, NEXT, LAST
      IF (RIGHT) RETURN
      WRONG = WRONG + 1
      PRINT '(A, I0, 2A)', 'node ', ME, ': wrong: ', WHAT
      END

      SUBROUTINE NODES
      INCLUDE 'fnx.h'
      INTEGER*4 ROWS, COLS
      INTEGER*4 WRONG, ME, P, NEXT, LAST
      COMMON /RESULT/ WRONG, ME, P, NEXT, LAST
      CALL CHECK(2 ** NODEDIM() .LE. P, 'NODEDIM')
      CALL CHECK(MYHOST() .EQ. P, 'MYHOST')
      CALL SETPID(9)
      CALL CHECK(MYPID() .EQ. 9 .AND. MYPTYPE() .EQ. 9, 'SETPID')
      CALL SETPID(0)
      CALL CHECK(DCLOCK() .GE. 0 .AND. MCLOCK() .GE. 0, 'DCLOCK')
      CALL FLICK
      CALL LED(1)
      CALL CHECK(GRAY(5) .EQ. 7 .AND. GINV(7) .EQ. 5, 'GRAY')
      CALL CHECK(NX_APP_RECT(ROWS, COLS) .EQ. 0, 'NX_APP_RECT')
      CALL CHECK(ROWS .EQ. 1 .AND. COLS .EQ. P, 'the mesh')
      CALL KILLCUBE(-1, -1)
      END

      SUBROUTINE WAITED
      INCLUDE 'fnx.h'
      INTEGER*4 WRONG, ME, P, NEXT, LAST
      COMMON /RESULT/ WRONG, ME, P, NEXT, LAST
      INTEGER*4 INFO(8), LIST(2), N, M
      DOUBLE PRECISION X(3), Y(3)
      X(1) = ME
      X(3) = ME + 0.5D0
      CALL CSEND(10, X, 24, NEXT, MYPID())
      CALL CRECV(10, Y, 24)
      CALL CHECK(Y(1) .EQ. LAST .AND. Y(3) .EQ. LAST + 0.5D0, 'CRECV')
      CALL CHECK(INFOCOUNT() .EQ. 24, 'INFOCOUNT')
      CALL CHECK(INFONODE() .EQ. LAST, 'INFONODE')
      CALL CHECK(INFOTYPE() .EQ. 10, 'INFOTYPE')
      CALL CHECK(INFOPID() .EQ. 0 .AND. INFOPTYPE() .EQ. 0, 'INFOPID')
      CALL CSEND(11, X, 8, NEXT, 0)
      CALL CPROBE(11)
      CALL CPROBEX(11, LAST, 0, INFO)
      CALL CHECK(INFO(1) .EQ. 11 .AND. INFO(2) .EQ. 8, 'CPROBEX')
      CALL CHECK(IPROBE(11) .EQ. 1 .AND. IPROBE(19) .EQ. 0, 'IPROBE')
      CALL CHECK(IPROBEX(11, LAST, -1, INFO) .EQ. 1, 'IPROBEX')
      CALL CRECVX(-1, Y, 24, LAST, -1, INFO)
      CALL CHECK(INFO(3) .EQ. LAST .AND. INFO(4) .EQ. 0, 'CRECVX')
      N = CSENDRECV(12, ME, 4, NEXT, 0, 12, M, 4)
      CALL CHECK(N .EQ. 4 .AND. M .EQ. LAST, 'CSENDRECV')
      CALL GSYNC
      IF (ME .EQ. 0) CALL CSEND(13, P, 4, -1, 0)
      IF (ME .NE. 0) CALL CRECV(13, M, 4)
      IF (ME .NE. 0) CALL CHECK(M .EQ. P, 'CSEND to all')
      LIST(1) = ME
      LIST(2) = NEXT
      CALL GSENDX(14, ME, 4, LIST, 2)
      CALL CRECV(14, M, 4)
      CALL CHECK(M .EQ. INFONODE(), 'GSENDX')
      CALL CPROBE(14)
      CALL FLUSHMSG(14, -1, -1)
      CALL CHECK(IPROBE(14) .EQ. 0, 'FLUSHMSG')
      END

      SUBROUTINE STARTD
      INCLUDE 'fnx.h'
      INTEGER*4 WRONG, ME, P, NEXT, LAST
      COMMON /RESULT/ WRONG, ME, P, NEXT, LAST
      INTEGER*4 A, B, C, OUT, IN(3), INFO(8)
      A = IRECV(20, IN(1), 4)
      B = IRECVX(21, IN(2), 4, LAST, -1, INFO)
      OUT = ME
      C = ISEND(20, OUT, 4, NEXT, 0)
      CALL MSGWAIT(C)
      CALL MSGIGNORE(ISEND(21, OUT, 4, NEXT, 0))
      CALL MSGWAIT(MSGMERGE(A, B))
      CALL CHECK(IN(1) .EQ. LAST .AND. IN(2) .EQ. LAST, 'MSGMERGE')
      CALL CHECK(INFO(1) .EQ. 21 .AND. INFO(3) .EQ. LAST, 'IRECVX')
      A = ISENDRECV(22, OUT, 4, NEXT, 0, 22, IN(3), 4)
   10 IF (MSGDONE(A) .EQ. 0) GOTO 10
      CALL CHECK(IN(3) .EQ. LAST, 'ISENDRECV')
      A = IRECV(23, IN(1), 4)
      CALL MSGCANCEL(A)
      END

      SUBROUTINE SERVE(TYPE, COUNT, NODE, PTYPE)
      INTEGER*4 TYPE, COUNT, NODE, PTYPE, CALLED(4), ASKED, N
      COMMON /SERVED/ CALLED, ASKED, N
      CALLED(1) = TYPE
      CALLED(2) = COUNT
      CALLED(3) = NODE
      CALLED(4) = PTYPE
      N = N + 1
      END

      SUBROUTINE COUNTS(PARAM)
      INTEGER*4 PARAM, CALLED(4), ASKED, N
      COMMON /SERVED/ CALLED, ASKED, N
      N = N + PARAM
      END

      SUBROUTINE HANDLE
      INCLUDE 'fnx.h'
      INTEGER*4 WRONG, ME, P, NEXT, LAST
      COMMON /RESULT/ WRONG, ME, P, NEXT, LAST
      INTEGER*4 CALLED(4), ASKED, N, IN
      COMMON /SERVED/ CALLED, ASKED, N
      EXTERNAL SERVE, COUNTS
      N = 0
      CALL HRECV(30, ASKED, 4, SERVE)
      CALL HSENDX(30, ME, 4, ME, 0, COUNTS, 10)
   10 CALL FLICK
      IF (N .NE. 11) GOTO 10
      CALL CHECK(CALLED(1) .EQ. 30 .AND. CALLED(2) .EQ. 4, 'HRECV')
      CALL CHECK(CALLED(3) .EQ. ME .AND. CALLED(4) .EQ. 0, 'HRECV')
      CALL CHECK(ASKED .EQ. ME, 'HRECV')
      CALL CHECK(MASKTRAP(1) .EQ. 0, 'MASKTRAP')
      CALL HRECVX(31, ASKED, 4, ME, -1, COUNTS, 20)
      CALL HSEND(31, ME, 4, ME, 0, SERVE)
      CALL FLICK
      CALL CHECK(N .EQ. 11, 'MASKTRAP')
      CALL CHECK(MASKTRAP(0) .EQ. 1, 'MASKTRAP')
      CALL CHECK(N .EQ. 32, 'HSEND')
      CALL HSENDRECV(32, ME, 4, ME, 0, 32, IN, 4, SERVE)
   20 CALL FLICK
      IF (N .NE. 33) GOTO 20
      CALL CHECK(IN .EQ. ME, 'HSENDRECV')
      END

      SUBROUTINE ALL
      INCLUDE 'fnx.h'
      INTEGER*4 WRONG, ME, P, NEXT, LAST
      COMMON /RESULT/ WRONG, ME, P, NEXT, LAST
      INTEGER*4 I(2), IW(2), N, LENGTH(1024), K
      REAL*4 S(2), SW(2)
      REAL*8 D(2), DW(2)
      CHARACTER*1 MINE
      CHARACTER*1024 THEIRS
      EXTERNAL LARGER
      D(1) = ME + 1
      D(2) = 1
      CALL GDSUM(D, 2, DW)
      CALL CHECK(D(1) .EQ. P * (P + 1) / 2 .AND. D(2) .EQ. P, 'GDSUM')
      D(1) = 2
      CALL GDPROD(D, 1, DW)
      CALL CHECK(D(1) .EQ. 2D0 ** P, 'GDPROD')
      D(1) = ME
      CALL GDHIGH(D, 1, DW)
      CALL CHECK(D(1) .EQ. P - 1, 'GDHIGH')
      D(1) = ME
      CALL GDLOW(D, 1, DW)
      CALL CHECK(D(1) .EQ. 0, 'GDLOW')
      S(1) = ME
      CALL GSSUM(S, 1, SW)
      CALL CHECK(S(1) .EQ. P * (P - 1) / 2, 'GSSUM')
      S(1) = 2
      CALL GSPROD(S, 1, SW)
      CALL CHECK(S(1) .EQ. 2.0 ** P, 'GSPROD')
      S(1) = ME
      CALL GSHIGH(S, 1, SW)
      CALL CHECK(S(1) .EQ. P - 1, 'GSHIGH')
      S(1) = ME
      CALL GSLOW(S, 1, SW)
      CALL CHECK(S(1) .EQ. 0, 'GSLOW')
      I(1) = ME
      I(2) = 1
      CALL GISUM(I, 2, IW)
      CALL CHECK(I(1) .EQ. P * (P - 1) / 2 .AND. I(2) .EQ. P, 'GISUM')
      I(1) = 2
      CALL GIPROD(I, 1, IW)
      CALL CHECK(I(1) .EQ. 2 ** P, 'GIPROD')
      I(1) = ME
      CALL GIHIGH(I, 1, IW)
      CALL CHECK(I(1) .EQ. P - 1, 'GIHIGH')
      I(1) = ME
      CALL GILOW(I, 1, IW)
      CALL CHECK(I(1) .EQ. 0, 'GILOW')
      I(1) = 3
      IF (ME .EQ. 0) I(1) = 6
      I(2) = I(1)
      CALL GIAND(I(1), 1, IW)
      CALL GIOR(I(2), 1, IW)
      IF (P .GT. 1) CALL CHECK(I(1) .EQ. 2 .AND. I(2) .EQ. 7, 'GIAND')
      I(1) = 1
      CALL GIXOR(I(1), 1, IW)
      CALL CHECK(I(1) .EQ. MOD(P, 2), 'GIXOR')
      I(1) = MIN(ME, 1)
      I(2) = I(1)
      CALL GLAND(I(1), 1, IW)
      CALL GLOR(I(2), 1, IW)
      CALL CHECK(I(1) .EQ. 0 .AND. I(2) .EQ. MIN(P - 1, 1), 'GLAND')
      I(1) = 1
      CALL GLXOR(I(1), 1, IW)
      CALL CHECK(I(1) .EQ. MOD(P, 2), 'GLXOR')
      MINE = CHAR(ICHAR('a') + ME)
      CALL GCOL(MINE, 1, THEIRS, 1024, N)
      CALL CHECK(N .EQ. P .AND. THEIRS(P:P) .EQ.
     &           CHAR(ICHAR('a') + P - 1), 'GCOL')
      DO 20 K = 1, P
   20 LENGTH(K) = MOD(K, 2)
      CALL GCOLX(MINE, LENGTH, THEIRS)
      CALL CHECK(THEIRS(1:1) .EQ. 'a', 'GCOLX')
      D(1) = ME
      D(2) = -ME
      CALL GOPF(D, 16, DW, LARGER)
      CALL CHECK(D(1) .EQ. P - 1 .AND. D(2) .EQ. 0, 'GOPF')
      END

      SUBROUTINE LARGER(X, Y)
      REAL*8 X(2), Y(2)
      X(1) = MAX(X(1), Y(1))
      X(2) = MAX(X(2), Y(2))
      END

      SUBROUTINE FILES
      INCLUDE 'fnx.h'
      INTEGER*4 WRONG, ME, P, NEXT, LAST
      COMMON /RESULT/ WRONG, ME, P, NEXT, LAST
      INTEGER*4 N, K, ID, GETPID, WORK, WHERE(2), PLACE(2)
      CHARACTER*40 PATH
      N = 0
      IF (ME .EQ. 0) N = GETPID()
      CALL GISUM(N, 1, WORK)
      WRITE (PATH, '(A, I0)') '/tmp/nx_fortran_', N
      CALL GOPEN(11, PATH, 0)
      CALL CHECK(IOMODE(11) .EQ. 0, 'IOMODE')
      CALL SETIOMODE(11, 0)
      CALL CHECK(LSEEK(11, 4 * ME, 0) .EQ. 4 * ME, 'LSEEK')
      CALL CWRITE(11, ME, 4)
      CALL GSYNC
      N = LSEEK(11, 0, 0)
      DO 10 K = 0, P - 1
      CALL CHECK(.NOT. ISEOF(11), 'ISEOF')
      CALL CREAD(11, N, 4)
   10 CALL CHECK(N .EQ. K, 'CREAD')
      CALL CHECK(ISEOF(11), 'ISEOF')
      CALL GSYNC
      WHERE(1) = 4 * ME
      WHERE(2) = 0
      CALL ESEEK(11, WHERE, 0, PLACE)
      CALL CHECK(PLACE(1) .EQ. 4 * ME .AND. PLACE(2) .EQ. 0, 'ESEEK')
      K = ME + 50
      ID = IWRITE(11, K, 4)
      CALL IOWAIT(ID)
      CALL GSYNC
      N = LSEEK(11, 4 * NEXT, 0)
      ID = IREAD(11, N, 4)
   20 IF (IODONE(ID) .EQ. 0) GOTO 20
      CALL CHECK(N .EQ. NEXT + 50, 'IREAD')
      CALL CHECK(LSIZE(11, 0, 0) .EQ. 4 * P, 'LSIZE')
      CALL GSYNC
      OPEN (12, FILE=PATH, FORM='UNFORMATTED', ACCESS='STREAM')
      CALL CREAD(12, N, 4)
      CALL CHECK(N .EQ. 50, 'CREAD after OPEN')
      CALL GSYNC
      CLOSE (12)
      IF (ME .EQ. 0) CALL UNLINK(PATH)
      END
