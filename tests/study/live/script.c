// SPDX-License-Identifier: BSD-3-Clause
// Does what a script says, and prints what it has got. Each line of the script is PROGRAM RANK
// OPERATION COUNT NUMBER..., and random_scripts.py says what the numbers are. Each program begins a
// second after the one before. At its end each of its ranks prints a line: PROGRAM RANK, then a
// list of numbers for each operation that has a result, and the time since the program has begun.
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tutti/tutti.h>
#include <tutti/tutti_runtime.h>
#include <tutti/tutti_time.h>

enum { slots = 64, most = 40960, most_numbers = 40, text_size = 4000, sub_bits = 15 };
// How a receive selects keys: all, those that differ in the last four bits only, or one.
enum { any_key, similar_keys, one_key };

typedef struct {
  int source, key, kind, accepts, bytes;
} selection;

typedef struct {
  tutti_request request;
  tutti_envelope envelope;
  selection selected;
  tutti_group group;
  int is_receive, from, with;
  char data[most], result[most];
} slot;

static slot slot_of[slots + 1];  // the last one is that of blocking calls
static tutti_group world;
static int me, uses_mail;
static uint64_t begin;
static char text[text_size];
static size_t length;

static void must(tutti_status status) {
  if (status == TUTTI_OK) return;
  fprintf(stderr, "%s\n", tutti_error_text());
  exit(1);
}

__attribute__((format(printf, 1, 2))) static void tell(const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  length += (size_t)vsnprintf(text + length, sizeof text - length, format, arguments);
  va_end(arguments);
  if (length >= sizeof text) exit(2);
}

static int accept(void* user, int source, uint64_t key, int64_t bytes) {
  const selection* const selected = user;
  (void)source;
  (void)bytes;
  return selected->kind == any_key ||
         (selected->kind == one_key ? (int)key : (int)key & ~sub_bits) == selected->key;
}

static tutti_match match_of(selection* selected) {
  static const uint64_t masks[] = {0, ~(uint64_t)sub_bits, ~UINT64_C(0)};
  const int hides = selected->accepts || selected->kind == any_key;
  const tutti_match match = {
      .struct_size = sizeof match,
      .source = selected->source < 0 ? TUTTI_ANY : tutti_endpoint(world, selected->source),
      .wanted = hides ? 0 : (uint64_t)selected->key,
      .mask = hides ? 0 : masks[selected->kind],
      .accept = selected->accepts ? accept : NULL,
      .user = selected};
  return match;
}

static int tag_of(const selection* selected) {
  return selected->kind == any_key ? TUTTI_ANY : selected->key;
}

static void tell_found(const slot* place, int64_t bytes) {
  if (uses_mail)
    tell(" %d %d %d", place->envelope.source, (int)place->envelope.key, (int)place->envelope.bytes);
  if (!uses_mail) tell(" %d %d %d", place->from, place->with, (int)bytes);
}

// Tells which message a receive has got. Messages of four bytes or more begin with a number.
static void tell_received(const slot* place) {
  const int bytes = uses_mail ? (int)place->envelope.bytes : place->selected.bytes;
  int number = -1;
  if (bytes >= (int)sizeof number) memcpy(&number, place->data, sizeof number);
  tell_found(place, bytes);
  tell(" %d", number);
}

static void send_message(slot* place, int is_started, const int* numbers) {
  const int target = numbers[0], key = numbers[1], bytes = numbers[2];
  memcpy(place->data, &numbers[3], sizeof numbers[3]);
  const tutti_data data = tutti_array(place->data, bytes, TUTTI_BYTE);
  const int endpoint = tutti_endpoint(world, target);
  place->is_receive = 0;
  if (uses_mail && is_started)
    must(tutti_mail_start(1, &endpoint, (uint64_t)key, place->data, bytes, &place->request));
  else if (uses_mail)
    must(tutti_mail_send(endpoint, (uint64_t)key, place->data, bytes));
  else if (is_started)
    must(tutti_isend(world, &data, target, key, &place->request));
  else
    must(tutti_send(world, &data, target, key));
}

static void receive_message(slot* place, int is_started) {
  selection* const selected = &place->selected;
  const tutti_match match = match_of(selected);
  const tutti_data data = tutti_array(place->data, selected->bytes, TUTTI_BYTE);
  const int source = selected->source, tag = tag_of(selected);
  place->is_receive = 1;
  if (uses_mail && is_started)
    must(tutti_mail_post(&match, place->data, most, &place->envelope, &place->request));
  else if (uses_mail)
    must(tutti_mail_receive(&match, place->data, most, &place->envelope));
  else if (is_started)
    must(tutti_ireceive(world, &data, source, tag, &place->from, &place->with, &place->request));
  else
    must(tutti_receive(world, &data, source, tag, &place->from, &place->with));
  if (!is_started) tell_received(place);
}

static tutti_status seek(slot* place, int waits, double seconds, int64_t* bytes) {
  const tutti_match match = match_of(&place->selected);
  const int source = place->selected.source, tag = tag_of(&place->selected);
  if (uses_mail && seconds >= 0)
    return tutti_mail_await(&match, seconds, NULL, NULL, &place->envelope);
  if (uses_mail) return tutti_mail_probe(&match, waits, &place->envelope);
  if (seconds >= 0)
    return tutti_probe_for(world, source, tag, seconds, &place->from, &place->with, bytes);
  return tutti_probe(world, source, tag, waits, &place->from, &place->with, bytes);
}

static void look(slot* place, int waits, double seconds) {
  int64_t bytes = 0;
  const tutti_status status = seek(place, waits, seconds, &bytes);
  if (status != TUTTI_WOULD_WAIT) must(status);
  tell(" %d", status == TUTTI_OK);
  if (status == TUTTI_OK) tell_found(place, bytes);
}

// Tells of a request that was there before, and is gone if it is done.
static void tell_done(slot* place, int was_there) {
  if (was_there && place->request.id == 0 && place->is_receive) tell_received(place);
  if (was_there && place->request.id == 0 && place->group.id != 0)
    must(tutti_group_free(place->group));
  if (place->request.id == 0) place->group.id = 0;
}

static void wait_for_any(const int* numbers, int count, double seconds) {
  tutti_request requests[most_numbers];
  for (int i = 0; i < count; ++i) requests[i] = slot_of[numbers[i]].request;
  int index = -1;
  const tutti_status status = tutti_waitany_for(count, requests, seconds, &index);
  if (status != TUTTI_WOULD_WAIT) must(status);
  tell(" %d", status == TUTTI_WOULD_WAIT ? -2 : index);
  if (status == TUTTI_WOULD_WAIT || index < 0) return;
  slot_of[numbers[index]].request = requests[index];
  tell_done(&slot_of[numbers[index]], 1);
}

static void wait_for_all(const int* numbers, int count, double seconds) {
  tutti_request requests[most_numbers];
  for (int i = 0; i < count; ++i) requests[i] = slot_of[numbers[i]].request;
  const tutti_status status = tutti_waitall_for(count, requests, seconds);
  if (status != TUTTI_WOULD_WAIT) must(status);
  tell(" %d", status == TUTTI_OK);
  for (int i = 0; status == TUTTI_OK && i < count; ++i) {
    slot* const place = &slot_of[numbers[i]];
    const int was_there = place->request.id != 0;
    place->request = requests[i];
    tell_done(place, was_there);
  }
}

// Takes a receive back that may have no message, or waits for the message that it has.
static void finish_receive(slot* place) {
  const int was_there = place->request.id != 0;
  int cancelled = 0;
  if (was_there) must(tutti_cancel(&place->request, &cancelled));
  tell(" %d", cancelled);
  if (cancelled) return;
  must(tutti_wait(&place->request));
  tell_done(place, was_there);
}

static void multicast(slot* place, int is_started, const int* numbers, int count) {
  const int key = numbers[0], bytes = numbers[1];
  int endpoints[most_numbers];
  for (int i = 3; i < count; ++i) endpoints[i - 3] = tutti_endpoint(world, numbers[i]);
  memcpy(place->data, &numbers[2], sizeof numbers[2]);
  place->is_receive = 0;
  if (is_started)
    must(
        tutti_mail_start(count - 3, endpoints, (uint64_t)key, place->data, bytes, &place->request));
  else
    must(tutti_mail_multicast(count - 3, endpoints, (uint64_t)key, place->data, bytes));
}

// Receives for some time, and if that has passed, for ever.
static void receive_unless(slot* place, double seconds) {
  const tutti_match match = match_of(&place->selected);
  place->is_receive = 1;
  const tutti_status status =
      tutti_mail_receive_unless(&match, place->data, most, seconds, NULL, NULL, &place->envelope);
  if (status != TUTTI_WOULD_WAIT) must(status);
  tell(" %d", status == TUTTI_OK);
  if (status == TUTTI_OK)
    tell_received(place);
  else
    receive_message(place, 0);
}

static void cancel(slot* place) {
  const int was_there = place->request.id != 0;
  int cancelled = 0;
  if (was_there) must(tutti_cancel(&place->request, &cancelled));
  tell(" %d", cancelled);
  if (cancelled)
    receive_message(place, 0);
  else
    tell_done(place, was_there);
}

static void end_request(char how, slot* place, double seconds) {
  const int was_there = place->request.id != 0;
  int done = 0;
  if (how == 'w') must(tutti_wait(&place->request));
  if (how == 't') must(tutti_test(&place->request, &done));
  if (how == 'W') {
    const tutti_status status = tutti_wait_for(&place->request, seconds);
    if (status != TUTTI_WOULD_WAIT) must(status);
    done = status == TUTTI_OK;
  }
  if (how != 'w') tell(" %d", done);
  tell_done(place, was_there);
}

static void run(slot* place, int is_started, const int* numbers, int count) {
  static const char* const algorithms[] = {NULL, "mst", "tree", "fully_connected"};
  const tutti_plan_request request = {.struct_size = sizeof request,
                                      .operation = (tutti_operation)numbers[0],
                                      .algorithm = algorithms[numbers[1]],
                                      .bytes = numbers[2]};
  const tutti_data input = tutti_array(place->data, numbers[2], TUTTI_UINT8);
  const tutti_data output = tutti_array(place->result, numbers[2], TUTTI_UINT8);
  const int has_data = request.operation != TUTTI_OP_BARRIER;
  const tutti_run arguments = {.struct_size = sizeof arguments,
                               .input = has_data ? &input : NULL,
                               .output = has_data ? &output : NULL,
                               .op = TUTTI_SUM};
  tutti_plan plan;
  place->is_receive = 0;
  must(tutti_group_create(world, count - 3, numbers + 3, &place->group));
  must(tutti_plan_get(place->group, &request, &plan));
  if (is_started) {
    must(tutti_plan_start(plan, &arguments, &place->request));
    return;
  }
  must(tutti_plan_run(plan, &arguments));
  must(tutti_group_free(place->group));
  place->group.id = 0;
}

static selection selection_of(const int* numbers) {
  const selection selected = {numbers[0], numbers[1], numbers[2], numbers[3], numbers[4]};
  return selected;
}

// Does an operation. If it has a slot, its first number is the slot.
static void execute(char operation, int index, const int* numbers, int count) {
  const int has_slot = strchr("SRGMtwWcC", operation) != NULL;
  slot* const place = &slot_of[has_slot ? numbers[0] : slots];
  const int* const more = numbers + has_slot;
  if (strchr("rplfuR", operation) != NULL) place->selected = selection_of(more);
  const char* const tells = "rplfutwWcCaAek";
  if (strchr(tells, operation) != NULL) tell(" %d:", index);
  if (operation == 's' || operation == 'S') send_message(place, operation == 'S', more);
  if (operation == 'r' || operation == 'R') receive_message(place, operation == 'R');
  if (operation == 'p' || operation == 'l') look(place, operation == 'p', -1);
  if (operation == 'f') look(place, 1, more[5] / 1e9);
  if (operation == 't' || operation == 'w') end_request(operation, place, 0);
  if (operation == 'W') end_request(operation, place, more[0] / 1e9);
  if (operation == 'c') cancel(place);
  if (operation == 'C') finish_receive(place);
  if (operation == 'm' || operation == 'M')
    multicast(place, operation == 'M', more, count - has_slot);
  if (operation == 'u') receive_unless(place, more[5] / 1e9);
  if (operation == 'a') wait_for_any(numbers, count, -1);
  if (operation == 'A') wait_for_any(numbers + 1, count - 1, numbers[0] / 1e9);
  if (operation == 'e') wait_for_all(numbers + 1, count - 1, numbers[0] / 1e9);
  if (operation == 'd') tutti_spend_time((uint64_t)numbers[0]);
  if (operation == 'k') tell(" %" PRIu64, tutti_nanoseconds() - begin);
  if (operation == 'g' || operation == 'G') run(place, operation == 'G', more, count - has_slot);
}

// Messages of keys from 112 to 127 are lost unless a posted receive takes them.
static void lose(void* user, int source, uint64_t key, int64_t bytes) {
  (void)user;
  (void)source;
  (void)key;
  (void)bytes;
}

int main(int argc, char** argv) {
  must(tutti_init());
  world = tutti_world();
  me = tutti_rank(world);
  must(tutti_mail_discard_unposted(112, ~(uint64_t)sub_bits, lose, NULL));
  FILE* const script = fopen(argc > 1 ? argv[1] : "", "r");
  if (script == NULL) return 1;
  setvbuf(stdout, NULL, _IOLBF, 1 << 16);
  int program, rank, count, index = 0, numbers[most_numbers];
  char operation;
  while (fscanf(script, "%d %d %c %d", &program, &rank, &operation, &count) == 4) {
    for (int i = 0; i < count; ++i)
      if (fscanf(script, "%d", &numbers[i]) != 1) return 1;
    if (operation == 'B') {
      begin = (uint64_t)program * 1000000000;
      index = 0;
      length = 0;
      uses_mail = numbers[0];
      tutti_spend_until(begin);
    } else if (operation == 'E') {
      tell(" end %" PRIu64, tutti_nanoseconds() - begin);
      if (me < numbers[0]) printf("%d %d%s\n", program, me, text);
    } else if (rank == me) {
      execute(operation, index++, numbers, count);
    }
  }
  fclose(script);
  return tutti_finalize() == TUTTI_OK ? 0 : 1;
}
