/* SPDX-License-Identifier: BSD-3-Clause
 * Tests messages of PVM: matching, kept buffers, contexts and handlers. */
#include "report.h"

static void receive(int tid, int tag) {
  int value = -1, bytes = 0, with = 0, from = 0;
  const int buffer = pvm_recv(tid, tag);
  pvm_bufinfo(buffer, &bytes, &with, &from);
  pvm_upkint(&value, 1, 1);
  printf("value %d tag %d of %d bytes\n", value, with, bytes);
}

static void matching(int me) {
  VALUE(pvm_nrecv(-1, -1));
  VALUE(pvm_probe(-1, -1));
  pvm_initsend(PvmDataDefault);
  SHOW(pvm_send(me, -1));
  SHOW(pvm_send(-1, 1));
  for (int i = 0; i < 6; ++i) put(me, 10 + i % 3, i);
  while (pvm_probe(-1, 12) == 0) usleep(1000); /* the real one delivers a little later */
  VALUE(pvm_probe(me, 99));
  receive(-1, 12);
  receive(me, -1);
  receive(-1, 11);
  receive(me, 12);
  receive(-1, -1);
  receive(-1, -1);
  VALUE(pvm_nrecv(-1, -1));
  struct timeval soon = {0, 20000};
  VALUE(pvm_trecv(-1, 1, &soon));
}

static void without_buffers(int me) {
  int data[4] = {1, 2, 3, 4}, copy[4] = {0}, from = 0, with = 0, bytes = 0;
  SHOW(pvm_psend(me, 7, data, 4, PVM_INT));
  SHOW(pvm_precv(-1, -1, copy, 4, PVM_INT, &from, &with, &bytes));
  printf("%d %d %d %d from me %d tag %d bytes %d\n", copy[0], copy[1], copy[2], copy[3], from == me,
         with, bytes);
  SHOW(pvm_psend(me, 7, data, 4, 77));
  SHOW(pvm_psend(me, 7, data, 2, PVM_INT));
  SHOW(pvm_precv(me, 7, copy, 4, PVM_INT, NULL, NULL, &bytes));
  VALUE(bytes);
  SHOW(pvm_psend(me, 7, data, 4, PVM_INT));
  memset(copy, 0, sizeof copy);
  SHOW(pvm_precv(me, 7, copy, 2, PVM_INT, NULL, NULL, NULL));
  printf("%d %d %d\n", copy[0], copy[1], copy[2]);
}

static void kept_buffers(int me) {
  /* The buffer of a receive exists until the next receive, unless pvm_setrbuf has set it aside. */
  put(me, 1, 5);
  put(me, 1, 6);
  const int first = pvm_recv(-1, 1);
  VALUE(pvm_setrbuf(0) == first);
  const int second = pvm_recv(-1, 1);
  VALUE(second != first);
  VALUE(pvm_setrbuf(first) == second);
  int value = 0;
  pvm_upkint(&value, 1, 1);
  VALUE(value);
  pvm_setsbuf(first);
  SHOW(pvm_send(me, 8)); /* a received message is passed on as it is */
  pvm_setrbuf(0);
  pvm_setsbuf(0);
  receive(me, 8);
  pvm_initsend(PvmDataDefault);
  SHOW(pvm_mcast(&(int){me}, 1, 4));
  VALUE(pvm_nrecv(-1, 4));
  SHOW(pvm_send(me, 3));
  VALUE(pvm_recv(-1, 3) > 0);
  SHOW(pvm_upkint(&value, 1, 1));
}

void messages(void) {
  matching(pvm_mytid());
  without_buffers(pvm_mytid());
  kept_buffers(pvm_mytid());
}

static int handled = 0;
static int handle(int buffer) {
  int value = 0;
  (void)buffer;
  pvm_upkint(&value, 1, 1);
  handled += value;
  return 0;
}

void contexts(void) {
  const int me = pvm_mytid(), base = pvm_getcontext();
  VALUE(base);
  const int fresh = pvm_newcontext();
  VALUE(fresh > 0);
  VALUE(pvm_getcontext());
  put(me, 1, 100);
  VALUE(pvm_setcontext(fresh) == base);
  VALUE(pvm_nrecv(-1, -1));
  put(me, 1, 200);
  receive(-1, 1);
  VALUE(pvm_setcontext(base) == fresh);
  receive(-1, -1);
  SHOW(pvm_freecontext(fresh));
  const int handler = pvm_addmhf(-1, 50, -1, handle);
  VALUE(handler >= 0);
  SHOW(pvm_addmhf(-1, 50, -1, handle));
  put(me, 50, 3);
  put(me, 51, 4);
  put(me, 50, 5);
  receive(me, -1);
  VALUE(pvm_nrecv(-1, 50));
  VALUE(handled);
  SHOW(pvm_delmhf(handler));
  SHOW(pvm_delmhf(handler));
  SHOW(pvm_delmhf(-2));
  put(me, 50, 9);
  receive(me, 50);
}

/* ---- the message mailbox ---- */

static int packed(int value) {
  const int buffer = pvm_initsend(PvmDataDefault);
  pvm_pkint(&value, 1, 1);
  return buffer;
}

static void print_info(char* name, int index, int flags) {
  int value = -1;
  const int buffer = pvm_recvinfo(name, index, flags);
  if (buffer < 0) {
    printf("error %d\n", buffer);
    return;
  }
  pvm_upkint(&value, 1, 1);
  printf("%s %d: %d\n", name, index, value);
}

void mailbox(void) {
  char one[] = "tutti one", many[] = "tutti many", old[] = "tutti old", none[] = "tutti none";
  int value = 0, count = 0;
  struct pvmmboxinfo* classes = NULL;
  print_info(none, 0, PvmMboxDefault);
  VALUE(pvm_putinfo(one, packed(5), PvmMboxDefault));
  print_info(one, 0, PvmMboxDefault);
  print_info(one, 1, PvmMboxDefault);
  for (int i = 0; i < 3; ++i) VALUE(pvm_putinfo(many, packed(10 + i), PvmMboxMultiInstance));
  print_info(many, 1, PvmMboxDefault);
  SHOW(pvm_delinfo(many, 1, 0));
  SHOW(pvm_delinfo(many, 1, 0));
  print_info(many, 1, PvmMboxDefault);
  print_info(many, 1, PvmMboxFirstAvail);
  print_info(many, 2, PvmMboxReadAndDelete);
  print_info(many, 2, PvmMboxDefault);
  VALUE(pvm_putinfo(old, packed(1), PvmMboxOverWritable));
  VALUE(pvm_putinfo(old, packed(2), PvmMboxOverWritable));
  print_info(old, 0, PvmMboxDefault);
  SHOW(pvm_getmboxinfo((char*)"tutti", &count, &classes));
  VALUE(count);
  for (int i = 0; i < count; ++i) printf("%s has %d\n", classes[i].mi_name, classes[i].mi_nentries);
  VALUE(pvm_insert(none, 3, 77));
  SHOW(pvm_lookup(none, 3, &value));
  VALUE(value);
  SHOW(pvm_lookup(none, 2, &value));
  SHOW(pvm_delete(none, 3));
  SHOW(pvm_lookup(none, 3, &value));
}
