/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The BLACS 1.0 beta of 1994 (libtutti-blacs94), as the appendices of LAPACK Working Note 73 have
 * them. It declares only names of the BLACS.
 *
 * Every routine has two names, one with an underscore behind it as Fortran compilers make it; C
 * programs use both. All arguments are references. Fortran passes the lengths of texts behind
 * them, which are ignored.
 *
 * There is one grid, so no routine has a context. scope is "Row", "Column", "All" or one of
 * scopemap; top is the topology. Only the first letter counts, in either case. a is an m x n matrix
 * by columns, which are lda >= m elements apart. The letter in a name is the type of its elements:
 * i int, s float, d double, c single complex, z double complex (real and imaginary part side by
 * side).
 *
 * BLACS 1.1 (tutti-blacs/tutti_blacs.h) have the same names with other arguments. So a program uses
 * one of the two.
 */
#ifndef TUTTI_BLACS94_H
#define TUTTI_BLACS94_H

#ifdef __cplusplus
extern "C" {
#endif

#define TUTTI_BLACS94(result, name, parameters) \
  extern result name parameters;                \
  extern result name##_ parameters

/* ---- the machine ---- */

/* Tells the number of this process and the number of processes. The latter is below 1 in a program
 * started by hand, which has no other processes yet. */
TUTTI_BLACS94(void, initpinfo, (int* mynum, int* nprocs));
/* Starts the processes of a program started by hand: *nprocs in all. Does nothing if they exist, as
 * in those that it has started. */
TUTTI_BLACS94(void, auxsetup, (int* mynum, int* nprocs));
/* Makes these tasks of PVM the processes, numbered as in the list. Each of them calls it before all
 * other routines. */
TUTTI_BLACS94(void, setpvmtids, (const int* ntasks, const int* tids));
/* Ends the grid. If `go_on` is 0, it also ends this process's part in the job, and no routine may
 * be called afterwards. */
TUTTI_BLACS94(void, blacsexit, (const int* go_on));
/* Frees the idle send buffer. */
TUTTI_BLACS94(void, freebuff, (void));

/* ---- the grid ---- */

/* Makes a grid of the first nprow * npcol processes, row by row. It replaces the grid before. The
 * processes in it call the routine. The others need not; if they do, they are in no grid then. */
TUTTI_BLACS94(void, blacsinit, (const int* nprow, const int* npcol));
/* Makes a grid in which process usermap[i + j * ldumap] is at row i and column j. */
TUTTI_BLACS94(void, gridmap,
              (const int* usermap, const int* ldumap, const int* nprow, const int* npcol));
/* Returns -1 in all four numbers if this process is in no grid. */
TUTTI_BLACS94(void, gridinfo, (int* nprow, int* npcol, int* prow, int* pcol));
/* kpnum returns the number of a process by its place in the grid; pcoord does the reverse. Both
 * give -1 outside of the grid. */
TUTTI_BLACS94(int, kpnum, (const int* prow, const int* pcol));
TUTTI_BLACS94(void, pcoord, (const int* pnum, int* prow, int* pcol));
TUTTI_BLACS94(void, barrier, (const char* scope));
/* Makes a scope of n processes of the grid, which list names in order by their numbers (see kpnum).
 * scope is a letter other than R, C and A, or a digit: routines with an argument scope take it,
 * too. All processes in the list call this. n = 0 ends the scope in this process. The paper
 * proposes such scopes without a name for the routine (section 7.1.1). */
TUTTI_BLACS94(void, scopemap, (const char* scope, const int* n, const int* list));
/* Sets the number of rings of the topology "M" and of branches of "T", which is 1 before. */
TUTTI_BLACS94(void, setbranches, (const int* branches));

/* Sets how much this process checks, from 0 to 3, as TUTTI_BLACS_DEBUG does for all, and what it
 * measures, from 0 to 2, as TUTTI_BLACS_TIMING does. The paper proposes such levels without names
 * for routines (section 7.1.4). */
TUTTI_BLACS94(void, blacsdebug, (const int* level));
TUTTI_BLACS94(void, blacstiming, (const int* level));

/* ---- message ids ---- */

/* Sets the ids that messages have from the next grid on: minsnd to maxsnd between two processes,
 * minbs to maxbs in broadcasts and combines. idranges tells those of the grid, or of the next grid
 * if there is none. */
TUTTI_BLACS94(void, shift_range,
              (const int* minsnd, const int* maxsnd, const int* minbs, const int* maxbs));
TUTTI_BLACS94(void, idranges, (int* minsnd, int* maxsnd, int* minbs, int* maxbs));
/* Each returns the id of the next message, and takes it: of a send from this process, which is
 * {rsrc, csrc}, and of a receive; of a broadcast from this process, and of one that it receives. */
TUTTI_BLACS94(int, ksendid, (const int* rsrc, const int* csrc, const int* rdest, const int* cdest));
TUTTI_BLACS94(int, krecvid, (const int* rsrc, const int* csrc));
TUTTI_BLACS94(int, kbsid, (const char* scope));
TUTTI_BLACS94(int, kbrid, (const char* scope, const int* rsrc, const int* csrc));

/* ---- time ---- */

/* Return seconds: since some moment, and of this process on its processor. */
TUTTI_BLACS94(double, dwalltime00, (void));
TUTTI_BLACS94(double, dcputime00, (void));

/* ---- point to point: send returns when a may be reused; messages between two processes keep their
 * order; with rsrc -1 a receive takes a message from anybody and returns who has sent ---- */

TUTTI_BLACS94(void, igesd2d,
              (const int* m, const int* n, const int* a, const int* lda, const int* rdest,
               const int* cdest));
TUTTI_BLACS94(void, igerv2d,
              (const int* m, const int* n, int* a, const int* lda, int* rsrc, int* csrc));
TUTTI_BLACS94(void, itrsd2d,
              (const char* uplo, const char* diag, const int* m, const int* n, const int* a,
               const int* lda, const int* rdest, const int* cdest));
TUTTI_BLACS94(void, itrrv2d,
              (const char* uplo, const char* diag, const int* m, const int* n, int* a,
               const int* lda, int* rsrc, int* csrc));
TUTTI_BLACS94(void, sgesd2d,
              (const int* m, const int* n, const float* a, const int* lda, const int* rdest,
               const int* cdest));
TUTTI_BLACS94(void, sgerv2d,
              (const int* m, const int* n, float* a, const int* lda, int* rsrc, int* csrc));
TUTTI_BLACS94(void, strsd2d,
              (const char* uplo, const char* diag, const int* m, const int* n, const float* a,
               const int* lda, const int* rdest, const int* cdest));
TUTTI_BLACS94(void, strrv2d,
              (const char* uplo, const char* diag, const int* m, const int* n, float* a,
               const int* lda, int* rsrc, int* csrc));
TUTTI_BLACS94(void, dgesd2d,
              (const int* m, const int* n, const double* a, const int* lda, const int* rdest,
               const int* cdest));
TUTTI_BLACS94(void, dgerv2d,
              (const int* m, const int* n, double* a, const int* lda, int* rsrc, int* csrc));
TUTTI_BLACS94(void, dtrsd2d,
              (const char* uplo, const char* diag, const int* m, const int* n, const double* a,
               const int* lda, const int* rdest, const int* cdest));
TUTTI_BLACS94(void, dtrrv2d,
              (const char* uplo, const char* diag, const int* m, const int* n, double* a,
               const int* lda, int* rsrc, int* csrc));
TUTTI_BLACS94(void, cgesd2d,
              (const int* m, const int* n, const float* a, const int* lda, const int* rdest,
               const int* cdest));
TUTTI_BLACS94(void, cgerv2d,
              (const int* m, const int* n, float* a, const int* lda, int* rsrc, int* csrc));
TUTTI_BLACS94(void, ctrsd2d,
              (const char* uplo, const char* diag, const int* m, const int* n, const float* a,
               const int* lda, const int* rdest, const int* cdest));
TUTTI_BLACS94(void, ctrrv2d,
              (const char* uplo, const char* diag, const int* m, const int* n, float* a,
               const int* lda, int* rsrc, int* csrc));
TUTTI_BLACS94(void, zgesd2d,
              (const int* m, const int* n, const double* a, const int* lda, const int* rdest,
               const int* cdest));
TUTTI_BLACS94(void, zgerv2d,
              (const int* m, const int* n, double* a, const int* lda, int* rsrc, int* csrc));
TUTTI_BLACS94(void, ztrsd2d,
              (const char* uplo, const char* diag, const int* m, const int* n, const double* a,
               const int* lda, const int* rdest, const int* cdest));
TUTTI_BLACS94(void, ztrrv2d,
              (const char* uplo, const char* diag, const int* m, const int* n, double* a,
               const int* lda, int* rsrc, int* csrc));

/* ---- broadcast: bs in the process that has the matrix, br in the others ---- */

TUTTI_BLACS94(void, igebs2d,
              (const char* scope, const char* top, const int* m, const int* n, const int* a,
               const int* lda));
TUTTI_BLACS94(void, igebr2d,
              (const char* scope, const char* top, const int* m, const int* n, int* a,
               const int* lda, const int* rsrc, const int* csrc));
TUTTI_BLACS94(void, itrbs2d,
              (const char* scope, const char* top, const char* uplo, const char* diag, const int* m,
               const int* n, const int* a, const int* lda));
TUTTI_BLACS94(void, itrbr2d,
              (const char* scope, const char* top, const char* uplo, const char* diag, const int* m,
               const int* n, int* a, const int* lda, const int* rsrc, const int* csrc));
TUTTI_BLACS94(void, sgebs2d,
              (const char* scope, const char* top, const int* m, const int* n, const float* a,
               const int* lda));
TUTTI_BLACS94(void, sgebr2d,
              (const char* scope, const char* top, const int* m, const int* n, float* a,
               const int* lda, const int* rsrc, const int* csrc));
TUTTI_BLACS94(void, strbs2d,
              (const char* scope, const char* top, const char* uplo, const char* diag, const int* m,
               const int* n, const float* a, const int* lda));
TUTTI_BLACS94(void, strbr2d,
              (const char* scope, const char* top, const char* uplo, const char* diag, const int* m,
               const int* n, float* a, const int* lda, const int* rsrc, const int* csrc));
TUTTI_BLACS94(void, dgebs2d,
              (const char* scope, const char* top, const int* m, const int* n, const double* a,
               const int* lda));
TUTTI_BLACS94(void, dgebr2d,
              (const char* scope, const char* top, const int* m, const int* n, double* a,
               const int* lda, const int* rsrc, const int* csrc));
TUTTI_BLACS94(void, dtrbs2d,
              (const char* scope, const char* top, const char* uplo, const char* diag, const int* m,
               const int* n, const double* a, const int* lda));
TUTTI_BLACS94(void, dtrbr2d,
              (const char* scope, const char* top, const char* uplo, const char* diag, const int* m,
               const int* n, double* a, const int* lda, const int* rsrc, const int* csrc));
TUTTI_BLACS94(void, cgebs2d,
              (const char* scope, const char* top, const int* m, const int* n, const float* a,
               const int* lda));
TUTTI_BLACS94(void, cgebr2d,
              (const char* scope, const char* top, const int* m, const int* n, float* a,
               const int* lda, const int* rsrc, const int* csrc));
TUTTI_BLACS94(void, ctrbs2d,
              (const char* scope, const char* top, const char* uplo, const char* diag, const int* m,
               const int* n, const float* a, const int* lda));
TUTTI_BLACS94(void, ctrbr2d,
              (const char* scope, const char* top, const char* uplo, const char* diag, const int* m,
               const int* n, float* a, const int* lda, const int* rsrc, const int* csrc));
TUTTI_BLACS94(void, zgebs2d,
              (const char* scope, const char* top, const int* m, const int* n, const double* a,
               const int* lda));
TUTTI_BLACS94(void, zgebr2d,
              (const char* scope, const char* top, const int* m, const int* n, double* a,
               const int* lda, const int* rsrc, const int* csrc));
TUTTI_BLACS94(void, ztrbs2d,
              (const char* scope, const char* top, const char* uplo, const char* diag, const int* m,
               const int* n, const double* a, const int* lda));
TUTTI_BLACS94(void, ztrbr2d,
              (const char* scope, const char* top, const char* uplo, const char* diag, const int* m,
               const int* n, double* a, const int* lda, const int* rsrc, const int* csrc));

/* ---- combines, element by element; rdest -1: the result is left on all processes ---- */

/* max finds the greatest |x| (complex: |re| + |im|), min the smallest. ra and ca, with leading
 * dimension ldia, get the row and column it came from. If values are equal, the process at the
 * smallest distance after the destination wins. */
TUTTI_BLACS94(void, igsum2d,
              (const char* scope, const char* top, const int* m, const int* n, int* a,
               const int* lda, const int* rdest, const int* cdest));
TUTTI_BLACS94(void, igmax2d,
              (const char* scope, const char* top, const int* m, const int* n, int* a,
               const int* lda, int* ra, int* ca, const int* ldia, const int* rdest,
               const int* cdest));
TUTTI_BLACS94(void, igmin2d,
              (const char* scope, const char* top, const int* m, const int* n, int* a,
               const int* lda, int* ra, int* ca, const int* ldia, const int* rdest,
               const int* cdest));
TUTTI_BLACS94(void, sgsum2d,
              (const char* scope, const char* top, const int* m, const int* n, float* a,
               const int* lda, const int* rdest, const int* cdest));
TUTTI_BLACS94(void, sgmax2d,
              (const char* scope, const char* top, const int* m, const int* n, float* a,
               const int* lda, int* ra, int* ca, const int* ldia, const int* rdest,
               const int* cdest));
TUTTI_BLACS94(void, sgmin2d,
              (const char* scope, const char* top, const int* m, const int* n, float* a,
               const int* lda, int* ra, int* ca, const int* ldia, const int* rdest,
               const int* cdest));
TUTTI_BLACS94(void, dgsum2d,
              (const char* scope, const char* top, const int* m, const int* n, double* a,
               const int* lda, const int* rdest, const int* cdest));
TUTTI_BLACS94(void, dgmax2d,
              (const char* scope, const char* top, const int* m, const int* n, double* a,
               const int* lda, int* ra, int* ca, const int* ldia, const int* rdest,
               const int* cdest));
TUTTI_BLACS94(void, dgmin2d,
              (const char* scope, const char* top, const int* m, const int* n, double* a,
               const int* lda, int* ra, int* ca, const int* ldia, const int* rdest,
               const int* cdest));
TUTTI_BLACS94(void, cgsum2d,
              (const char* scope, const char* top, const int* m, const int* n, float* a,
               const int* lda, const int* rdest, const int* cdest));
TUTTI_BLACS94(void, cgmax2d,
              (const char* scope, const char* top, const int* m, const int* n, float* a,
               const int* lda, int* ra, int* ca, const int* ldia, const int* rdest,
               const int* cdest));
TUTTI_BLACS94(void, cgmin2d,
              (const char* scope, const char* top, const int* m, const int* n, float* a,
               const int* lda, int* ra, int* ca, const int* ldia, const int* rdest,
               const int* cdest));
TUTTI_BLACS94(void, zgsum2d,
              (const char* scope, const char* top, const int* m, const int* n, double* a,
               const int* lda, const int* rdest, const int* cdest));
TUTTI_BLACS94(void, zgmax2d,
              (const char* scope, const char* top, const int* m, const int* n, double* a,
               const int* lda, int* ra, int* ca, const int* ldia, const int* rdest,
               const int* cdest));
TUTTI_BLACS94(void, zgmin2d,
              (const char* scope, const char* top, const int* m, const int* n, double* a,
               const int* lda, int* ra, int* ca, const int* ldia, const int* rdest,
               const int* cdest));

/* ---- combines by functions of the user; uplo "G" is a general matrix ---- */

/* Each process calls init, which may prepare its *n elements. op leaves x op y in x, and may change
 * y. Where the result is left, finish is called with it. All three get all elements of a matrix,
 * column by column, and are not called if there are none. init and finish may be NULL. The paper
 * proposes this (section 7.1.3). */
TUTTI_BLACS94(void, ituop2d,
              (const char* scope, const char* top, const char* uplo, const char* diag, const int* m,
               const int* n, int* a, const int* lda, void (*init)(const int* n, int* x),
               void (*op)(const int* n, int* x, int* y), void (*finish)(const int* n, int* x),
               const int* rdest, const int* cdest));
TUTTI_BLACS94(void, stuop2d,
              (const char* scope, const char* top, const char* uplo, const char* diag, const int* m,
               const int* n, float* a, const int* lda, void (*init)(const int* n, float* x),
               void (*op)(const int* n, float* x, float* y), void (*finish)(const int* n, float* x),
               const int* rdest, const int* cdest));
TUTTI_BLACS94(void, dtuop2d,
              (const char* scope, const char* top, const char* uplo, const char* diag, const int* m,
               const int* n, double* a, const int* lda, void (*init)(const int* n, double* x),
               void (*op)(const int* n, double* x, double* y),
               void (*finish)(const int* n, double* x), const int* rdest, const int* cdest));
TUTTI_BLACS94(void, ctuop2d,
              (const char* scope, const char* top, const char* uplo, const char* diag, const int* m,
               const int* n, float* a, const int* lda, void (*init)(const int* n, float* x),
               void (*op)(const int* n, float* x, float* y), void (*finish)(const int* n, float* x),
               const int* rdest, const int* cdest));
TUTTI_BLACS94(void, ztuop2d,
              (const char* scope, const char* top, const char* uplo, const char* diag, const int* m,
               const int* n, double* a, const int* lda, void (*init)(const int* n, double* x),
               void (*op)(const int* n, double* x, double* y),
               void (*finish)(const int* n, double* x), const int* rdest, const int* cdest));

#ifdef __cplusplus
}
#endif
#endif
