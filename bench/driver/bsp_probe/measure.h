/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Measures the parameters of a BSP computer with nothing but BSPlib of 1998, so that any library
 * can be measured by the same source (paper 003, chapter 3 and appendix A.2). Called by all
 * processes; results are seconds, and words are doubles.
 */
#ifndef TUTTI_PROBE_MEASURE_H
#define TUTTI_PROBE_MEASURE_H

/* ---- f: seconds per operation of this process while all compute, for vectors and matrices of n (x
 * n) ---- */
double measure_f_dot_double(int n);
double measure_f_dot_int(int n);
double measure_f_loop_double(int n);
double measure_f_loop_int(int n);
double measure_f_dgemm(int n); /* 0 where there is no BLAS */

/* ---- the same for a comparison of letters, by two ways to the longest common subsequence of two
 * strings of n ---- */
typedef enum { by_table, by_bits } llcs_way;
double measure_llcs(llcs_way way, int n);

/* ---- l: seconds of a bsp_sync after nothing, after a cyclic shift, after an all-to-all of one
 * word ---- */
typedef enum { after_nothing, after_shift, after_all } before_sync;
double measure_l(before_sync before);

/* ---- g: seconds per word of a superstep in which each process sends `count` messages of `size`
 * words ---- */
typedef enum { by_put, by_hpput, by_get, by_hpget, by_send, kinds_of_access } access_kind;
typedef enum { random_permutation, all_to_all } pattern_kind;
extern const char* const access_names[kinds_of_access];
extern const char* const pattern_names[2];

/* Reserves memory for samples of up to `words` words per process; collective, once before and once
 * after all samples. */
void begin_g(int words);
void end_g(void);
/* In all-to-all, `count` messages to each of the others, and the words are those sent to all. */
double measure_g(pattern_kind pattern, access_kind access, int size, int count);

/* One such superstep of words that are compared; ends the program if one is wrong. */
void check_g(pattern_kind pattern, access_kind access, int size, int count);

/* The best of this many series, each at least this long. */
extern int measure_series;
extern double measure_seconds;
/* Seconds per operation of run(context), which does `operations`, in series of 50 such lengths
 * while all processes run it. */
double measure_run(void (*run)(void* context), void* context, double operations);

#endif
