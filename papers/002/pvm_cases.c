/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Three reductions in which the first six of seven tasks share a host: all take part and the
 * function is PVM's; the last of the six does not take part; the function is the user's (paper 002,
 * figure 5). For each, a task prints "CASE NATIVE SENDS": whether it combined by a plan that the
 * runtime chose, and how many messages it sent to tasks of its host by PVM's own plan. The root
 * prints "sum CASE VALUE".
 *
 * Then three tasks do what the manual page of pvm_reduce illustrates, and one that is in no group
 * calls the three routines: "values ...", "error ROUTINE CAUSE CODE". All sum bytes as well.
 */
#include "pvm_cases.h"

#include <pvm3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tutti/tutti_runtime.h>

enum { tasks = 7, on_host = 6, values = 5, workers = 3 };
static int me, native, sends;
static char everybody[] = "everybody", without_one[] = "without one", worker[] = "worker";

/* Processes of a job are numbered as their endpoints are. */
static int shares_host(int endpoint) {
  return me < on_host && endpoint % 1024 < on_host;
}

static void note(void* user, tutti_group group, tutti_plan plan, const tutti_plan_request* shape) {
  static char text[4096];
  (void)user, (void)shape;
  if (strncmp(tutti_plan_algorithm(plan), "coordinators", strlen("coordinators")) != 0) {
    native = 1;
    return;
  }
  tutti_plan_text(plan, text, sizeof text);
  for (char* line = strstr(text, "  send "); line != NULL; line = strstr(line + 1, "  send ")) {
    const char* to = strstr(line, " to ");
    if (to != NULL) sends += shares_host(tutti_endpoint(group, atoi(to + 4)));
  }
}

static void add(int* type, void* x, void* y, int* n, int* info) {
  (void)type, (void)info;
  for (int i = 0; i < *n; ++i) ((int*)x)[i] += ((int*)y)[i];
}

static void reduce(const char* name, void (*function)(int*, void*, void*, int*, int*),
                   char* group) {
  int value = 1 << me;
  const int root = pvm_getinst(group, pvm_gettid(group, 0));
  const int is_root = pvm_gettid(group, root) == pvm_mytid();
  native = sends = 0;
  tutti_on_run(note, NULL);
  pvm_reduce(function, &value, 1, PVM_INT, 1, group, root);
  tutti_on_run(NULL, NULL);
  printf("%s %d %d\n", name, native, sends);
  if (is_root) printf("sum %s %d\n", name, value);
}

/* The data of the manual page: 1 to 5, times a power of ten for each instance. */
static void illustration(int instance) {
  int data[values], scale = instance == 0 ? 1 : instance == 1 ? 10 : 100;
  for (int i = 0; i < values; ++i) data[i] = scale * (i + 1);
  pvm_reduce(PvmSum, data, values, PVM_INT, 2, worker, 1);
  if (instance != 1) return;
  printf("values");
  for (int i = 0; i < values; ++i) printf(" %d", data[i]);
  printf("\n");
}

static void errors_of(const char* cause, char* group, int type) {
  int data[tasks] = {0}, result[tasks] = {0};
  printf("error scatter %s %d\n", cause, pvm_scatter(result, data, 1, type, 3, group, 0));
  printf("error gather %s %d\n", cause, pvm_gather(result, data, 1, type, 3, group, 0));
  printf("error reduce %s %d\n", cause, pvm_reduce(PvmSum, data, 1, type, 3, group, 0));
}

/* The sum of bytes is no function of PVM's. The root learns so, as it alone combines. */
static void bytes_of(char* group) {
  char data[1] = {1};
  const int code = pvm_reduce(PvmSum, data, 1, PVM_BYTE, 4, group, 0);
  if (pvm_getinst(group, pvm_mytid()) == 0) printf("error reduce bytes %d\n", code);
}

int pvm_cases(void) {
  const int unknown_type = 999;
  pvm_mytid();
  pvm_setopt(PvmAutoErr, 0); /* the errors are wanted */
  me = tutti_rank(tutti_world());
  if (tutti_size(tutti_world()) != tasks) return 2;
  pvm_joingroup(everybody);
  if (me != on_host - 1) pvm_joingroup(without_one);
  const int instance = me < workers ? pvm_joingroup(worker) : -1;
  pvm_barrier(everybody, tasks);
  reduce("a", PvmSum, everybody);
  if (me != on_host - 1) reduce("b", PvmSum, without_one);
  reduce("c", add, everybody);
  if (instance >= 0) illustration(instance);
  bytes_of(everybody);
  if (me == workers) errors_of("outside", worker, PVM_INT);
  if (me == workers) errors_of("type", everybody, unknown_type);
  pvm_barrier(everybody, tasks);
  pvm_exit();
  return 0;
}
