/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Implements the part of the driver's interface that is about several ways to do an operation, for
 * libraries that have only one.
 */
#include <stdio.h>

#include "driver/driver.h"

int library_add_way(int op, const char* plan) {
  fprintf(stderr, "%s by the plan %s is for tutti only\n", bench_operations[op].name, plan);
  return own_choice;
}

void library_take(int way) {
  (void)way;
}

void library_watch(int on) {
  (void)on;
}

const char* library_method(void) {
  return "";
}

int library_sent_long(bench_sent_long* sent) {
  (void)sent;
  return 1;
}
