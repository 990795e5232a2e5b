/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Oxford's header of level 1. The collectives on memory are in bsp.h; here are those on single
 * values. All processes call them, and they are done on return, without bsp_sync.
 *
 * The letter at the end of a name is the type: I is int, R float, D double, C char. A name with
 * _prefix combines the values of processes 0 to this one, the name without it those of all.
 */
#ifndef TUTTI_BSP_LEVEL1_H
#define TUTTI_BSP_LEVEL1_H

#include <tutti-bsp/bsp.h>

#ifdef __cplusplus
extern "C" {
#endif

/* 1 if x is not 0 in all processes, or in any process; otherwise 0. */
TUTTI_API int bsp_all(int x);
TUTTI_API int bsp_any(int x);
TUTTI_API int bsp_all_prefix(int x);
TUTTI_API int bsp_any_prefix(int x);
/* 1 if all processes give the same x, otherwise 0. */
TUTTI_API int bsp_constantI(int x);

TUTTI_API int bsp_sumI(int x);
TUTTI_API float bsp_sumR(float x);
TUTTI_API double bsp_sumD(double x);
TUTTI_API int bsp_sumI_prefix(int x);
TUTTI_API float bsp_sumR_prefix(float x);
TUTTI_API double bsp_sumD_prefix(double x);

TUTTI_API int bsp_productI(int x);
TUTTI_API float bsp_productR(float x);
TUTTI_API double bsp_productD(double x);
TUTTI_API int bsp_productI_prefix(int x);
TUTTI_API float bsp_productR_prefix(float x);
TUTTI_API double bsp_productD_prefix(double x);

TUTTI_API int bsp_minI(int x);
TUTTI_API float bsp_minR(float x);
TUTTI_API double bsp_minD(double x);
TUTTI_API int bsp_minI_prefix(int x);
TUTTI_API float bsp_minR_prefix(float x);
TUTTI_API double bsp_minD_prefix(double x);

TUTTI_API int bsp_maxI(int x);
TUTTI_API float bsp_maxR(float x);
TUTTI_API double bsp_maxD(double x);
TUTTI_API int bsp_maxI_prefix(int x);
TUTTI_API float bsp_maxR_prefix(float x);
TUTTI_API double bsp_maxD_prefix(double x);

/* Sorts the values of all processes. Process 0 gets the smallest, process 1 the next. */
TUTTI_API int bsp_sortI(int x);
TUTTI_API float bsp_sortR(float x);
TUTTI_API double bsp_sortD(double x);
TUTTI_API char bsp_sortC(char x);

/* Tells the order of two values: less than 0 if the first comes before the second. */
typedef int (*bsp_comparison)(void* first, void* second);
/* Sorts one value of `size` bytes of each process. Process 0 gets the first, process 1 the next. */
TUTTI_API void bsp_sort(bsp_comparison compare, const void* source, void* destination,
                        bsp_size_t size) TUTTI_BSP_CALL(bsp_sort);

/* The parameters of the machine, with an operation on floating-point numbers as the unit of time:
 * million operations in a second; operations in the time of a bsp_sync, and in that of a word of 8
 * bytes; and the words with which a message takes twice the time of its words alone. */
TUTTI_API double bsp_s(void);
TUTTI_API double bsp_l(void);
TUTTI_API double bsp_g(void);
TUTTI_API int bsp_nhalf(void);

#ifdef __cplusplus
}
#endif
#endif
