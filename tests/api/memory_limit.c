/* SPDX-License-Identifier: BSD-3-Clause
 * Unreceived messages use up the job's memory; the test sets TUTTI_SHM_LIMIT and a short
 * TUTTI_SEND_WAIT. The send must fail with an error that names these messages, and no message
 * that was sent before may be lost. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tutti/tutti.h>

enum { elements = 1 << 20 };

static int is_refused(tutti_status status, const char* remedy) {
  const char* text = tutti_error_text();
  if (status == TUTTI_OUT_OF_MEMORY && strstr(text, "209715200 bytes") != NULL &&
      strstr(text, remedy) != NULL && strstr(text, "by a collective") != NULL)
    return 1;
  fprintf(stderr, "status %d, %s\n", status, text);
  return 0;
}

/* A message for which the job can never have memory must fail at once, however long a send may wait
 * for memory, and whether it is called or started. */
static int send_too_much(const char* remedy) {
  const size_t bytes = 200 << 20;
  char* x = calloc(1, bytes);
  const tutti_data data = tutti_array(x, (int64_t)bytes, TUTTI_BYTE);
  if (tutti_rank(tutti_world()) == 0) {
    tutti_request request = {0};
    if (!is_refused(tutti_send(tutti_world(), &data, 1, 0), remedy)) return 1;
    if (tutti_isend(tutti_world(), &data, 1, 0, &request) != TUTTI_OK ||
        !is_refused(tutti_wait(&request), remedy))
      return 1;
  }
  if (tutti_bcast(tutti_world(), &data, 0) != TUTTI_OK) return 1;
  free(x);
  return tutti_finalize() == TUTTI_OK ? 0 : 1;
}

int main(int argc, char** argv) {
  tutti_errors_return();
  if (tutti_init() != TUTTI_OK) return 1;
  if (argc > 1) return send_too_much(argv[1]);
  const int me = tutti_rank(tutti_world());
  double* x = malloc(elements * sizeof(double));
  const tutti_data data = tutti_array(x, elements, TUTTI_DOUBLE);
  int sent = 0;
  if (me == 0) {
    tutti_status status = TUTTI_OK;
    for (int i = 0; i < elements; ++i) x[i] = i;
    while (sent < 1000 && (status = tutti_send(tutti_world(), &data, 1, 0)) == TUTTI_OK) ++sent;
    char expected[64];
    snprintf(expected, sizeof(expected), "%d to process 1", sent);
    if (status != TUTTI_OUT_OF_MEMORY || sent < 2 || strstr(tutti_error_text(), expected) == NULL) {
      fprintf(stderr, "after %d sends: status %d, %s\n", sent, status, tutti_error_text());
      return 1;
    }
  }
  const tutti_data count = tutti_array(&sent, 1, TUTTI_INT32);
  if (tutti_bcast(tutti_world(), &count, 0) != TUTTI_OK) return 1;
  for (int k = 0; me == 1 && k < sent; ++k) {
    x[elements - 1] = 0;
    if (tutti_receive(tutti_world(), &data, 0, 0, NULL, NULL) != TUTTI_OK ||
        x[elements - 1] != elements - 1)
      return 1;
  }
  if (tutti_barrier(tutti_world()) != TUTTI_OK) return 1;
  /* The memory is free again. */
  if (me == 0 && tutti_send(tutti_world(), &data, 1, 0) != TUTTI_OK) return 1;
  if (me == 1 && tutti_receive(tutti_world(), &data, 0, 0, NULL, NULL) != TUTTI_OK) return 1;
  free(x);
  return tutti_finalize() == TUTTI_OK ? 0 : 1;
}
