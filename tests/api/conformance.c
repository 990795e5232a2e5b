/* SPDX-License-Identifier: BSD-3-Clause
 * Calls every function of tutti.h and tutti_runtime.h in real processes, under `tutti run -n P`.
 * Each check is counted. A rank that finds an error prints it, and the job fails. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tutti/tutti.h>
#include <tutti/tutti_runtime.h>
#include <tutti/tutti_time.h>

#include "conformance.h"

int me, p;
static int failures, checks;

void check(int holds, const char* what, int line) {
  ++checks;
  if (holds) return;
  ++failures;
  fprintf(stderr, "rank %d of %d, line %d: %s does not hold (%s)\n", me, p, line, what,
          tutti_error_text());
}

const int64_t sizes[size_count] = {0, 1, 3, 5, 6, 100, 8192, 8193, most};
double *a, *b, *c;

static void collectives(tutti_group g) {
  const int n_ranks = tutti_size(g), rank = tutti_rank(g);
  for (int s = 0; s < size_count; ++s) {
    const int64_t n = sizes[s];
    const tutti_data from = tutti_array(a, n, TUTTI_DOUBLE), to = tutti_array(b, n, TUTTI_DOUBLE);
    for (int root = 0; root < n_ranks; ++root) {
      for (int64_t i = 0; i < n; ++i) a[i] = rank == root ? (double)(i + root) : -1;
      GOOD(tutti_bcast(g, &from, root));
      int right = 1;
      for (int64_t i = 0; i < n; ++i) right &= a[i] == (double)(i + root);
      CHECK(right);
      for (int64_t i = 0; i < n; ++i) a[i] = (double)(rank + i), b[i] = -7;
      GOOD(tutti_reduce(g, &from, rank == root ? &to : NULL, TUTTI_SUM, root));
      right = 1;
      for (int64_t i = 0; i < n; ++i) {
        right &=
            b[i] == (rank == root ? (double)(n_ranks * i + n_ranks * (n_ranks - 1) / 2) : -7.0);
        right &= a[i] == (double)(rank + i);
      }
      CHECK(right);
      if (n * n_ranks > most) continue;
      const tutti_data whole = tutti_array(c, n * n_ranks, TUTTI_DOUBLE);
      GOOD(tutti_gather(g, &from, rank == root ? &whole : NULL, root));
      right = 1;
      for (int64_t i = 0; rank == root && i < n * n_ranks; ++i)
        right &= c[i] == (double)(i / n + i % n);
      CHECK(right);
      for (int64_t i = 0; i < n * n_ranks; ++i) c[i] = (double)(2 * i + root);
      GOOD(tutti_scatter(g, rank == root ? &whole : NULL, &to, root));
      right = 1;
      for (int64_t i = 0; i < n; ++i) right &= b[i] == (double)(2 * (rank * n + i) + root);
      CHECK(right);
    }
    for (int64_t i = 0; i < n; ++i) a[i] = (double)(rank * i);
    GOOD(tutti_allreduce(g, &from, &from, TUTTI_MAX)); /* in place */
    int right = 1;
    for (int64_t i = 0; i < n; ++i) right &= a[i] == (double)((n_ranks - 1) * i);
    CHECK(right);
    GOOD(tutti_barrier(g));
  }
}

static int third_time(void* asked) {
  return ++*(int*)asked == 3;
}

/* Rank 0 gives up waiting for a reduction that no other rank begins. */
static void giving_up(void) {
  int everybody[64], asked = 0;
  if (p > 64) return;
  for (int rank = 0; rank < p; ++rank) everybody[rank] = tutti_endpoint(tutti_world(), rank);
  tutti_group vain;
  GOOD(tutti_group_of_endpoints(p, everybody, 77, &vain));
  const tutti_data x = tutti_array(a, 1, TUTTI_DOUBLE);
  tutti_on_wait(third_time, &asked);
  if (me == 0)
    CHECK(tutti_reduce(vain, &x, &x, TUTTI_SUM, 0) == (p == 1 ? TUTTI_OK : TUTTI_WOULD_WAIT));
  tutti_on_wait(NULL, NULL);
  CHECK(asked == (me == 0 && p > 1 ? 3 : 0));
  GOOD(tutti_group_free(vain));
  GOOD(tutti_barrier(tutti_world()));
}

static int never(void* asked) {
  (void)asked;
  return 0;
}

/* Rank 0 gives up by the predicate of its call, when it runs the plan for the third time and nobody
 * else does. A started run has no predicate, because nobody waits in it. */
static void giving_up_a_call(void) {
  int everybody[64], asked = 0;
  if (p > 64) return;
  for (int rank = 0; rank < p; ++rank) everybody[rank] = tutti_endpoint(tutti_world(), rank);
  const tutti_plan_request request = {
      .struct_size = sizeof(request), .operation = TUTTI_OP_REDUCE, .algorithm = "fully_connected"};
  const tutti_data x = tutti_array(a, 1, TUTTI_DOUBLE), sum = tutti_array(b, 1, TUTTI_DOUBLE);
  tutti_run run = {sizeof(run), &x, &sum, TUTTI_SUM, NULL, NULL, never, NULL};
  tutti_group vain;
  tutti_plan plan;
  tutti_request started;
  GOOD(tutti_group_of_endpoints(p, everybody, 78, &vain));
  GOOD(tutti_plan_get(vain, &request, &plan));
  a[0] = 3;
  for (int turn = 0; turn < 2; ++turn) {
    b[0] = 0;
    GOOD(tutti_plan_run(plan, &run));
    CHECK(me != 0 || b[0] == 3.0 * p);
  }
  CHECK(tutti_plan_start(plan, &run, &started) == TUTTI_INVALID_ARGUMENT);
  run.give_up = third_time;
  run.user = &asked;
  if (me == 0) CHECK(tutti_plan_run(plan, &run) == (p == 1 ? TUTTI_OK : TUTTI_WOULD_WAIT));
  CHECK(asked == (me == 0 && p > 1 ? 3 : 0));
  GOOD(tutti_group_free(vain));
  GOOD(tutti_barrier(tutti_world()));
}

static void messages(void) {
  const int to = (me + 1) % p, from = (me + p - 1) % p;
  for (int s = 0; s < size_count; ++s) {
    const int64_t n = sizes[s];
    for (int64_t i = 0; i < n; ++i) a[i] = (double)(me * 10 + i), b[i] = 0;
    const tutti_data out = tutti_array(a, n, TUTTI_DOUBLE), in = tutti_array(b, n, TUTTI_DOUBLE);
    int source = -5, tag = -5;
    GOOD(tutti_send(tutti_world(), &out, to, s));
    GOOD(tutti_receive(tutti_world(), &in, TUTTI_ANY, TUTTI_ANY, &source, &tag));
    int right = source == from && tag == s;
    for (int64_t i = 0; i < n; ++i) right &= b[i] == (double)(from * 10 + i);
    CHECK(right);
    GOOD(tutti_barrier(tutti_world()));
  }
  /* A thousand unreceived messages are taken by tag in reverse order. */
  for (int k = 0; k < 1000; ++k) {
    double x[20];
    for (int i = 0; i < 20; ++i) x[i] = k + i;
    const tutti_data out = tutti_array(x, k % 2 == 0 ? 1 : 20, TUTTI_DOUBLE);
    GOOD(tutti_send(tutti_world(), &out, to, k));
  }
  int right = 1;
  for (int k = 999; k >= 0; --k) {
    double x[20] = {0};
    const tutti_data in = tutti_array(x, k % 2 == 0 ? 1 : 20, TUTTI_DOUBLE);
    GOOD(tutti_receive(tutti_world(), &in, from, k, NULL, NULL));
    right &= x[0] == k && (k % 2 == 0 || x[19] == k + 19);
  }
  CHECK(right);
  GOOD(tutti_mail_release(1));
}

/* The messages are long enough to be read while they are written, by a receiver that waits and
 * by one that comes later. The data have columns or are contiguous. */
static void long_messages(void) {
  enum { m = 61, n = 301, ld = 67, elements = m * n };
  const int to = (me + 1) % p, from = (me + p - 1) % p;
  double* const x = malloc(ld * n * sizeof *x);
  double* const y = malloc(ld * n * sizeof *y);
  for (int turn = 0; turn < 8; ++turn) {
    for (int i = 0; i < ld * n; ++i) x[i] = me * 1e6 + turn + i, y[i] = -1;
    const tutti_data columns = tutti_matrix(turn % 2 == 0 ? x : y, m, n, ld, TUTTI_DOUBLE);
    const tutti_data piece = tutti_array(turn % 2 == 0 ? y : x, elements, TUTTI_DOUBLE);
    if (turn < 4 && me % 2 == 1) GOOD(tutti_barrier(tutti_world()));
    GOOD(tutti_send(tutti_world(), turn % 2 == 0 ? &columns : &piece, to, turn));
    if (turn < 4 && me % 2 == 0) GOOD(tutti_barrier(tutti_world()));
    GOOD(tutti_receive(tutti_world(), turn % 2 == 0 ? &piece : &columns, from, turn, NULL, NULL));
    int right = 1;
    for (int i = 0; i < elements; ++i) {
      const int in_columns = i / m * ld + i % m;
      right &= turn % 2 == 0 ? y[i] == from * 1e6 + turn + in_columns
                             : y[in_columns] == from * 1e6 + turn + i;
    }
    for (int j = 0; turn % 2 == 1 && j < n; ++j)
      right &= y[j * ld + m] == -1 && y[j * ld + ld - 1] == -1;
    CHECK(right);
  }
  free(x), free(y);
}

static int wants_even(void* user, int source, uint64_t key, int64_t bytes) {
  (void)user, (void)source, (void)bytes;
  return key % 2 == 0;
}

static int rank_of(int endpoint) {
  int rank = 0;
  while (rank < p && tutti_endpoint(tutti_world(), rank) != endpoint) ++rank;
  return rank;
}

static void mailbox(void) {
  int everybody[64];
  for (int rank = 0; rank < p; ++rank) everybody[rank] = tutti_endpoint(tutti_world(), rank);
  char text[200];
  memset(text, 'a' + me, sizeof(text));
  GOOD(tutti_mail_multicast(p, everybody, 77, text, sizeof(text)));
  GOOD(tutti_mail_multicast(p, everybody, 78, text, 3));
  for (int k = 0; k < p; ++k) {
    tutti_match match = {sizeof(match), TUTTI_ANY, 0, 0, wants_even, NULL};
    tutti_envelope envelope;
    char got[200] = {0};
    GOOD(tutti_mail_probe(&match, 1, &envelope));
    CHECK(envelope.bytes == 3 && envelope.key == 78);
    match.source = envelope.source;
    GOOD(tutti_mail_receive(&match, got, 200, &envelope));
    CHECK(got[0] == 'a' + rank_of(envelope.source) && got[2] == got[0] && got[3] == 0);
    match.accept = NULL;
    match.wanted = 77;
    match.mask = ~UINT64_C(0);
    CHECK(tutti_mail_receive(&match, got, 10, &envelope) == TUTTI_TRUNCATED);
    GOOD(tutti_mail_receive(&match, got, 200, &envelope));
    CHECK(got[199] == 'a' + rank_of(envelope.source));
  }
  const tutti_match none = {sizeof(none), TUTTI_ANY, 0, 0, NULL, NULL};
  CHECK(tutti_mail_probe(&none, 0, NULL) == TUTTI_WOULD_WAIT);
  GOOD(tutti_barrier(tutti_world()));
}

static void hosts(void) {
  int seen[64] = {0}, hosts_seen = 0;
  for (int rank = 0; rank < p && rank < 64; ++rank) {
    const int host = tutti_host(tutti_world(), rank);
    CHECK(host >= 0 && host <= hosts_seen);
    if (host == hosts_seen) seen[hosts_seen++] = 1;
  }
  CHECK(hosts_seen == tutti_hosts() && seen[0] == 1);
  CHECK(tutti_host(tutti_world(), p) == -1);
}

static void records(void) {
  void* address = NULL;
  if (tutti_hosts() > 1) {
    CHECK(tutti_record("numbers", 64, &address) == TUTTI_INVALID_ARGUMENT);
    CHECK(tutti_arrive("all", p) == TUTTI_INVALID_ARGUMENT);
    return;
  }
  GOOD(tutti_record("numbers", 64 * sizeof(int), &address));
  ((int*)address)[me] = me + 1;
  for (int k = 0; k < 50; ++k) GOOD(tutti_arrive("all", p));
  int right = 1;
  for (int rank = 0; rank < p; ++rank) right &= ((int*)address)[rank] == rank + 1;
  CHECK(right);
  CHECK(tutti_record("numbers", 3, &address) == TUTTI_MISMATCH);
  CHECK(tutti_record("", 3, &address) == TUTTI_INVALID_ARGUMENT);
  CHECK(tutti_arrive("all", 0) == TUTTI_INVALID_ARGUMENT);
}

static void groups(void) {
  for (int k = 0; k < 200; ++k) { /* the odd and the even ranks, in reverse order */
    int ranks[64], count = 0;
    for (int rank = p - 1; rank >= 0; --rank) {
      if (rank % 2 == me % 2) ranks[count++] = rank;
    }
    tutti_group half;
    GOOD(tutti_group_create(tutti_world(), count, ranks, &half));
    CHECK(tutti_size(half) == count && ranks[tutti_rank(half)] == me);
    double x = 1, sum = 0;
    const tutti_data in = tutti_array(&x, 1, TUTTI_DOUBLE),
                     out = tutti_array(&sum, 1, TUTTI_DOUBLE);
    GOOD(tutti_allreduce(half, &in, &out, TUTTI_SUM));
    CHECK(sum == count);
    if (k == 0) collectives(half);
    GOOD(tutti_group_free(half));
    CHECK(tutti_size(half) == -1 && tutti_barrier(half) == TUTTI_STALE_HANDLE);
  }
  tutti_group none;
  int other = (me + 1) % p, twice[2] = {me, me};
  CHECK(p == 1 || tutti_group_create(tutti_world(), 1, &other, &none) == TUTTI_NOT_A_MEMBER);
  CHECK(tutti_group_create(tutti_world(), 2, twice, &none) == TUTTI_INVALID_ARGUMENT);
  CHECK(tutti_group_create(tutti_world(), 1, &p, &none) == TUTTI_INVALID_ARGUMENT);
  CHECK(tutti_group_free(tutti_world()) == TUTTI_INVALID_ARGUMENT);
}

static int hooked;
static void on_run(void* user, tutti_group g, tutti_plan plan, const tutti_plan_request* shape) {
  char text[4000];
  (void)g;
  *(int*)user += 1;
  CHECK(shape->operation == TUTTI_OP_BROADCAST && strcmp(shape->algorithm, "tree") == 0 &&
        shape->branches == 3);
  CHECK(strcmp(tutti_plan_algorithm(plan), "tree") == 0);
  const size_t length = tutti_plan_text(plan, text, sizeof(text));
  CHECK(length < sizeof(text) &&
        (p == 1 || strstr(text, me == p - 1 ? "send" : "receive") != NULL || length > 0));
}

static void plans(void) {
  tutti_plan_request request = {.struct_size = sizeof(request),
                                .operation = TUTTI_OP_BROADCAST,
                                .algorithm = "tree",
                                .root = p - 1,
                                .branches = 3};
  tutti_plan plan, again;
  GOOD(tutti_plan_get(tutti_world(), &request, &plan));
  GOOD(tutti_plan_get(tutti_world(), &request, &again));
  CHECK(plan.id == again.id);
  double x[30];
  for (int i = 0; i < 30; ++i) x[i] = me == p - 1 ? i : -1;
  const tutti_data data = {x, TUTTI_DOUBLE, TUTTI_TRAPEZOID, 5, 6, 5, 'L', 'U'};
  const tutti_run run = {sizeof(run), NULL, &data, {0}, NULL, NULL, NULL, NULL};
  tutti_on_run(on_run, &hooked);
  GOOD(tutti_plan_run(plan, &run));
  tutti_on_run(NULL, NULL);
  /* The first column is a whole one, the second begins below the diagonal. */
  CHECK(hooked == 1 && x[0] == 0 && x[4] == 4 && x[6] == 6 && x[5] == (me == p - 1 ? 5 : -1));
  const tutti_run wrong_side = {sizeof(run), &data, NULL, {0}, NULL, NULL, NULL, NULL};
  CHECK(tutti_plan_run(plan, &wrong_side) == TUTTI_INVALID_ARGUMENT);
  request.algorithm = "nonsense";
  CHECK(tutti_plan_get(tutti_world(), &request, &plan) == TUTTI_NO_SUCH_PLAN);
  request.algorithm = "tree";
  request.root = p;
  CHECK(tutti_plan_get(tutti_world(), &request, &plan) == TUTTI_INVALID_ARGUMENT);
}

/* If no world is formed, messages that were sent arrive, and only once. */
static void no_world(void) {
  int got = -1;
  const tutti_match any = {sizeof(any), TUTTI_ANY, 0, 0, NULL, NULL};
  GOOD(tutti_mail_send(0, 6, &me, sizeof(me)));
  CHECK(tutti_spawn_world(5000) == TUTTI_NO_SLOT);
  GOOD(tutti_spawn_world(1));
  GOOD(tutti_mail_receive(&any, &got, sizeof(got), NULL));
  CHECK(got == me && tutti_mail_probe(&any, 0, NULL) == TUTTI_WOULD_WAIT);
  GOOD(tutti_mail_send(0, 5, &me, sizeof(me)));
}

int main(void) {
  tutti_errors_return();
  CHECK(tutti_barrier(tutti_world()) == TUTTI_NOT_INITIALIZED);
  GOOD(tutti_init());
  GOOD(tutti_init());
  me = tutti_rank(tutti_world());
  p = tutti_size(tutti_world());
  a = malloc(most * sizeof(double));
  b = malloc(most * sizeof(double));
  c = malloc(most * sizeof(double));
  CHECK(tutti_setting("TUTTI_SEND_WAIT") == 10);
  CHECK(tutti_setting("TUTTI_NONSENSE") == -1);
  CHECK(tutti_tuning("at_once") == 1024);
  CHECK(tutti_tuning("nonsense") == -1);
  CHECK(tutti_tuning(NULL) == -1);
  collectives(tutti_world());
  operators();
  winners();
  operators_in_place();
  if (tutti_has_virtual_time() == 0) { /* there, a wait that nobody ends is an error of the job */
    giving_up();
    giving_up_a_call();
  }
  messages();
  long_messages();
  mailbox();
  hosts();
  records();
  groups();
  plans();
  free(a), free(b), free(c);
  if (!tutti_launched()) no_world();
  const int dense =
      tutti_endpoint(tutti_world(), me) == me; /* endpoints are not the task identifiers of a PVM */
  if (dense) CHECK(tutti_mail_send(p + 5, 5, &me, sizeof(me)) == TUTTI_INVALID_ARGUMENT);
  GOOD(tutti_finalize());
  CHECK(tutti_init() == TUTTI_NOT_INITIALIZED);
  CHECK(tutti_initialized() == 0);
  if (me == 0) printf("%d passed, %d failed\n", checks - failures, failures);
  return failures == 0 ? 0 : 1;
}
