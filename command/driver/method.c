/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Says which plan tutti has run and how long messages were sent, and gives memory of its job, for
 * the drivers whose library stands on tutti.
 */
#include <stdio.h>

#include "driver/driver.h"
#include "tutti/tutti_plan.h"
#include "tutti/tutti_runtime.h"

static char method[1024];
static int watched;

/* tutti calls this after every collective while library_watch() is on. */
static void note(void* user, tutti_group group, tutti_plan plan, const tutti_plan_request* shape) {
  (void)user;
  (void)group;
  int length = snprintf(
      method, sizeof(method),
      ",\"algorithm\":\"%s\",\"branches\":%d,\"rings\":%d,\"segments\":%d,\"cut\":%d,\"factors\":[",
      tutti_plan_algorithm(plan), shape->branches, shape->rings, shape->segments, shape->cut);
  for (int i = 0; i < shape->factor_count && length < (int)sizeof(method) - 16; ++i) {
    length += snprintf(method + length, sizeof(method) - (size_t)length, i > 0 ? ",%d" : "%d",
                       shape->factors[i]);
  }
  snprintf(method + length, sizeof(method) - (size_t)length, "]");
}

void library_watch(int on) {
  watched = on;
  if (on) method[0] = '\0';
  tutti_on_run(on ? note : NULL, NULL);
}

const char* library_method(void) {
  return method;
}

int library_sent_long(bench_sent_long* sent) {
  tutti_sent_long counts = {sizeof counts, 0, 0};
  tutti_count_sent_long(&counts);
  sent->in_place = (double)counts.in_place;
  sent->together = (double)counts.together;
  return 0;
}

int bench_watches_method(void) {
  return watched;
}

void* library_shared_memory(size_t bytes) {
  void* address = NULL;
  return tutti_alloc((int64_t)bytes, &address) == TUTTI_OK ? address : NULL;
}
