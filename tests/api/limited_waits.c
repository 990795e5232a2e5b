/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Tests waits that end before what they wait for has come: because the predicate of tutti_on_wait
 * says so, or because their time is over. What was waited for stays, and the group can be used
 * further. Runs with any number of processes, with little memory for messages. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tutti/tutti_runtime.h>

#include "rank_check.h"

static int next(void) {
  return (rank + 1) % size;
}
static int before(void) {
  return (rank + size - 1) % size;
}

/* Ends a wait when it is asked for the third time. */
static int asked;
static int third_time(void* user) {
  (void)user;
  return ++asked == 3;
}
static void give_up_soon(void) {
  asked = 0;
  tutti_on_wait(third_time, NULL);
}
/* Returns 1 if the wait has ended because it was asked often enough. */
static int gave_up(tutti_status status) {
  tutti_on_wait(NULL, NULL);
  return status == TUTTI_WOULD_WAIT && asked == 3;
}

/* The same message is waited for in vain in several ways, and then received. */
static void messages(void) {
  int64_t in = -1, out = rank;
  const tutti_data received = tutti_array(&in, 1, TUTTI_INT64),
                   sent = tutti_array(&out, 1, TUTTI_INT64);
  tutti_request request;
  give_up_soon();
  CHECK(gave_up(tutti_receive(world, &received, before(), 5, NULL, NULL)));
  give_up_soon();
  CHECK(gave_up(tutti_receive(world, &received, TUTTI_ANY, TUTTI_ANY, NULL, NULL)));
  give_up_soon();
  CHECK(gave_up(tutti_probe(world, before(), 5, 1, NULL, NULL, NULL)));
  CHECK(tutti_probe_for(world, before(), 5, 0.001, NULL, NULL, NULL) == TUTTI_WOULD_WAIT);
  CHECK(tutti_probe_for(world, before(), 5, 0, NULL, NULL, NULL) == TUTTI_WOULD_WAIT);
  CHECK(tutti_ireceive(world, &received, before(), 5, NULL, NULL, &request) == TUTTI_OK);
  give_up_soon();
  CHECK(gave_up(tutti_wait(&request)) && request.id != 0);
  CHECK(tutti_wait_for(&request, 0.001) == TUTTI_WOULD_WAIT && request.id != 0);
  CHECK(tutti_barrier(world) == TUTTI_OK);
  CHECK(tutti_send(world, &sent, next(), 5) == TUTTI_OK);
  CHECK(tutti_wait_for(&request, 60) == TUTTI_OK && request.id == 0 && in == before());
  CHECK(tutti_wait_for(&request, 0) == TUTTI_OK);
  CHECK(tutti_send(world, &sent, next(), 6) == TUTTI_OK);
  int64_t bytes = 0;
  CHECK(tutti_probe_for(world, TUTTI_ANY, 6, -1, NULL, NULL, &bytes) == TUTTI_OK && bytes == 8);
  CHECK(tutti_receive(world, &received, before(), 6, NULL, NULL) == TUTTI_OK);
}

static void several(void) {
  int64_t in[2] = {-1, -1}, out = rank;
  const tutti_data sent = tutti_array(&out, 1, TUTTI_INT64);
  tutti_request requests[2];
  int index = 7;
  for (int i = 0; i < 2; i++) {
    const tutti_data received = tutti_array(&in[i], 1, TUTTI_INT64);
    CHECK(tutti_ireceive(world, &received, before(), i, NULL, NULL, &requests[i]) == TUTTI_OK);
  }
  CHECK(tutti_waitany_for(2, requests, 0.001, &index) == TUTTI_WOULD_WAIT && index == 7);
  give_up_soon();
  CHECK(gave_up(tutti_waitany(2, requests, &index)));
  CHECK(tutti_barrier(world) == TUTTI_OK);
  CHECK(tutti_send(world, &sent, next(), 1) == TUTTI_OK);
  CHECK(tutti_probe_for(world, before(), 0, 0.001, NULL, NULL, NULL) == TUTTI_WOULD_WAIT);
  CHECK(tutti_waitany_for(2, requests, 60, &index) == TUTTI_OK && index == 1);
  CHECK(requests[1].id == 0 && requests[0].id != 0);
  CHECK(tutti_waitall_for(2, requests, 0.001) == TUTTI_WOULD_WAIT && requests[0].id != 0);
  CHECK(tutti_barrier(world) == TUTTI_OK);
  CHECK(tutti_send(world, &sent, next(), 0) == TUTTI_OK);
  CHECK(tutti_waitall_for(2, requests, 60) == TUTTI_OK && in[0] == before());
  CHECK(tutti_waitany_for(2, requests, 0, &index) == TUTTI_OK && index == -1);
  CHECK(tutti_waitall_for(-1, requests, 0) == TUTTI_INVALID_ARGUMENT);
  CHECK(tutti_wait_for(NULL, 0) == TUTTI_INVALID_ARGUMENT);
}

/* The collective goes on after the wait for it was given up. */
static void collectives(void) {
  int64_t out = rank, sum = 0;
  const tutti_data sent = tutti_array(&out, 1, TUTTI_INT64),
                   total = tutti_array(&sum, 1, TUTTI_INT64);
  tutti_request request;
  if (rank == 0 && size > 1) {
    CHECK(tutti_iallreduce(world, &sent, &total, TUTTI_SUM, &request) == TUTTI_OK);
    give_up_soon();
    CHECK(gave_up(tutti_wait(&request)));
    CHECK(tutti_wait_for(&request, 0.001) == TUTTI_WOULD_WAIT);
    for (int to = 1; to < size; to++) CHECK(tutti_send(world, &sent, to, 1) == TUTTI_OK);
  } else if (size > 1) {
    CHECK(tutti_receive(world, &total, 0, 1, NULL, NULL) == TUTTI_OK);
    CHECK(tutti_iallreduce(world, &sent, &total, TUTTI_SUM, &request) == TUTTI_OK);
  } else {
    CHECK(tutti_iallreduce(world, &sent, &total, TUTTI_SUM, &request) == TUTTI_OK);
  }
  CHECK(tutti_wait_for(&request, 60) == TUTTI_OK && sum == (int64_t)size * (size - 1) / 2);
}

static void arrivals(void) {
  give_up_soon();
  CHECK(rank != 0 || gave_up(tutti_arrive("limited waits", size + 1)));
  tutti_on_wait(NULL, NULL);
  CHECK(tutti_barrier(world) == TUTTI_OK);
  CHECK(tutti_arrive("limited waits", size) == TUTTI_OK);
}

static int is_set(void* flag) {
  return __atomic_load_n((int64_t*)flag, __ATOMIC_ACQUIRE) != 0;
}

/* The last rank sets a flag in memory behind an operation to which the others contribute while they
 * wait for the flag. */
static void memory_of_others(void) {
  static int64_t never;
  int64_t out = rank, sum = 0;
  const tutti_data sent = tutti_array(&out, 1, TUTTI_INT64),
                   total = tutti_array(&sum, 1, TUTTI_INT64);
  tutti_request request;
  void* flag = NULL;
  const uint64_t begun = tutti_nanoseconds();
  CHECK(tutti_await(NULL, NULL) == TUTTI_INVALID_ARGUMENT);
  give_up_soon();
  CHECK(gave_up(tutti_await(is_set, &never)));
  CHECK(tutti_probe_for(world, before(), 5, 0.002, NULL, NULL, NULL) == TUTTI_WOULD_WAIT);
  CHECK(tutti_nanoseconds() - begun >= 2000000);
  CHECK(tutti_record("limited waits flag", sizeof(int64_t), &flag) == TUTTI_OK);
  CHECK(tutti_iallreduce(world, &sent, &total, TUTTI_SUM, &request) == TUTTI_OK);
  if (rank == size - 1) {
    CHECK(tutti_wait_for(&request, 60) == TUTTI_OK);
    __atomic_store_n((int64_t*)flag, 1, __ATOMIC_RELEASE);
  }
  CHECK(tutti_await(is_set, flag) == TUTTI_OK);
  CHECK(tutti_wait_for(&request, 60) == TUTTI_OK && sum == (int64_t)size * (size - 1) / 2);
}

/* Rank 0 sends until there is no memory, and gives that wait up. All that was sent is received. */
static void full_memory(void) {
  enum { bytes = 1 << 20, most = 1000 };
  char* const memory = calloc(1, bytes);
  int64_t sent = 0;
  const tutti_data data = tutti_array(memory, bytes, TUTTI_BYTE),
                   count = tutti_array(&sent, 1, TUTTI_INT64);
  if (rank == 0) {
    tutti_status status = TUTTI_OK;
    while (status == TUTTI_OK && sent < most) {
      memory[0] = (char)sent;
      give_up_soon();
      status = tutti_send(world, &data, size - 1, 2);
      if (status == TUTTI_OK) ++sent;
    }
    CHECK(gave_up(status));
    CHECK(tutti_send(world, &count, size - 1, 3) == TUTTI_OK);
  }
  if (rank == size - 1) {
    CHECK(tutti_receive(world, &count, 0, 3, NULL, NULL) == TUTTI_OK);
    CHECK(sent > 0);
    for (int64_t i = 0; i < sent; i++) {
      CHECK(tutti_receive(world, &data, 0, 2, NULL, NULL) == TUTTI_OK);
      CHECK(memory[0] == (char)i);
    }
    CHECK(tutti_probe(world, 0, 2, 0, NULL, NULL, NULL) == TUTTI_WOULD_WAIT);
  }
  free(memory);
}

int main(void) {
  tutti_errors_return();
  CHECK(tutti_init() == TUTTI_OK);
  world = tutti_world();
  rank = tutti_rank(world);
  size = tutti_size(world);
  void (*const parts[])(void) = {messages, several,          collectives,
                                 arrivals, memory_of_others, full_memory};
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
    CHECK(tutti_barrier(world) == TUTTI_OK);
    parts[i]();
  }
  CHECK(tutti_finalize() == TUTTI_OK);
  if (rank == 0 && failures == 0) puts("limited waits: right");
  return failures != 0;
}
