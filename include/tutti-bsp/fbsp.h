C SPDX-License-Identifier: BSD-3-Clause
C Declares BSPlib's functions under Oxford's names and the bytes of a
C variable of each type, for programs in fixed source form.
      INTEGER BSPPID, BSPNPROCS
      DOUBLE PRECISION BSPTIME, BSPDTIME, BSPCPUTIME
      EXTERNAL BSPPID, BSPNPROCS, BSPTIME, BSPDTIME, BSPCPUTIME
      INTEGER BSPWORD, BSPINT, BSPREAL, BSPDOUBLE, BSPCOMPLEX
      PARAMETER (BSPWORD = 4, BSPINT = 4, BSPREAL = 4)
      PARAMETER (BSPDOUBLE = 8, BSPCOMPLEX = 8)
