// SPDX-License-Identifier: BSD-3-Clause
// Calls of several threads of one process: allowed one after the other, refused while another
// thread is inside a call. Calls of an operator's function are tested as well. The argument names
// the case.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tutti/tutti.h>
#include <tutti/tutti_runtime.h>
#include <unistd.h>

#define CHECK(condition)                                           \
  do {                                                             \
    if (!(condition)) {                                            \
      printf("line %d: %s does not hold\n", __LINE__, #condition); \
      exit(1);                                                     \
    }                                                              \
  } while (0)

static int sum_over_ranks(void) {
  int sum = tutti_rank(tutti_world()) + 1;
  const tutti_data data = tutti_array(&sum, 1, TUTTI_INT32);
  return tutti_allreduce(tutti_world(), &data, &data, TUTTI_SUM) == TUTTI_OK ? sum : -1;
}

static void* in_other_thread(void* result) {
  *(int*)result = sum_over_ranks();
  return NULL;
}

static int run_thread(void* (*body)(void*)) {
  int result = -2;
  pthread_t thread;
  CHECK(pthread_create(&thread, NULL, body, &result) == 0);
  CHECK(pthread_join(thread, NULL) == 0);
  return result;
}

static void take_turns(void) {
  const int p = tutti_size(tutti_world());
  for (int i = 0; i < 100; ++i) {
    CHECK(sum_over_ranks() == p * (p + 1) / 2);
    CHECK(run_thread(in_other_thread) == p * (p + 1) / 2);
  }
}

static void check_refused(tutti_status status) {
  CHECK(status == TUTTI_WRONG_THREAD);
  CHECK(strstr(tutti_error_text(), "only one thread at a time may call tutti") != NULL);
  CHECK(strstr(tutti_error_text(), "tutti_mail_await") != NULL);
}

static void* call_while_main_is_inside(void* result) {
  tutti_envelope envelope;
  const tutti_match match = {sizeof match, TUTTI_ANY, 1, ~(uint64_t)0, NULL, NULL};
  tutti_group group;
  check_refused(tutti_barrier(tutti_world()));
  check_refused(tutti_group_dup(tutti_world(), &group));
  check_refused(tutti_mail_probe(&match, 0, &envelope));
  check_refused(tutti_enter("a_front_end"));
  check_refused(tutti_finalize());
  *(int*)result = 0;
  return NULL;
}

// Runs inside of the main thread's call.
static int ask_for_end(void* user) {
  int* asked = user;
  if (++*asked == 1) CHECK(run_thread(call_while_main_is_inside) == 0);
  return *asked > 1;
}

static void call_from_inside(void) {
  int asked = 0;
  const int p = tutti_size(tutti_world());
  const tutti_match match = {sizeof match, TUTTI_ANY, 1, ~(uint64_t)0, NULL, NULL};
  tutti_errors_return();
  CHECK(tutti_mail_await(&match, -1, ask_for_end, &asked, NULL) == TUTTI_WOULD_WAIT);
  CHECK(asked == 2);
  CHECK(tutti_enter("a_front_end") == TUTTI_OK);
  CHECK(tutti_enter("another") == TUTTI_OK);
  CHECK(sum_over_ranks() == p * (p + 1) / 2);
  tutti_leave();
  CHECK(run_thread(in_other_thread) == -1);
  tutti_leave();
  CHECK(run_thread(in_other_thread) == p * (p + 1) / 2);
}

static void* end_inside(void* result) {
  CHECK(tutti_enter("an_unfinished_call") == TUTTI_OK);
  *(int*)result = 0;
  return NULL;
}

// A call says that a thread has ended inside one, also a call of a new thread, which may get the
// stack of the old one. Before, many threads have called tutti and ended.
static void end_thread_inside(void) {
  const int p = tutti_size(tutti_world());
  tutti_errors_return();
  take_turns();
  CHECK(sum_over_ranks() == p * (p + 1) / 2);
  CHECK(run_thread(end_inside) == 0);
  CHECK(tutti_barrier(tutti_world()) == TUTTI_WRONG_THREAD);
  CHECK(strstr(tutti_error_text(), "a thread of this process has ended inside an_unfinished_call"));
  CHECK(run_thread(in_other_thread) == -1);
  CHECK(tutti_enter("another") == TUTTI_WRONG_THREAD);
  exit(0);
}

static void* wait_for_all(void* unused) {
  tutti_barrier(tutti_world());
  return unused;
}

// Rank 1 never enters the barrier, so the thread that comes first stays inside.
static void wait_twice(void) {
  if (tutti_rank(tutti_world()) == 1) {
    for (;;) pause();
  }
  pthread_t thread;
  CHECK(pthread_create(&thread, NULL, wait_for_all, NULL) == 0);
  wait_for_all(NULL);
  pthread_join(thread, NULL);
}

struct Calls {
  tutti_group same, own;
  int refused, done;
};

static void combine(void* result, const void* left, const void* right, int64_t count, void* user) {
  struct Calls* calls = user;
  int one = 1;
  const tutti_data data = tutti_array(&one, 1, TUTTI_INT32);
  const tutti_status status = tutti_allreduce(calls->same, &data, &data, TUTTI_SUM);
  calls->refused += status == TUTTI_INVALID_ARGUMENT &&
                    strstr(tutti_error_text(), "the function of a user's operator") != NULL;
  calls->done += tutti_allreduce(calls->own, &data, &data, TUTTI_SUM) == TUTTI_OK;
  for (int64_t i = 0; i < count; ++i)
    ((int*)result)[i] = ((const int*)left)[i] + ((const int*)right)[i];
}

static void call_in_operator(void) {
  const int rank = tutti_rank(tutti_world()), p = tutti_size(tutti_world());
  struct Calls calls = {tutti_world(), {0}, 0, 0};
  tutti_op op;
  tutti_errors_return();
  CHECK(tutti_group_create(tutti_world(), 1, &rank, &calls.own) == TUTTI_OK);
  CHECK(tutti_op_create(TUTTI_INT32, combine, 1, &calls, &op) == TUTTI_OK);
  for (int round = 0; round < 3; ++round) {
    CHECK(sum_over_ranks() == p * (p + 1) / 2);
    int sum = rank + 1;
    const tutti_data data = tutti_array(&sum, 1, TUTTI_INT32);
    CHECK(tutti_allreduce(tutti_world(), &data, &data, op) == TUTTI_OK);
    CHECK(sum == p * (p + 1) / 2);
  }
  CHECK(calls.refused == calls.done && (calls.refused > 0 || p == 1));
}

int main(int argc, char** argv) {
  const char* wanted = argc > 1 ? argv[1] : "";
  setvbuf(stdout, NULL, _IOLBF, 0);
  tutti_init();
  if (strcmp(wanted, "turns") == 0) take_turns();
  if (strcmp(wanted, "inside") == 0) call_from_inside();
  if (strcmp(wanted, "operator") == 0) call_in_operator();
  if (strcmp(wanted, "twice") == 0) wait_twice();
  if (strcmp(wanted, "ended") == 0) end_thread_inside();
  return tutti_finalize();
}
