// SPDX-License-Identifier: BSD-3-Clause
// Calls of a second thread while another one is inside a call. The second one must get PvmSysErr,
// or nothing, with a message that says why. The argument names the second call. With "trecv", two
// threads wait for a message that never comes; with "first", the second call would be the first one
// of PVM; the others are made inside of pvm_recv.
#include <pthread.h>
#include <pvm3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <tutti/tutti_runtime.h>

static void* wait_for_message(void* unused) {
  struct timeval long_enough = {600, 0};
  const int code = pvm_trecv(-1, 1, &long_enough);
  fprintf(stderr, "pvm_trecv gave %d\n", code);
  _Exit(EXIT_FAILURE);
  return unused;
}

static void* second_call(void* name) {
  int code = 0;
  if (strcmp(name, "first") == 0) code = pvm_mytid();
  if (strcmp(name, "parent") == 0) code = pvm_parent();
  if (strcmp(name, "exit") == 0) code = pvm_exit();
  if (strcmp(name, "recvf") == 0) code = pvm_recvf(NULL) == NULL ? PvmSysErr : PvmOk;
  fprintf(stderr, "the second call gave %d\n", code);
  _Exit(code == PvmSysErr ? EXIT_FAILURE : EXIT_SUCCESS);
  return NULL;
}

static void call_in_second_thread(const char* name) {
  pthread_t thread;
  if (pthread_create(&thread, NULL, second_call, (void*)name) == 0) pthread_join(thread, NULL);
}

static const char* wanted = "trecv";

// Runs inside of pvm_recv.
static int match(int buffer, int tid, int tag) {
  (void)buffer, (void)tid, (void)tag;
  call_in_second_thread(wanted);
  return 1;
}

int main(int argc, char** argv) {
  pthread_t thread;
  if (argc > 1) wanted = argv[1];
  if (strcmp(wanted, "first") == 0) {
    if (tutti_enter("a_front_end") == TUTTI_OK) call_in_second_thread(wanted);
    return 0;
  }
  if (pvm_mytid() < 0) return 0;
  if (strcmp(wanted, "trecv") == 0) {
    if (pthread_create(&thread, NULL, wait_for_message, NULL) == 0) wait_for_message(NULL);
    return 0;
  }
  pvm_initsend(PvmDataDefault);
  pvm_send(pvm_mytid(), 1);
  pvm_recvf(match);
  pvm_recv(-1, 1);
  return 0;
}
