/* SPDX-License-Identifier: BSD-3-Clause
 * Memory of tutti_alloc: wrong calls, frees of what is in use, long messages, the limit of the job,
 * and what was not freed. Run with 2 to 4 processes and TUTTI_SHM_LIMIT=128M. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "rank_check.h"

enum { elements = 1 << 18 }; /* 2 MiB */

static int64_t* numbers(int64_t count) {
  void* memory = NULL;
  CHECK(tutti_alloc(count * 8, &memory) == TUTTI_OK && memory != NULL);
  CHECK((uintptr_t)memory % (count * 8 < 4096 ? 64 : 4096) == 0);
  return memory;
}

/* The calls must be refused with a text in which these words are. */
static int is_refused(tutti_status status, const char* words) {
  if (status == TUTTI_INVALID_ARGUMENT && strstr(tutti_error_text(), words) != NULL) return 1;
  fprintf(stderr, "rank %d: status %d, %s\n", rank, status, tutti_error_text());
  return 0;
}

static void wrong_calls(void) {
  char outside = 0;
  void* memory = &outside;
  CHECK(is_refused(tutti_alloc(-1, &memory), "'bytes' is -1"));
  CHECK(memory == NULL);
  CHECK(is_refused(tutti_alloc(1, NULL), "'address' is NULL"));
  CHECK(is_refused(tutti_free(&outside), "is not that of memory"));
  CHECK(tutti_free(NULL) == TUTTI_OK);
  CHECK(tutti_alloc(0, &memory) == TUTTI_OK && memory != NULL);
  CHECK(tutti_free(memory) == TUTTI_OK);
  CHECK(is_refused(tutti_free(memory), "not freed"));
  int64_t* many = numbers(100);
  CHECK(is_refused(tutti_free(many + 1), "is not that of memory"));
  CHECK(tutti_free(many) == TUTTI_OK);
}

static void tell(int other) {
  int64_t word = 1;
  const tutti_data data = tutti_array(&word, 1, TUTTI_INT64);
  CHECK(tutti_send(world, &data, other, 1) == TUTTI_OK);
}

static void hear_from(int other) {
  int64_t word = 0;
  const tutti_data data = tutti_array(&word, 1, TUTTI_INT64);
  CHECK(tutti_receive(world, &data, other, 1, NULL, NULL) == TUTTI_OK);
}

/* The memory is in use until all have come. */
static void in_use_by_collectives(int64_t* in, int64_t* out) {
  const tutti_data input = tutti_array(in, elements, TUTTI_INT64);
  const tutti_data output = tutti_array(out, elements, TUTTI_INT64);
  tutti_request started = {0}, prepared = {0};
  for (int64_t i = 0; i < elements; i++) in[i] = i + rank;
  if (rank == 1) hear_from(0);
  CHECK(tutti_iallreduce(world, &input, &output, TUTTI_SUM, &started) == TUTTI_OK);
  if (size > 1 && rank == 0) {
    CHECK(is_refused(tutti_free(in), "allreduce uses"));
    CHECK(is_refused(tutti_free(out), "wait for its request"));
    tell(1);
  }
  CHECK(tutti_wait(&started) == TUTTI_OK);
  for (int64_t i = 0; i < elements; i++)
    if (out[i] != size * i + size * (size - 1) / 2) failures++;
  /* What is prepared and not started does not use it. A part of the memory suffices. */
  const tutti_data part = tutti_array(in + 1000, 5, TUTTI_INT64);
  CHECK(tutti_bcast_init(world, &part, 0, &prepared) == TUTTI_OK);
  for (int other = 1; rank == 0 && other < size; other++) hear_from(other);
  CHECK(tutti_start(prepared) == TUTTI_OK);
  if (rank != 0) {
    CHECK(is_refused(tutti_free(in), "broadcast uses"));
    tell(0);
  }
  CHECK(tutti_wait(&prepared) == TUTTI_OK);
  CHECK(tutti_request_free(&prepared) == TUTTI_OK);
}

static void in_use_by_messages(int64_t* data) {
  const int next = (rank + 1) % size, before = (rank + size - 1) % size;
  const tutti_data all = tutti_array(data, elements, TUTTI_INT64);
  tutti_request request = {0};
  int64_t* other = numbers(elements);
  const tutti_data sent = tutti_array(other, elements, TUTTI_INT64);
  for (int64_t i = 0; i < elements; i++) other[i] = rank * 1000000 + i;
  CHECK(tutti_ireceive(world, &all, before, 2, NULL, NULL, &request) == TUTTI_OK);
  CHECK(is_refused(tutti_free(data), "a message uses"));
  CHECK(tutti_barrier(world) == TUTTI_OK);
  CHECK(tutti_send(world, &sent, next, 2) == TUTTI_OK);
  CHECK(tutti_free(other) == TUTTI_OK);
  CHECK(tutti_wait(&request) == TUTTI_OK);
  for (int64_t i = 0; i < elements; i++)
    if (data[i] != before * 1000000 + i) failures++;
  CHECK(tutti_ireceive(world, &all, before, 3, NULL, NULL, &request) == TUTTI_OK);
  int cancelled = 0;
  CHECK(tutti_cancel(&request, &cancelled) == TUTTI_OK && cancelled == 1);
}

/* Rank 0 takes all that there is, and gives it back. */
static void exhaust(void) {
  enum { most = 4096 };
  static void* pieces[most];
  CHECK(tutti_barrier(world) == TUTTI_OK);
  for (int round = 0; rank == 0 && round < 2; round++) {
    int count = 0;
    tutti_status status = TUTTI_OK;
    while (count < most && (status = tutti_alloc(3 << 20, &pieces[count])) == TUTTI_OK) count++;
    CHECK(status == TUTTI_OUT_OF_MEMORY && pieces[count] == NULL);
    CHECK(strstr(tutti_error_text(), "raise TUTTI_SHM_LIMIT") != NULL);
    CHECK(count > 20 && count < 43);
    while (count > 0) CHECK(tutti_free(pieces[--count]) == TUTTI_OK);
  }
  void* memory = NULL;
  CHECK(tutti_alloc(INT64_MAX, &memory) == TUTTI_OUT_OF_MEMORY && memory == NULL);
  CHECK(tutti_barrier(world) == TUTTI_OK);
}

int main(void) {
  tutti_errors_return();
  CHECK(tutti_alloc(8, &(void*){NULL}) == TUTTI_NOT_INITIALIZED);
  CHECK(tutti_init() == TUTTI_OK);
  world = tutti_world();
  rank = tutti_rank(world);
  size = tutti_size(world);
  wrong_calls();
  int64_t *in = numbers(elements), *out = numbers(elements);
  in_use_by_collectives(in, out);
  in_use_by_messages(out);
  CHECK(tutti_free(in) == TUTTI_OK);
  exhaust();
  CHECK(tutti_finalize() == TUTTI_OK);
  /* What was not freed can be read on. */
  for (int64_t i = 0; i < elements; i++)
    if (out[i] % 1000000 != i) failures++;
  CHECK(tutti_free(out) == TUTTI_NOT_INITIALIZED);
  return failures == 0 ? 0 : 1;
}
