/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Measures the parameters of a BSP computer with only the BSPlib of 1998, so that the same
 * source can measure any library (paper 003, chapter 3 and appendix A.2). All processes call
 * these functions. Results are in seconds, and words are doubles.
 */
#ifndef TUTTI_PROBE_MEASURE_H
#define TUTTI_PROBE_MEASURE_H

/* The parameter f: seconds per operation of this process while all processes compute, for
 * vectors of n or matrices of n x n. */
double measure_f_dot_double(int n);
double measure_f_dot_int(int n);
double measure_f_loop_double(int n);
double measure_f_loop_int(int n);
double measure_f_dgemm(int n); /* 0 if there is no BLAS */

/* Seconds per comparison of letters, in one of two ways to find the longest common subsequence
 * of two strings of n letters. */
typedef enum { by_table, by_bits } llcs_way;
double measure_llcs(llcs_way way, int n);

/* The parameter l: seconds of a bsp_sync after nothing, after a cyclic shift of one word, and
 * after an all-to-all of one word. */
typedef enum { after_nothing, after_shift, after_all } before_sync;
double measure_l(before_sync before);

/* The parameter g: seconds per word of a superstep in which each process sends `count` messages
 * of `size` words. */
typedef enum {
  by_put,
  by_hpput,
  by_get,
  by_hpget,
  by_send,
  by_exchange, /* bsp_total_exchange, only in all-to-all and with one message to each process */
  kinds_of_access
} access_kind;
typedef enum { random_permutation, all_to_all, to_itself, kinds_of_pattern } pattern_kind;
extern const char* const access_names[kinds_of_access];
extern const char* const pattern_names[kinds_of_pattern];

/* Reserves memory for samples of up to `words` words per process. All processes call it once
 * before and once after all samples. */
void begin_g(int words);
void end_g(void);
/* In all-to-all, a process sends `count` messages to each other process, and its words are those
 * to all of them. */
double measure_g(pattern_kind pattern, access_kind access, int size, int count);

/* Draws a number from 0 to below - 1, the same on all processes. */
int draw(int below);

/* The sharing of processors: seconds of a superstep in which `active` processes compute for so many
 * seconds of processor time each. The others wait. */
double measure_w(int active, double seconds);

/* Runs one such superstep and compares the words. Ends the program if one is wrong. */
void check_g(pattern_kind pattern, access_kind access, int size, int count);

/* Results are the best of this many series, each at least this long. */
extern int measure_series;
extern double measure_seconds;
/* Returns the seconds per operation of run(context), which does `operations`. All processes run
 * it, in series of 50 times measure_seconds. */
double measure_run(void (*run)(void* context), void* context, double operations);

#endif
