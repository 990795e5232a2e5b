// SPDX-License-Identifier: BSD-3-Clause
// Messages outside of collectives. The first argument says what three ranks do. "circle": each
// receives before it sends. "sends": each sends a long message before it receives. "nobody": rank 1
// waits for a message from anybody. "predicate": rank 1 posts a receive with a function. "ahead":
// rank 0 sends 20000 messages of 1000 bytes to rank 1, which looks at its clock a hundred times
// first. "left": rank 1 ends while messages to it are under way, and others come later. "in_vain":
// rank 1 waits a millisecond for a message that comes later. "first": ranks 0 and 2 send to rank 1,
// the second one sooner.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tutti/tutti.h>
#include <tutti/tutti_runtime.h>
#include <tutti/tutti_time.h>

enum { many = 20000, long_message = 1 << 20 };

static void must(tutti_status status) {
  if (status == TUTTI_OK) return;
  fprintf(stderr, "%s\n", tutti_error_text());
  exit(1);
}

static void check(int holds, const char* what) {
  if (holds) return;
  printf("wrong: %s\n", what);
  exit(3);
}

static char bytes[long_message];
static int me, p;

static void send_to(int rank, int64_t count) {
  const tutti_data data = tutti_array(bytes, count, TUTTI_UINT8);
  must(tutti_send(tutti_world(), &data, rank, 7));
}

static int receive_from(int rank, int64_t count) {
  const tutti_data data = tutti_array(bytes, count, TUTTI_UINT8);
  int from = -1;
  must(tutti_receive(tutti_world(), &data, rank, 7, &from, NULL));
  return from;
}

static int any(void* user, int source, uint64_t key, int64_t length) {
  (void)user, (void)source, (void)key, (void)length;
  return 1;
}

static void post_with_a_function(void) {
  const tutti_match match = {sizeof match, TUTTI_ANY, 0, 0, any, NULL};
  tutti_request request;
  must(tutti_mail_post(&match, bytes, 8, NULL, &request));
}

static void run_ahead(void) {
  for (int i = 0; me == 0 && i < many; ++i) {
    memset(bytes, i % 100, 1000);
    send_to(1, 1000);
  }
  if (me != 1) return;
  uint64_t last = 0;
  for (int i = 0; i < 100; ++i) last += tutti_nanoseconds();
  for (int i = 0; i < many; ++i) {
    receive_from(0, 1000);
    check(bytes[0] == i % 100 && bytes[999] == i % 100, "a message");
  }
  check(tutti_nanoseconds() > last, "the time");
}

static void wait_in_vain(void) {
  if (me == 0) tutti_spend_time(5000000);
  if (me == 0) send_to(1, 8);
  if (me != 1) return;
  const uint64_t begin = tutti_nanoseconds();
  check(tutti_probe_for(tutti_world(), 0, 7, 0.001, NULL, NULL, NULL) == TUTTI_WOULD_WAIT, "probe");
  check(tutti_nanoseconds() == begin + 1000000, "the limit");
  receive_from(0, 8);
  check(tutti_nanoseconds() > begin + 4000000, "the time of the message");
}

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const char* const what = argv[1];
  must(tutti_init());
  me = tutti_rank(tutti_world());
  p = tutti_size(tutti_world());
  const int next = (me + 1) % p, before = (me + p - 1) % p;
  if (strcmp(what, "circle") == 0) receive_from(before, 8);
  if (strcmp(what, "sends") == 0) send_to(next, long_message), receive_from(before, long_message);
  if (strcmp(what, "nobody") == 0 && me == 1) receive_from(TUTTI_ANY, 8);
  if (strcmp(what, "predicate") == 0 && me == 1) post_with_a_function();
  if (strcmp(what, "ahead") == 0) run_ahead();
  if (strcmp(what, "in_vain") == 0) wait_in_vain();
  if (strcmp(what, "left") == 0 && me != 1) {
    send_to(1, 100);
    tutti_spend_time(1000000);
    send_to(1, 100);
  }
  if (strcmp(what, "first") == 0 && me != 1) {
    tutti_spend_time(me == 0 ? 100000 : 50000);
    send_to(1, 8);
  }
  if (strcmp(what, "first") == 0 && me == 1) {
    check(receive_from(TUTTI_ANY, 8) == 2, "the first sender");
    check(receive_from(TUTTI_ANY, 8) == 0, "the second sender");
  }
  must(tutti_finalize());
  printf("rank %d is right\n", me);
  return 0;
}
