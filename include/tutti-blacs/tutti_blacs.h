/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The BLACS 1.1 of tutti (libtutti-blacs): the C interface. The Fortran interface has the same
 * routines without the C in front (CALL DGESD2D( ICONTXT, M, N, A, LDA, RDEST, CDEST )); a context
 * made by one can be used by the other.
 *
 * In all routines: context is a grid made by Cblacs_gridinit or Cblacs_gridmap. scope is "Row",
 * "Column" or "All", top the topology ("I", "D", "S", "M", "H", "F", "T", "1" to "9" or " "); only
 * the first letter counts, in either case. a is an m x n matrix by columns, lda >= m elements
 * apart. The letter in a name is the type of its elements: i int, s float, d double, c single
 * complex, z double complex (real and imaginary part side by side). A wrong argument ends the job
 * with one message; TUTTI_BLACS_DEBUG sets how much is checked (tutti info --vars).
 */
#ifndef TUTTI_BLACS_H
#define TUTTI_BLACS_H

#include <tutti/tutti.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- the machine ---- */

/* Number of this process and how many there are; -1 in a program started by hand: the machine is
 * not set up. */
TUTTI_API void Cblacs_pinfo(int* mypnum, int* nprocs);
/* Sets the machine up if it is not: *nprocs processes in all, this one is number 0. Otherwise like
 * Cblacs_pinfo. */
TUTTI_API void Cblacs_setup(int* mypnum, int* nprocs);
/* Ends all grids; with notdone = 0 also this process's part in the job, and nothing may be called
 * after it. */
TUTTI_API void Cblacs_exit(int notdone);
/* Ends all processes of the job; the exit code is error, or 1 where that would mean success. */
TUTTI_API void Cblacs_abort(int context, int error);

/* ---- grids ---- */

/* In: a system handle (Cblacs_get, what 0 or 10). Out: the context, or -1 in a process outside the
 * grid. order "C" numbers processes column by column, anything else row by row. Called by all
 * processes of the handle. */
TUTTI_API void Cblacs_gridinit(int* context, char* order, int nprow, int npcol);
/* The same with any placement: usermap[i + j * ldumap] is the process, counted in the handle, at
 * row i and column j. */
TUTTI_API void Cblacs_gridmap(int* context, int* usermap, int ldumap, int nprow, int npcol);
/* All four are -1 if the context is none. */
TUTTI_API void Cblacs_gridinfo(int context, int* nprow, int* npcol, int* myrow, int* mycol);
TUTTI_API void Cblacs_gridexit(int context);
/* Number of a process within the grid (row by row), and back; -1 outside. */
TUTTI_API int Cblacs_pnum(int context, int prow, int pcol);
TUTTI_API void Cblacs_pcoord(int context, int pnum, int* prow, int* pcol);
TUTTI_API void Cblacs_barrier(int context, char* scope);
/* Gives back the idle send buffer; with wait != 0 all sends have been received first. */
TUTTI_API void Cblacs_freebuff(int context, int wait);

/* what: 0 handle of the whole job, 1 range of free message ids (two values), 2 debug level, 10
 * handle of the grid's processes, 11 rings and 12 branches of broadcasts, 13 and 14 of combines, 15
 * repeatable, 16 coherent. */
TUTTI_API void Cblacs_get(int context, int what, int* value);
/* what 11 to 16; the others can only be read. */
TUTTI_API void Cblacs_set(int context, int what, int* value);

/* A system handle as a word, and back: with libtutti-blacs-openmpi or -mpich, and mpi.h included
 * before this file, the word is a communicator. */
#ifdef MPI_VERSION
TUTTI_API MPI_Comm Cblacs2sys_handle(int handle);
TUTTI_API int Csys2blacs_handle(MPI_Comm communicator);
#else
TUTTI_API void* Cblacs2sys_handle(int handle);
TUTTI_API int Csys2blacs_handle(void* word);
#endif
TUTTI_API void Cfree_blacs_system_handle(int handle);

/* ---- point to point: send returns when a may be reused; messages between two processes keep their
 * order ---- */

TUTTI_API void Cigesd2d(int context, int m, int n, int* a, int lda, int rdest, int cdest);
TUTTI_API void Cigerv2d(int context, int m, int n, int* a, int lda, int rsrc, int csrc);
TUTTI_API void Citrsd2d(int context, char* uplo, char* diag, int m, int n, int* a, int lda,
                        int rdest, int cdest);
TUTTI_API void Citrrv2d(int context, char* uplo, char* diag, int m, int n, int* a, int lda,
                        int rsrc, int csrc);
TUTTI_API void Csgesd2d(int context, int m, int n, float* a, int lda, int rdest, int cdest);
TUTTI_API void Csgerv2d(int context, int m, int n, float* a, int lda, int rsrc, int csrc);
TUTTI_API void Cstrsd2d(int context, char* uplo, char* diag, int m, int n, float* a, int lda,
                        int rdest, int cdest);
TUTTI_API void Cstrrv2d(int context, char* uplo, char* diag, int m, int n, float* a, int lda,
                        int rsrc, int csrc);
TUTTI_API void Cdgesd2d(int context, int m, int n, double* a, int lda, int rdest, int cdest);
TUTTI_API void Cdgerv2d(int context, int m, int n, double* a, int lda, int rsrc, int csrc);
TUTTI_API void Cdtrsd2d(int context, char* uplo, char* diag, int m, int n, double* a, int lda,
                        int rdest, int cdest);
TUTTI_API void Cdtrrv2d(int context, char* uplo, char* diag, int m, int n, double* a, int lda,
                        int rsrc, int csrc);
TUTTI_API void Ccgesd2d(int context, int m, int n, float* a, int lda, int rdest, int cdest);
TUTTI_API void Ccgerv2d(int context, int m, int n, float* a, int lda, int rsrc, int csrc);
TUTTI_API void Cctrsd2d(int context, char* uplo, char* diag, int m, int n, float* a, int lda,
                        int rdest, int cdest);
TUTTI_API void Cctrrv2d(int context, char* uplo, char* diag, int m, int n, float* a, int lda,
                        int rsrc, int csrc);
TUTTI_API void Czgesd2d(int context, int m, int n, double* a, int lda, int rdest, int cdest);
TUTTI_API void Czgerv2d(int context, int m, int n, double* a, int lda, int rsrc, int csrc);
TUTTI_API void Cztrsd2d(int context, char* uplo, char* diag, int m, int n, double* a, int lda,
                        int rdest, int cdest);
TUTTI_API void Cztrrv2d(int context, char* uplo, char* diag, int m, int n, double* a, int lda,
                        int rsrc, int csrc);

/* ---- broadcast: bs in the process that has the matrix, br in the others ---- */

TUTTI_API void Cigebs2d(int context, char* scope, char* top, int m, int n, int* a, int lda);
TUTTI_API void Cigebr2d(int context, char* scope, char* top, int m, int n, int* a, int lda,
                        int rsrc, int csrc);
TUTTI_API void Citrbs2d(int context, char* scope, char* top, char* uplo, char* diag, int m, int n,
                        int* a, int lda);
TUTTI_API void Citrbr2d(int context, char* scope, char* top, char* uplo, char* diag, int m, int n,
                        int* a, int lda, int rsrc, int csrc);
TUTTI_API void Csgebs2d(int context, char* scope, char* top, int m, int n, float* a, int lda);
TUTTI_API void Csgebr2d(int context, char* scope, char* top, int m, int n, float* a, int lda,
                        int rsrc, int csrc);
TUTTI_API void Cstrbs2d(int context, char* scope, char* top, char* uplo, char* diag, int m, int n,
                        float* a, int lda);
TUTTI_API void Cstrbr2d(int context, char* scope, char* top, char* uplo, char* diag, int m, int n,
                        float* a, int lda, int rsrc, int csrc);
TUTTI_API void Cdgebs2d(int context, char* scope, char* top, int m, int n, double* a, int lda);
TUTTI_API void Cdgebr2d(int context, char* scope, char* top, int m, int n, double* a, int lda,
                        int rsrc, int csrc);
TUTTI_API void Cdtrbs2d(int context, char* scope, char* top, char* uplo, char* diag, int m, int n,
                        double* a, int lda);
TUTTI_API void Cdtrbr2d(int context, char* scope, char* top, char* uplo, char* diag, int m, int n,
                        double* a, int lda, int rsrc, int csrc);
TUTTI_API void Ccgebs2d(int context, char* scope, char* top, int m, int n, float* a, int lda);
TUTTI_API void Ccgebr2d(int context, char* scope, char* top, int m, int n, float* a, int lda,
                        int rsrc, int csrc);
TUTTI_API void Cctrbs2d(int context, char* scope, char* top, char* uplo, char* diag, int m, int n,
                        float* a, int lda);
TUTTI_API void Cctrbr2d(int context, char* scope, char* top, char* uplo, char* diag, int m, int n,
                        float* a, int lda, int rsrc, int csrc);
TUTTI_API void Czgebs2d(int context, char* scope, char* top, int m, int n, double* a, int lda);
TUTTI_API void Czgebr2d(int context, char* scope, char* top, int m, int n, double* a, int lda,
                        int rsrc, int csrc);
TUTTI_API void Cztrbs2d(int context, char* scope, char* top, char* uplo, char* diag, int m, int n,
                        double* a, int lda);
TUTTI_API void Cztrbr2d(int context, char* scope, char* top, char* uplo, char* diag, int m, int n,
                        double* a, int lda, int rsrc, int csrc);

/* ---- combines, element by element; rdest or cdest -1: the result is left on all processes ---- */

/* amx: greatest |x| (complex: |re| + |im|), amn: smallest. ra, ca (ldia apart): row and column it
 * came from; of equal ones the process at the smallest distance after the destination. ldia = -1:
 * not wanted. */
TUTTI_API void Cigsum2d(int context, char* scope, char* top, int m, int n, int* a, int lda,
                        int rdest, int cdest);
TUTTI_API void Cigamx2d(int context, char* scope, char* top, int m, int n, int* a, int lda, int* ra,
                        int* ca, int ldia, int rdest, int cdest);
TUTTI_API void Cigamn2d(int context, char* scope, char* top, int m, int n, int* a, int lda, int* ra,
                        int* ca, int ldia, int rdest, int cdest);
TUTTI_API void Csgsum2d(int context, char* scope, char* top, int m, int n, float* a, int lda,
                        int rdest, int cdest);
TUTTI_API void Csgamx2d(int context, char* scope, char* top, int m, int n, float* a, int lda,
                        int* ra, int* ca, int ldia, int rdest, int cdest);
TUTTI_API void Csgamn2d(int context, char* scope, char* top, int m, int n, float* a, int lda,
                        int* ra, int* ca, int ldia, int rdest, int cdest);
TUTTI_API void Cdgsum2d(int context, char* scope, char* top, int m, int n, double* a, int lda,
                        int rdest, int cdest);
TUTTI_API void Cdgamx2d(int context, char* scope, char* top, int m, int n, double* a, int lda,
                        int* ra, int* ca, int ldia, int rdest, int cdest);
TUTTI_API void Cdgamn2d(int context, char* scope, char* top, int m, int n, double* a, int lda,
                        int* ra, int* ca, int ldia, int rdest, int cdest);
TUTTI_API void Ccgsum2d(int context, char* scope, char* top, int m, int n, float* a, int lda,
                        int rdest, int cdest);
TUTTI_API void Ccgamx2d(int context, char* scope, char* top, int m, int n, float* a, int lda,
                        int* ra, int* ca, int ldia, int rdest, int cdest);
TUTTI_API void Ccgamn2d(int context, char* scope, char* top, int m, int n, float* a, int lda,
                        int* ra, int* ca, int ldia, int rdest, int cdest);
TUTTI_API void Czgsum2d(int context, char* scope, char* top, int m, int n, double* a, int lda,
                        int rdest, int cdest);
TUTTI_API void Czgamx2d(int context, char* scope, char* top, int m, int n, double* a, int lda,
                        int* ra, int* ca, int ldia, int rdest, int cdest);
TUTTI_API void Czgamn2d(int context, char* scope, char* top, int m, int n, double* a, int lda,
                        int* ra, int* ca, int ldia, int rdest, int cdest);

/* ---- time, and names kept for old programs ---- */

/* Seconds since some moment; processor time is not measured and -1. */
TUTTI_API double Cdwalltime00(void);
TUTTI_API double Cdcputime00(void);
/* Message ids of the first BLACS. Messages carry none here: 0. */
TUTTI_API int Cksendid(int context, int rdest, int cdest);
TUTTI_API int Ckrecvid(int context, int rsrc, int csrc);
TUTTI_API int Ckbsid(int context, char* scope);
TUTTI_API int Ckbrid(int context, char* scope, int rsrc, int csrc);

#ifdef __cplusplus
}
#endif
#endif
