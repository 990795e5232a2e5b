// SPDX-License-Identifier: BSD-3-Clause
// tutti's own interface: tutti_test of a started receive, and tutti_probe_for that does not wait.
#include <tutti/tutti.h>
#include <tutti/tutti_message.h>

#include <stddef.h>

#include "polls.h"

const char* const interface_name = "tutti";
const char* const ways[MOST_WAYS] = {"tutti_test", "tutti_probe"};

static long token;
static tutti_request request = {0};

int start(int* argc, char*** argv, int* rank) {
  (void)argc;
  (void)argv;
  tutti_init();
  *rank = tutti_rank(tutti_world());
  return tutti_size(tutti_world());
}

void finish(void) {
  tutti_finalize();
}

void send_token(int to) {
  const tutti_data data = tutti_array(&token, 1, TUTTI_INT64);
  tutti_send(tutti_world(), &data, to, 7);
}

int look_for_token(int way, int from) {
  const tutti_data data = tutti_array(&token, 1, TUTTI_INT64);
  int done = 0;
  if (way == 1) {
    if (tutti_probe(tutti_world(), from, 7, 0, NULL, NULL, NULL) != TUTTI_OK) return 0;
    tutti_receive(tutti_world(), &data, from, 7, NULL, NULL);
    return 1;
  }
  if (request.id == 0) tutti_ireceive(tutti_world(), &data, from, 7, NULL, NULL, &request);
  tutti_test(&request, &done);
  return done;
}
