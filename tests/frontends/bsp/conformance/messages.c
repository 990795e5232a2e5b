// SPDX-License-Identifier: BSD-3-Clause
// Tests bulk synchronous message passing: tags, sizes, and what happens to messages that no process
// reads.
#include "check.h"

#define NONE ((bsp_size_t)-1)

static void empty_queue(void) {
  bsp_nprocs_t messages = 1;
  bsp_size_t bytes = 1, status = 0;
  void *tag = NULL, *payload = NULL;
  bsp_qsize(&messages, &bytes);
  CHECK(messages == 0 && bytes == 0);
  bsp_get_tag(&status, NULL);
  CHECK(status == NONE);
  CHECK(bsp_hpmove(&tag, &payload) == NONE);
}

// In each superstep, the tag size of received messages, that of sent ones and the next one all
// differ. bsp_set_tagsize returns the size that was set before.
static void tag_sizes(void) {
  const int p = (int)bsp_nprocs(), s = (int)bsp_pid();
  bsp_size_t size = 4;
  bsp_set_tagsize(&size);
  CHECK(size == 0);
  bsp_send((bsp_pid_t)((s + 1) % p), NULL, &s, BYTES(s));  // still without a tag
  bsp_sync();
  size = 8;
  bsp_set_tagsize(&size);
  CHECK(size == 4);
  const int tag = mark(s, 4);
  bsp_send((bsp_pid_t)((s + 1) % p), &tag, &s, BYTES(s));
  bsp_size_t status = 99;
  bsp_get_tag(&status, NULL);  // arrived with tags of 0 bytes
  CHECK(status == BYTES(s));
  bsp_sync();
  int found = 0, from = -1;
  bsp_get_tag(&status, &found);
  CHECK(status == BYTES(s) && found == mark((s + p - 1) % p, 4));
  bsp_move(&from, BYTES(from));
  CHECK(from == (s + p - 1) % p);
  size = 0;
  bsp_set_tagsize(&size);
  CHECK(size == 8);
  bsp_sync();
}

// Each process sends to every process as many messages as the receiver's number, with payloads of
// all sizes.
static void traffic(void) {
  const int p = (int)bsp_nprocs(), s = (int)bsp_pid();
  bsp_size_t size = sizeof(int);
  bsp_set_tagsize(&size);
  bsp_sync();
  unsigned char payload[300];
  for (int to = 0; to < p; ++to) {
    for (int i = 0; i <= 40 * to; ++i) {
      memset(payload, s + i, sizeof payload);
      const int tag = mark(s, i);
      bsp_send((bsp_pid_t)to, &tag, payload, (bsp_size_t)(i % 257));
    }
  }
  bsp_sync();
  bsp_nprocs_t messages = 0;
  bsp_size_t bytes = 0, expected = 0;
  bsp_qsize(&messages, NULL);
  bsp_qsize(NULL, &bytes);
  for (int i = 0; i <= 40 * s; ++i) expected += (bsp_size_t)(i % 257);
  CHECK(messages == (bsp_nprocs_t)(p * (40 * s + 1)) && bytes == (bsp_size_t)p * expected);
  for (bsp_nprocs_t k = 0; k < messages; ++k) {
    int tag = 0;
    bsp_size_t status = 0;
    bsp_get_tag(&status, &tag);
    const int from = tag / 1000 - 1, i = tag % 1000;
    CHECK(status == (bsp_size_t)(i % 257));
    memset(payload, 255, sizeof payload);
    const unsigned char* found = payload;
    if (k % 2 == 0) {
      bsp_move(payload, (bsp_size_t)sizeof payload);
    } else {
      void *tag_place = NULL, *place = NULL;
      CHECK(bsp_hpmove(&tag_place, &place) == status);
      CHECK(memcmp(tag_place, &tag, sizeof tag) == 0);
      found = place;
    }
    for (int b = 0; b < i % 257; ++b) CHECK(found[b] == (unsigned char)(from + i));
  }
  empty_queue();
  bsp_sync();
}

// Unread messages are gone after the next sync, even if no other data was communicated. bsp_move
// may copy a part of a message.
static void unread(void) {
  const int p = (int)bsp_nprocs(), s = (int)bsp_pid();
  const int tag = 0, payload[2] = {mark(s, 0), mark(s, 1)};
  for (int i = 0; i < 3; ++i) bsp_send((bsp_pid_t)((s + 1) % p), &tag, payload, BYTES(payload));
  bsp_sync();
  int part[2] = {0, 0};
  bsp_move(part, BYTES(int));
  CHECK(part[0] == mark((s + p - 1) % p, 0) && part[1] == 0);
  bsp_nprocs_t messages = 0;
  bsp_size_t bytes = 0;
  bsp_qsize(&messages, &bytes);
  CHECK(messages == 2 && bytes == 2 * BYTES(payload));
  bsp_move(NULL, 0);
  bsp_sync();
  empty_queue();
  bsp_size_t size = 0;
  bsp_set_tagsize(&size);
  bsp_sync();
}

void check_messages(void) {
  empty_queue();
  tag_sizes();
  traffic();
  unread();
}
