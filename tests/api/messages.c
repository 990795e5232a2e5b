/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Tests messages that go on while their process does other things: sends that are started, receives
 * that are posted, probes, waits for one of several requests, and requests that are taken back.
 * Runs with any number of processes.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tutti/tutti_runtime.h>

#include "rank_check.h"

static tutti_data number(int64_t* value) {
  return tutti_array(value, 1, TUTTI_INT64);
}

static int next(void) {
  return (rank + 1) % size;
}
static int before(void) {
  return (rank + size - 1) % size;
}

static void around_a_ring(void) {
  int64_t out = rank, in = -1, later = -1;
  int from = -1, with = -1;
  tutti_data sent = number(&out), posted = number(&in), received = number(&later);
  tutti_request get, put;
  CHECK(tutti_ireceive(world, &posted, TUTTI_ANY, 3, &from, &with, &get) == TUTTI_OK);
  CHECK(get.id != 0 && from == -1);
  CHECK(tutti_barrier(world) == TUTTI_OK); /* nothing is sent before it is posted for */
  CHECK(tutti_isend(world, &sent, next(), 3, &put) == TUTTI_OK);
  CHECK(put.id == 0); /* there is room for it */
  out = 1000 + rank;  /* so its data may be changed */
  CHECK(tutti_wait(&put) == TUTTI_OK);
  CHECK(tutti_send(world, &sent, next(), 3) == TUTTI_OK);
  /* The receive that was posted takes the first message, although this one waits first. */
  CHECK(tutti_receive(world, &received, before(), 3, NULL, NULL) == TUTTI_OK);
  CHECK(later == 1000 + before());
  CHECK(tutti_wait(&get) == TUTTI_OK && get.id == 0);
  CHECK(in == before() && from == before() && with == 3);
}

static void in_the_order_posted(void) {
  enum { count = 20 };
  int64_t out[count], in[count];
  tutti_request requests[count], unused;
  for (int i = 0; i < count; i++) {
    const tutti_data data = number(&in[i]);
    in[i] = -1;
    CHECK(tutti_ireceive(world, &data, before(), TUTTI_ANY, NULL, NULL, &requests[i]) == TUTTI_OK);
  }
  for (int i = 0; i < count; i++) {
    out[i] = 100 * rank + i;
    const tutti_data data = number(&out[i]);
    CHECK(tutti_isend(world, &data, next(), i % 3, &unused) == TUTTI_OK);
  }
  CHECK(tutti_waitall(count, requests) == TUTTI_OK);
  for (int i = 0; i < count; i++) CHECK(in[i] == 100 * before() + i && requests[i].id == 0);
}

static void one_of_several(void) {
  enum { count = 3 };
  int64_t in[count] = {-1, -1, -1}, out = 7;
  tutti_request requests[count];
  const tutti_data sent = number(&out);
  int seen[count] = {0}, index = 9, done = 0;
  for (int i = 0; i < count; i++) {
    const tutti_data data = number(&in[i]);
    CHECK(tutti_ireceive(world, &data, before(), i, NULL, NULL, &requests[i]) == TUTTI_OK);
  }
  CHECK(tutti_barrier(world) == TUTTI_OK);
  CHECK(tutti_send(world, &sent, next(), 2) == TUTTI_OK);
  CHECK(tutti_waitany(count, requests, &index) == TUTTI_OK && index == 2 && in[2] == 7);
  CHECK(requests[2].id == 0 && requests[0].id != 0);
  CHECK(tutti_test(&requests[0], &done) == TUTTI_OK && done == 0);
  CHECK(tutti_barrier(world) == TUTTI_OK);
  CHECK(tutti_send(world, &sent, next(), 0) == TUTTI_OK);
  CHECK(tutti_send(world, &sent, next(), 1) == TUTTI_OK);
  for (int i = 0; i < 2; i++) {
    CHECK(tutti_waitany(count, requests, &index) == TUTTI_OK && index >= 0 && index < 2);
    seen[index]++;
  }
  CHECK(seen[0] == 1 && seen[1] == 1);
  CHECK(tutti_waitany(count, requests, &index) == TUTTI_OK && index == -1);
  CHECK(tutti_test(&requests[0], &done) == TUTTI_OK && done == 1);
}

/* A collective and a message are waited for together. */
static void beside_a_collective(void) {
  int64_t in = -1, out = rank, sum = 0;
  tutti_request requests[2];
  tutti_data posted = number(&in), sent = number(&out), total = number(&sum);
  int index = -1, first;
  CHECK(tutti_ireceive(world, &posted, before(), 1, NULL, NULL, &requests[0]) == TUTTI_OK);
  CHECK(tutti_iallreduce(world, &sent, &total, TUTTI_SUM, &requests[1]) == TUTTI_OK);
  CHECK(tutti_waitany(2, requests, &first) == TUTTI_OK && first == 1);
  CHECK(tutti_barrier(world) == TUTTI_OK);
  CHECK(sum == (int64_t)size * (size - 1) / 2);
  CHECK(tutti_iallreduce(world, &sent, &total, TUTTI_SUM, &requests[1]) == TUTTI_OK);
  CHECK(tutti_send(world, &sent, next(), 1) == TUTTI_OK);
  CHECK(tutti_waitall(2, requests) == TUTTI_OK && in == before());
  CHECK(tutti_waitany(2, requests, &index) == TUTTI_OK && index == -1);
}

static void probes(void) {
  int64_t out[3] = {1, 2, 3}, in[3] = {0}, bytes = -1;
  int from = -1, with = -1;
  tutti_data sent = tutti_array(out, 3, TUTTI_INT64), received = tutti_array(in, 3, TUTTI_INT64);
  CHECK(tutti_probe(world, TUTTI_ANY, 9, 0, NULL, NULL, NULL) == TUTTI_WOULD_WAIT);
  CHECK(tutti_send(world, &sent, next(), 8) == TUTTI_OK);
  CHECK(tutti_probe(world, TUTTI_ANY, TUTTI_ANY, 1, &from, &with, &bytes) == TUTTI_OK);
  CHECK(from == before() && with == 8 && bytes == sizeof out);
  CHECK(tutti_probe(world, from, with, 0, NULL, NULL, NULL) == TUTTI_OK);
  CHECK(tutti_receive(world, &received, from, with, NULL, NULL) == TUTTI_OK && in[2] == 3);
}

static void taken_back(void) {
  int64_t in = -1, later = -1, out = 5;
  int cancelled = -1;
  tutti_request request, collective;
  tutti_data posted = number(&in), sent = number(&out), received = number(&later);
  CHECK(tutti_ireceive(world, &posted, before(), 4, NULL, NULL, &request) == TUTTI_OK);
  CHECK(tutti_cancel(&request, &cancelled) == TUTTI_OK && cancelled == 1 && request.id == 0);
  CHECK(tutti_cancel(&request, &cancelled) == TUTTI_OK && cancelled == 0);
  CHECK(tutti_barrier(world) == TUTTI_OK);
  CHECK(tutti_send(world, &sent, next(), 4) == TUTTI_OK);
  CHECK(tutti_receive(world, &received, before(), 4, NULL, NULL) == TUTTI_OK && later == 5);
  CHECK(in == -1);
  CHECK(tutti_barrier_init(world, &collective) == TUTTI_OK);
  CHECK(tutti_cancel(&collective, &cancelled) == TUTTI_INVALID_ARGUMENT);
  CHECK(tutti_request_free(&collective) == TUTTI_OK);
}

static void wrong_length(void) {
  int64_t out[2] = {1, 2}, in = -1;
  tutti_request request;
  tutti_data sent = tutti_array(out, 2, TUTTI_INT64), posted = number(&in);
  CHECK(tutti_ireceive(world, &posted, before(), 6, NULL, NULL, &request) == TUTTI_OK);
  CHECK(tutti_request_free(&request) == TUTTI_INVALID_ARGUMENT);
  CHECK(tutti_start(request) == TUTTI_INVALID_ARGUMENT);
  CHECK(tutti_barrier(world) == TUTTI_OK);
  CHECK(tutti_send(world, &sent, next(), 6) == TUTTI_OK);
  CHECK(tutti_wait(&request) == TUTTI_MISMATCH && request.id == 0);
  CHECK(strstr(tutti_error_text(), "receives 8 bytes but") != NULL);
  CHECK(in == -1);
  /* A message that is there already says so in the wait, too. */
  CHECK(tutti_send(world, &sent, next(), 6) == TUTTI_OK);
  CHECK(tutti_probe(world, before(), 6, 1, NULL, NULL, NULL) == TUTTI_OK);
  CHECK(tutti_ireceive(world, &posted, before(), 6, NULL, NULL, &request) == TUTTI_OK);
  CHECK(tutti_wait(&request) == TUTTI_MISMATCH && request.id == 0);
}

static int is_even(void* user, int source, uint64_t key, int64_t bytes) {
  (void)source;
  (void)bytes;
  ++*(int*)user;
  return key % 2 == 0;
}

/* Messages by key, and those of groups, never meet, whatever a receive accepts. */
static void by_key(void) {
  char out[] = "a message of more than forty bytes, so that it is no line", in[80] = "";
  int asked = 0;
  int64_t value = 9, got = -1;
  const int endpoint = tutti_endpoint(world, next());
  tutti_data sent = number(&value), received = number(&got);
  tutti_match match = {sizeof match, TUTTI_ANY, 0, 0, is_even, &asked};
  tutti_envelope envelope = {-1, 0, -1};
  tutti_request get, put;
  CHECK(tutti_mail_post(&match, in, sizeof in, &envelope, &get) == TUTTI_OK);
  memset(&match, 0, sizeof match); /* it was copied */
  CHECK(tutti_send(world, &sent, next(), 0) == TUTTI_OK);
  CHECK(tutti_mail_start(1, &endpoint, 11, out, 4, &put) == TUTTI_OK);
  CHECK(tutti_mail_start(1, &endpoint, 12, out, sizeof out, &put) == TUTTI_OK);
  CHECK(tutti_wait(&put) == TUTTI_OK);
  CHECK(tutti_wait(&get) == TUTTI_OK && strcmp(in, out) == 0 && asked > 0);
  CHECK(envelope.key == 12 && envelope.bytes == sizeof out);
  CHECK(envelope.source == tutti_endpoint(world, before()));
  CHECK(tutti_receive(world, &received, TUTTI_ANY, TUTTI_ANY, NULL, NULL) == TUTTI_OK && got == 9);
  match = (tutti_match){sizeof match, TUTTI_ANY, 0, 0, NULL, NULL};
  CHECK(tutti_mail_post(&match, in, 3, &envelope, &get) == TUTTI_OK);
  CHECK(tutti_wait(&get) == TUTTI_TRUNCATED && envelope.key == 11 && envelope.bytes == 4);
  CHECK(tutti_mail_probe(&match, 0, NULL) == TUTTI_WOULD_WAIT);
}

static void count_one(void* user, int source, uint64_t key, int64_t bytes) {
  (void)source;
  *(int64_t*)user += bytes;
  CHECK(key >= 1024 && key < 2048);
}

/* Messages with a bit in their keys reach only receives that were posted. */
static void only_if_posted(void) {
  int64_t value = 1, in = -1, discarded = 0;
  const int endpoint = tutti_endpoint(world, rank); /* so that it is known what has come */
  tutti_match all = {sizeof all, TUTTI_ANY, 0, 0, NULL, NULL};
  tutti_request get;
  CHECK(tutti_mail_discard_unposted(1024, 1024, count_one, &discarded) == TUTTI_OK);
  CHECK(tutti_mail_send(endpoint, 1025, &value, sizeof value) == TUTTI_OK);
  CHECK(tutti_mail_probe(&all, 0, NULL) == TUTTI_WOULD_WAIT && discarded == sizeof value);
  CHECK(tutti_mail_post(&all, &in, sizeof in, NULL, &get) == TUTTI_OK && get.id != 0);
  CHECK(tutti_mail_send(endpoint, 1026, &value, sizeof value) == TUTTI_OK);
  CHECK(tutti_wait(&get) == TUTTI_OK && in == 1 && discarded == sizeof value);
  CHECK(tutti_mail_discard_unposted(1024, 1024, NULL, NULL) == TUTTI_OK);
  CHECK(tutti_mail_send(endpoint, 1027, &value, sizeof value) == TUTTI_OK);
  CHECK(tutti_mail_receive(&all, &in, sizeof in, NULL) == TUTTI_OK);
}

/* Rank 0 sends more than there is memory for. The others have posted receives for all of it and
 * wait in a barrier, which must take the messages meanwhile. */
static void more_than_memory(void) {
  enum { count = 24 };
  const int64_t bytes = 8 << 20;
  char* memory = malloc((size_t)(count * bytes));
  tutti_request requests[count];
  for (int i = 0; i < count && size > 1; i++) {
    const tutti_data data = tutti_array(memory + i * bytes, bytes, TUTTI_BYTE);
    if (rank == 0) memset(memory + i * bytes, i, (size_t)bytes);
    if (rank == 0) CHECK(tutti_isend(world, &data, 1, i, &requests[i]) == TUTTI_OK);
    if (rank == 1) CHECK(tutti_ireceive(world, &data, 0, i, NULL, NULL, &requests[i]) == TUTTI_OK);
  }
  if (rank == 0 && size > 1) CHECK(tutti_waitall(count, requests) == TUTTI_OK);
  CHECK(tutti_barrier(world) == TUTTI_OK);
  if (rank == 1) CHECK(tutti_waitall(count, requests) == TUTTI_OK);
  for (int i = 0; i < count && rank == 1; i++)
    CHECK(memory[i * bytes] == i && memory[(i + 1) * bytes - 1] == i);
  CHECK(tutti_barrier(world) == TUTTI_OK);
  free(memory);
}

int main(int argc, char** argv) {
  tutti_errors_return();
  CHECK(tutti_init() == TUTTI_OK);
  world = tutti_world();
  rank = tutti_rank(world);
  size = tutti_size(world);
  if (argc > 1 && strcmp(argv[1], "memory") == 0) {
    more_than_memory();
  } else {
    void (*const parts[])(void) = {
        around_a_ring, in_the_order_posted, one_of_several, beside_a_collective, probes,
        taken_back,    wrong_length,        by_key,         only_if_posted};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
      parts[i]();
      CHECK(tutti_barrier(world) == TUTTI_OK);
    }
  }
  CHECK(tutti_finalize() == TUTTI_OK);
  if (rank == 0 && failures == 0) puts("messages: right");
  return failures != 0;
}
