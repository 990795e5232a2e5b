// SPDX-License-Identifier: BSD-3-Clause
// Does what test_record.py looks for in the record. The argument says what: "messages" (three
// ranks), "mail", "killed" (rank 1, by itself), "many" or "few" sums, "fork", "parts"
// and "back" (two ranks), or "job" and a command.
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <tutti/tutti_runtime.h>
#include <unistd.h>

enum { most = 1000 };
static double from[most], to[most];
static tutti_group world;

static void must(tutti_status status) {
  if (status == TUTTI_OK) return;
  fprintf(stderr, "%s\n", tutti_error_text());
  exit(1);
}

static tutti_data data(double* at, int count) {
  return tutti_array(at, count, TUTTI_DOUBLE);
}

static void put(int rank, int tag, int count) {
  const tutti_data sent = data(from, count);
  must(tutti_send(world, &sent, rank, tag));
}

static void get(int rank, int tag, int count) {
  const tutti_data received = data(to, count);
  must(tutti_receive(world, &received, rank, tag, NULL, NULL));
}

static void sum(int count) {
  const tutti_data in = data(from, count), out = data(to, count);
  must(tutti_allreduce(world, &in, &out, TUTTI_SUM));
}

// Rank 0 takes the messages of the others, in another order than they come in.
static void be_first(void) {
  get(1, 9, 3);
  get(1, 7, 1);
  get(1, 8, 2);
  get(TUTTI_ANY, 5, 4);
  put(0, 3, 1);
  get(0, TUTTI_ANY, 1);
  double room[2][5];
  tutti_request requests[2], never;
  const tutti_data one = data(room[0], 5), other = data(room[1], 5), none = data(to, 1);
  must(tutti_ireceive(world, &one, 1, 20, NULL, NULL, &requests[0]));
  must(tutti_ireceive(world, &other, 2, 21, NULL, NULL, &requests[1]));
  must(tutti_ireceive(world, &none, 1, 500, NULL, NULL, &never));
  put(1, 19, 1);
  put(2, 19, 1);
  int index, done = 0;
  must(tutti_waitany_for(2, requests, -1, &index));
  while (!done) must(tutti_test(&requests[1 - index], &done));
  int cancelled;
  must(tutti_cancel(&never, &cancelled));
  must(tutti_probe(world, TUTTI_ANY, 30, 1, NULL, NULL, NULL));
  get(2, 30, 6);
}

static void be_another(int me) {
  tutti_request request;
  if (me == 1) {
    put(0, 7, 1);
    put(0, 8, 2);
    put(0, 9, 3);
  } else {
    put(0, 5, 4);
  }
  get(0, 19, 1);
  const tutti_data sent = data(from, 5);
  must(tutti_isend(world, &sent, 0, me == 1 ? 20 : 21, &request));
  must(tutti_wait(&request));
  if (me == 2) put(0, 30, 6);
  if (me == 2) put(1, 99, 7);  // nobody receives it
}

static void exchange_messages(void) {
  const int me = tutti_rank(world);
  if (me == 0) be_first();
  if (me != 0) be_another(me);
  tutti_request request;
  const tutti_data in = data(from, 8), out = data(to, 8);
  must(tutti_iallreduce(world, &in, &out, TUTTI_SUM, &request));
  if (me == 0) put(1, 40, 2);
  double room[2];
  const tutti_data received = data(room, 2);
  if (me == 1) must(tutti_receive(world, &received, 0, 40, NULL, NULL));
  must(tutti_wait(&request));
  must(tutti_barrier(world));
}

// Each process sends mail to the next one, and rank 0 one message to all others.
static void exchange_mail(void) {
  const int me = tutti_rank(world), p = tutti_size(world);
  const int next = tutti_endpoint(world, (me + 1) % p);
  const int before = tutti_endpoint(world, (me + p - 1) % p);
  int others[most], count = 0;
  const tutti_match match = {
      .struct_size = sizeof match, .source = before, .wanted = 77, .mask = ~UINT64_C(0)};
  const tutti_match circular = {.struct_size = sizeof circular,
                                .source = tutti_endpoint(world, 0),
                                .wanted = 78,
                                .mask = ~UINT64_C(0)};
  must(tutti_mail_send(next, 77, from, 40));
  must(tutti_mail_receive(&match, to, sizeof to, NULL));
  for (int i = 1; i < p; ++i) others[count++] = tutti_endpoint(world, i);
  if (me == 0) must(tutti_mail_multicast(count, others, 78, from, 24));
  if (me != 0) must(tutti_mail_receive(&circular, to, sizeof to, NULL));
  must(tutti_arrive("all", p));
}

static int add(void* result, const void* a, const void* b, int64_t n, void* user) {
  (void)user;
  for (int64_t i = 0; i < n; ++i)
    ((double*)result)[i] = ((const double*)a)[i] + ((const double*)b)[i];
  return 0;
}

// An operation in two parts goes on while rank 0 is in another one, and rank 1 waits for it first.
static void add_in_two_parts(void) {
  tutti_op op;
  must(tutti_op_create_fallible(TUTTI_DOUBLE, add, TUTTI_COMMUTATIVE, NULL, &op));
  const tutti_data in = data(from, 10), out = data(to, 10);
  tutti_request request;
  must(tutti_iallreduce(world, &in, &out, op, &request));
  if (tutti_rank(world) != 0) must(tutti_wait(&request));
  must(tutti_barrier(world));
  if (tutti_rank(world) == 0) must(tutti_wait(&request));
}

// Rank 0 starts more sends than there is memory for, and takes back those that wait.
static void take_messages_back(void) {
  enum { count = 64, bytes = 1 << 20 };
  char* const memory = calloc(count, bytes);
  tutti_request requests[count];
  int sent = count;
  if (tutti_rank(world) == 0) {
    for (int i = 0; i < count; ++i) {
      const tutti_data one = tutti_array(memory + (size_t)i * bytes, bytes, TUTTI_BYTE);
      must(tutti_isend(world, &one, 1, 0, &requests[i]));
    }
    for (int cancelled = 1; sent > 0 && cancelled; sent -= cancelled)
      must(tutti_cancel(&requests[sent - 1], &cancelled));
  }
  double number = sent;
  const tutti_data told = tutti_array(&number, 1, TUTTI_DOUBLE);
  must(tutti_bcast(world, &told, 0));
  const tutti_data one = tutti_array(memory, bytes, TUTTI_BYTE);
  for (int i = 0; tutti_rank(world) == 1 && i < (int)number; ++i)
    must(tutti_receive(world, &one, 0, 0, NULL, NULL));
  if (tutti_rank(world) == 0) must(tutti_waitall(sent, requests));
  free(memory);
  if (tutti_rank(world) == 0) printf("%d\n", sent);
}

// A rank starts a job of its own.
static void start_a_job(const char* command) {
  sum(1);
  if (tutti_rank(world) == 1 && system(command) != 0) exit(9);
  sum(2);
}

static void have_a_child(void) {
  sum(1);
  const pid_t child = fork();
  if (child == 0) exit(0);
  waitpid(child, NULL, 0);
  sum(2);
}

int main(int argc, char** argv) {
  const char* const what = argc > 1 ? argv[1] : "";
  must(tutti_init());
  world = tutti_world();
  if (strcmp(what, "messages") == 0) exchange_messages();
  if (strcmp(what, "mail") == 0) exchange_mail();
  if (strcmp(what, "fork") == 0) have_a_child();
  if (strcmp(what, "parts") == 0) add_in_two_parts();
  if (strcmp(what, "back") == 0) take_messages_back();
  if (strcmp(what, "job") == 0) start_a_job(argv[2]);
  for (int i = 0; strcmp(what, "many") == 0 && i < 50000; ++i) sum(1);
  for (int i = 0; strcmp(what, "few") == 0 && i < 5; ++i) sum(3);
  for (int i = 0; strcmp(what, "killed") == 0; ++i) {
    sum(1);
    if (i == 100 && tutti_rank(world) == 1) raise(SIGKILL);
  }
  return tutti_finalize() == TUTTI_OK ? 0 : 1;
}
