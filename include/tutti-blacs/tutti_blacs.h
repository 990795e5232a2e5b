/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The BLACS 1.1 of tutti (libtutti-blacs): the C interface. The Fortran interface has the same
 * routines without the C in front (CALL DGESD2D( ICONTXT, M, N, A, LDA, RDEST, CDEST )). A context
 * made by one can be used by the other.
 *
 * In all routines, context is a grid made by Cblacs_gridinit or Cblacs_gridmap. scope is "Row",
 * "Column" or "All", or one of Cblacs_scopemap; top is the topology ("I", "D", "S", "M", "H", "F",
 * "T", "P", "1" to "9" or " "). Only the first letter counts, in either case. a is an m x n matrix
 * by columns, which are lda >= m elements apart. The letter in a name is the type of its elements:
 * i int, s float, d double, c single complex, z double complex (real and imaginary part side by
 * side).
 *
 * A wrong argument ends the job with one message. TUTTI_BLACS_DEBUG sets how much is checked (tutti
 * info --vars), and so does Cblacs_set.
 */
#ifndef TUTTI_BLACS_H
#define TUTTI_BLACS_H

#include <tutti/tutti.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- the machine ---- */

/* Returns the number of this process and the number of processes. The latter is -1 in a program
 * started by hand, whose machine is not set up. */
TUTTI_API void Cblacs_pinfo(int* mypnum, int* nprocs);
/* Sets the machine up if it is not: with *nprocs processes in all, of which this one is number 0.
 * Otherwise does the same as Cblacs_pinfo. */
TUTTI_API void Cblacs_setup(int* mypnum, int* nprocs);
/* Makes these tasks of PVM the processes, numbered as in the list. Each of them calls it before all
 * other routines. */
TUTTI_API void Csetpvmtids(int ntasks, int* tids);
/* Ends all grids. With notdone = 0 it also ends this process's part in the job, and no routine may
 * be called afterwards. */
TUTTI_API void Cblacs_exit(int notdone);
/* Ends all processes of the job. The exit code is `error`, or 1 where `error` would mean success.
 */
TUTTI_API void Cblacs_abort(int context, int error);

/* ---- grids ---- */

/* Makes a grid. *context is a system handle before the call (Cblacs_get, what 0 or 10), and the
 * context after it; -1 in a process outside the grid. order "C" numbers processes column by column,
 * anything else row by row. All processes of the handle call it. */
TUTTI_API void Cblacs_gridinit(int* context, char* order, int nprow, int npcol);
/* Makes a grid with any placement: usermap[i + j * ldumap] is the process, by its number in the
 * handle, at row i and column j. */
TUTTI_API void Cblacs_gridmap(int* context, int* usermap, int ldumap, int nprow, int npcol);
/* Returns -1 in all four numbers if the context is not valid. */
TUTTI_API void Cblacs_gridinfo(int context, int* nprow, int* npcol, int* myrow, int* mycol);
TUTTI_API void Cblacs_gridexit(int context);
/* Cblacs_pnum returns the number of a process within the grid, row by row; Cblacs_pcoord does the
 * reverse. Both give -1 outside of the grid. */
TUTTI_API int Cblacs_pnum(int context, int prow, int pcol);
TUTTI_API void Cblacs_pcoord(int context, int pnum, int* prow, int* pcol);
TUTTI_API void Cblacs_barrier(int context, char* scope);
/* Makes a scope of n processes of the grid, which list names in order by their numbers (see
 * Cblacs_pnum). scope is a letter other than R, C and A, or a digit: routines with an argument
 * scope take it, too. All processes in the list call this. n = 0 ends the scope in this process. */
TUTTI_API void Cblacs_scopemap(int context, char* scope, int n, int* list);
/* Frees the idle send buffer. With wait != 0, all sends have been received before. */
TUTTI_API void Cblacs_freebuff(int context, int wait);

/* Returns the value that `what` names. Of the job: 0 handle of all its processes, 1 range of free
 * message ids (two values), 2 debug level, 20 timing level. Of the grid: 10 handle of its
 * processes, 11 rings and 12 branches of broadcasts, 13 and 14 those of combines, 15 repeatable, 16
 * coherent. */
TUTTI_API void Cblacs_get(int context, int what, int* value);
/* Sets a value of `what` 2, 20 or 11 to 16; the others can only be read. */
TUTTI_API void Cblacs_set(int context, int what, int* value);

/* Converts a system handle to a word, and back. With libtutti-blacs-openmpi or -mpich, and mpi.h
 * included before this file, the word is a communicator. */
#ifdef MPI_VERSION
TUTTI_API MPI_Comm Cblacs2sys_handle(int handle);
TUTTI_API int Csys2blacs_handle(MPI_Comm communicator);
#else
TUTTI_API void* Cblacs2sys_handle(int handle);
TUTTI_API int Csys2blacs_handle(void* word);
#endif
TUTTI_API void Cfree_blacs_system_handle(int handle);

/* ---- point to point: send returns when a may be reused; messages between two processes keep their
 * order; ra receives from anybody and returns who has sent, as rv with RSRC = -1 does in Fortran
 * ---- */

TUTTI_API void Cigesd2d(int context, int m, int n, int* a, int lda, int rdest, int cdest);
TUTTI_API void Cigerv2d(int context, int m, int n, int* a, int lda, int rsrc, int csrc);
TUTTI_API void Citrsd2d(int context, char* uplo, char* diag, int m, int n, int* a, int lda,
                        int rdest, int cdest);
TUTTI_API void Citrrv2d(int context, char* uplo, char* diag, int m, int n, int* a, int lda,
                        int rsrc, int csrc);
TUTTI_API void Cigera2d(int context, int m, int n, int* a, int lda, int* rsrc, int* csrc);
TUTTI_API void Citrra2d(int context, char* uplo, char* diag, int m, int n, int* a, int lda,
                        int* rsrc, int* csrc);
TUTTI_API void Csgesd2d(int context, int m, int n, float* a, int lda, int rdest, int cdest);
TUTTI_API void Csgerv2d(int context, int m, int n, float* a, int lda, int rsrc, int csrc);
TUTTI_API void Cstrsd2d(int context, char* uplo, char* diag, int m, int n, float* a, int lda,
                        int rdest, int cdest);
TUTTI_API void Cstrrv2d(int context, char* uplo, char* diag, int m, int n, float* a, int lda,
                        int rsrc, int csrc);
TUTTI_API void Csgera2d(int context, int m, int n, float* a, int lda, int* rsrc, int* csrc);
TUTTI_API void Cstrra2d(int context, char* uplo, char* diag, int m, int n, float* a, int lda,
                        int* rsrc, int* csrc);
TUTTI_API void Cdgesd2d(int context, int m, int n, double* a, int lda, int rdest, int cdest);
TUTTI_API void Cdgerv2d(int context, int m, int n, double* a, int lda, int rsrc, int csrc);
TUTTI_API void Cdtrsd2d(int context, char* uplo, char* diag, int m, int n, double* a, int lda,
                        int rdest, int cdest);
TUTTI_API void Cdtrrv2d(int context, char* uplo, char* diag, int m, int n, double* a, int lda,
                        int rsrc, int csrc);
TUTTI_API void Cdgera2d(int context, int m, int n, double* a, int lda, int* rsrc, int* csrc);
TUTTI_API void Cdtrra2d(int context, char* uplo, char* diag, int m, int n, double* a, int lda,
                        int* rsrc, int* csrc);
TUTTI_API void Ccgesd2d(int context, int m, int n, float* a, int lda, int rdest, int cdest);
TUTTI_API void Ccgerv2d(int context, int m, int n, float* a, int lda, int rsrc, int csrc);
TUTTI_API void Cctrsd2d(int context, char* uplo, char* diag, int m, int n, float* a, int lda,
                        int rdest, int cdest);
TUTTI_API void Cctrrv2d(int context, char* uplo, char* diag, int m, int n, float* a, int lda,
                        int rsrc, int csrc);
TUTTI_API void Ccgera2d(int context, int m, int n, float* a, int lda, int* rsrc, int* csrc);
TUTTI_API void Cctrra2d(int context, char* uplo, char* diag, int m, int n, float* a, int lda,
                        int* rsrc, int* csrc);
TUTTI_API void Czgesd2d(int context, int m, int n, double* a, int lda, int rdest, int cdest);
TUTTI_API void Czgerv2d(int context, int m, int n, double* a, int lda, int rsrc, int csrc);
TUTTI_API void Cztrsd2d(int context, char* uplo, char* diag, int m, int n, double* a, int lda,
                        int rdest, int cdest);
TUTTI_API void Cztrrv2d(int context, char* uplo, char* diag, int m, int n, double* a, int lda,
                        int rsrc, int csrc);
TUTTI_API void Czgera2d(int context, int m, int n, double* a, int lda, int* rsrc, int* csrc);
TUTTI_API void Cztrra2d(int context, char* uplo, char* diag, int m, int n, double* a, int lda,
                        int* rsrc, int* csrc);

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

/* amx finds the greatest |x| (complex: |re| + |im|), amn the smallest. ra and ca, with leading
 * dimension ldia, get the row and column it came from. If values are equal, the process at the
 * smallest distance after the destination wins. ldia = -1: ra and ca are not wanted. */
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

/* ---- combines by functions of the user; uplo "G" is a general matrix ---- */

/* Each process calls init, which may prepare its n elements. op leaves x op y in x, and may change
 * y. Where the result is left, finish is called with it. All three get all elements of a matrix,
 * column by column, and are not called if there are none. init and finish may be NULL. */
TUTTI_API void Cituop2d(int context, char* scope, char* top, char* uplo, char* diag, int m, int n,
                        int* a, int lda, void (*init)(int n, int* x),
                        void (*op)(int n, int* x, int* y), void (*finish)(int n, int* x), int rdest,
                        int cdest);
TUTTI_API void Cstuop2d(int context, char* scope, char* top, char* uplo, char* diag, int m, int n,
                        float* a, int lda, void (*init)(int n, float* x),
                        void (*op)(int n, float* x, float* y), void (*finish)(int n, float* x),
                        int rdest, int cdest);
TUTTI_API void Cdtuop2d(int context, char* scope, char* top, char* uplo, char* diag, int m, int n,
                        double* a, int lda, void (*init)(int n, double* x),
                        void (*op)(int n, double* x, double* y), void (*finish)(int n, double* x),
                        int rdest, int cdest);
TUTTI_API void Cctuop2d(int context, char* scope, char* top, char* uplo, char* diag, int m, int n,
                        float* a, int lda, void (*init)(int n, float* x),
                        void (*op)(int n, float* x, float* y), void (*finish)(int n, float* x),
                        int rdest, int cdest);
TUTTI_API void Cztuop2d(int context, char* scope, char* top, char* uplo, char* diag, int m, int n,
                        double* a, int lda, void (*init)(int n, double* x),
                        void (*op)(int n, double* x, double* y), void (*finish)(int n, double* x),
                        int rdest, int cdest);

/* ---- time, and names kept for old programs ---- */

/* Cdwalltime00 returns the seconds since some moment. Cdcputime00 returns -1, because processor
 * time is not measured. */
TUTTI_API double Cdwalltime00(void);
TUTTI_API double Cdcputime00(void);
/* Message ids of the first BLACS. Messages have none here, so the result is 0. */
TUTTI_API int Cksendid(int context, int rdest, int cdest);
TUTTI_API int Ckrecvid(int context, int rsrc, int csrc);
TUTTI_API int Ckbsid(int context, char* scope);
TUTTI_API int Ckbrid(int context, char* scope, int rsrc, int csrc);

#ifdef __cplusplus
}
#endif
#endif
