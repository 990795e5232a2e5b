/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Process 0 writes raw samples as lines of comma-separated values:
 *   p,<processes>
 *   f,<operation>,<n>,<seconds>
 *   l,<before>,<seconds>
 *   w,<processes that compute>,<seconds of each>,<seconds>
 *   g,<pattern>,<access>,<size>,<count>,<seconds>
 * Arguments: most words per superstep and process, most messages, series per sample,
 * microseconds per series, 0 to omit f. Further arguments "l", "llcs", or a pattern and an
 * access measure only that.
 */
#include <bsp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "measure.h"

static int most_words = 1 << 16, most_messages = 512;

/* Prints a line at once, so that its reader can show the progress. */
static void say(const char* format, ...) {
  if (bsp_pid() != 0) return;
  va_list arguments;
  va_start(arguments, format);
  vprintf(format, arguments);
  va_end(arguments);
  fflush(stdout);
}

static void say_f(void) {
  for (int n = 1 << 10; n <= 1 << 20; n <<= 2) {
    say("f,dot double,%d,%.6g\n", n, measure_f_dot_double(n));
    say("f,dot int,%d,%.6g\n", n, measure_f_dot_int(n));
  }
  for (int n = 16; n <= 256; n <<= 1) {
    say("f,loops double,%d,%.6g\n", n, measure_f_loop_double(n));
    say("f,loops int,%d,%.6g\n", n, measure_f_loop_int(n));
    const double blas = measure_f_dgemm(n);
    if (blas > 0) say("f,dgemm,%d,%.6g\n", n, blas);
  }
}

static void say_llcs(void) {
  for (int n = 64; n <= 1 << 14; n <<= 1) {
    say("f,LLCS by table,%d,%.6g\n", n, measure_llcs(by_table, n));
    say("f,LLCS by bits,%d,%.6g\n", n, measure_llcs(by_bits, n));
  }
}

static void say_l(void) {
  say("l,no communication,%.6g\n", measure_l(after_nothing));
  say("l,cyclic shift,%.6g\n", measure_l(after_shift));
  say("l,all-to-all,%.6g\n", measure_l(after_all));
}

/* Up to 16 processes, each number is measured; beyond that, ever fewer. */
static void say_w(void) {
  const int p = bsp_nprocs();
  for (double seconds = measure_seconds / 5; seconds <= 250 * measure_seconds; seconds *= 4)
    for (int active = 1; active <= p;) {
      say("w,%d,%.6g,%.6g\n", active, seconds, measure_w(active, seconds));
      const int next = active + 1 + active / 16;
      active = active < p && next > p ? p : next;
    }
}

static void say_series(pattern_kind pattern, access_kind access) {
  const int parts = pattern == all_to_all ? bsp_nprocs() - 1 : 1;
  const int most = access == by_exchange ? parts : most_messages;
  for (int size = 1; size <= 256; size <<= 4)
    check_g(pattern, access, size, access == by_exchange ? 1 : 4);
  for (int size = 1; size <= most_words / parts; size <<= 2) {
    for (int count = 1; count <= most / parts && size <= most_words / parts / count; count <<= 1) {
      const double g = measure_g(pattern, access, size, count);
      say("g,%s,%s,%d,%d,%.6g\n", pattern_names[pattern], access_names[access], size, count * parts,
          g);
    }
  }
}

static void say_g(const char* only_pattern, const char* only_access) {
  for (int pattern = 0; pattern < kinds_of_pattern; ++pattern) {
    if (only_pattern != NULL && strcmp(only_pattern, pattern_names[pattern]) != 0) continue;
    for (int access = 0; access < kinds_of_access; ++access) {
      if (only_access != NULL && strcmp(only_access, access_names[access]) != 0) continue;
      if (access == by_exchange && pattern != all_to_all) continue;
      say_series((pattern_kind)pattern, (access_kind)access);
    }
  }
}

int main(int argc, char** argv) {
  if (argc > 1) most_words = atoi(argv[1]);
  if (argc > 2) most_messages = atoi(argv[2]);
  if (argc > 3) measure_series = atoi(argv[3]);
  if (argc > 4) measure_seconds = atoi(argv[4]) * 1e-6;
  bsp_begin(bsp_nprocs());
  say("p,%d\n", bsp_nprocs());
  if (argc <= 5 || atoi(argv[5]) != 0) say_f();
  begin_g(most_words);
  const int llcs = argc == 7 && strcmp(argv[6], "llcs") == 0;
  if (llcs) say_llcs();
  if (argc <= 7 && !llcs) say_l();
  if (argc <= 6) say_w();
  if (argc != 7 && bsp_nprocs() > 1) say_g(argc > 7 ? argv[6] : NULL, argc > 7 ? argv[7] : NULL);
  end_g();
  bsp_end();
  return 0;
}
