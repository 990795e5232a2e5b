/* SPDX-License-Identifier: BSD-3-Clause
 * Tasks of a real PVM that use tutti's collectives and mailbox. The tasks of one pvm_spawn are the
 * world; the parent and they form a group of task identifiers. Messages of the program in libpvm
 * must stay as they were. It prints a line per observation of the first task; the others send
 * theirs.
 */
#include <pvm3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tutti/tutti_runtime.h>

enum { children = 3, all = children + 1, tag_tids = 1, tag_right = 2, tag_quit = 3 };

static void need(int status, const char* what) {
  if (status == TUTTI_OK) return;
  fprintf(stderr, "%s: %s\n", what, tutti_error_text());
  exit(1);
}

/* Compares sums of vectors of 8 bytes up to many frames. */
static int right_sums(tutti_group group) {
  static const int lengths[] = {1, 100, 20000, 400000};
  int right = 0;
  for (int i = 0; i < 4; ++i) {
    const int n = lengths[i], p = tutti_size(group), me = tutti_rank(group);
    double* mine = malloc(sizeof(double) * (size_t)n);
    double* sum = malloc(sizeof(double) * (size_t)n);
    for (int k = 0; k < n; ++k) mine[k] = k + me;
    const tutti_data in = tutti_array(mine, n, TUTTI_DOUBLE),
                     out = tutti_array(sum, n, TUTTI_DOUBLE);
    need(tutti_allreduce(group, &in, &out, TUTTI_SUM), "tutti_allreduce");
    int wrong = 0;
    for (int k = 0; k < n; ++k) wrong += sum[k] != (double)p * k + p * (p - 1) / 2;
    right += wrong == 0;
    free(mine);
    free(sum);
  }
  return right;
}

/* Each task sends a short and a long message to all, itself included. */
static int right_letters(const int* tids, int self) {
  static char letter[300000], got[sizeof letter];
  int right = 0;
  for (int i = 0; i < all; ++i) {
    memset(letter, self & 127, sizeof letter);
    need(tutti_mail_send(tids[i], 1, &self, sizeof self), "tutti_mail_send");
    need(tutti_mail_send(tids[i], 2, letter, sizeof letter), "tutti_mail_send");
  }
  for (int i = 0; i < all; ++i) {
    int from = 0;
    const tutti_match first = {sizeof first, tids[i], 1, ~(uint64_t)0, NULL, NULL},
                      second = {sizeof second, tids[i], 2, ~(uint64_t)0, NULL, NULL};
    need(tutti_mail_receive(&second, got, sizeof got, NULL), "tutti_mail_receive");
    need(tutti_mail_receive(&first, &from, sizeof from, NULL), "tutti_mail_receive");
    right += from == tids[i] && got[0] == (from & 127) && got[sizeof got - 1] == (from & 127);
  }
  return right;
}

static int no_message(int context, int tid, int tag) {
  (void)context, (void)tid, (void)tag;
  return 0;
}

/* A message half packed, one half unpacked, and a match function that takes nothing must all be
 * unchanged afterwards. */
static int undisturbed(tutti_group group) {
  int number = 17, found = 0;
  pvm_initsend(PvmDataDefault);
  pvm_pkint(&number, 1, 1);
  pvm_send(pvm_mytid(), 50);
  pvm_recv(pvm_mytid(), 50);
  pvm_initsend(PvmDataDefault);
  pvm_pkint(&number, 1, 1);
  const int context = pvm_newcontext(), before = pvm_setcontext(context), sending = pvm_getsbuf(),
            receiving = pvm_getrbuf();
  pvm_recvf(no_message);
  need(tutti_barrier(group), "tutti_barrier");
  const int good = pvm_getcontext() == context && pvm_getsbuf() == sending &&
                   pvm_getrbuf() == receiving && pvm_recvf(NULL) == no_message &&
                   pvm_probe(-1, -1) == 0;
  pvm_setcontext(before);
  pvm_setrbuf(receiving);
  return good && pvm_upkint(&found, 1, 1) == 0 && found == number;
}

static void report(const int* tids, const int* right, int count) {
  pvm_initsend(PvmDataDefault);
  pvm_pkint((int*)right, count, 1);
  pvm_send(tids[0], tag_right);
}

static void work(int* tids, int first) {
  need(tutti_init_over("pvmd"), "tutti_init_over");
  tutti_group group;
  need(tutti_group_of_endpoints(all, tids, 1, &group), "tutti_group_of_endpoints");
  int right[5] = {right_sums(group), right_letters(tids, pvm_mytid()), undisturbed(group),
                  tutti_size(tutti_world()), right_sums(tutti_world())};
  if (!first) return report(tids, right, 5);
  int sum[5] = {right[0], right[1], right[2], right[3], right[4]};
  for (int i = 0; i < children; ++i) {
    pvm_recv(-1, tag_right);
    pvm_upkint(right, 5, 1);
    for (int k = 0; k < 5; ++k) sum[k] += right[k];
  }
  printf("sums %d, letters %d, undisturbed %d, worlds %d, sums in worlds %d\n", sum[0], sum[1],
         sum[2], sum[3], sum[4]);
}

/* A task is killed while another waits for it. */
static void lose(const int* tids) {
  tutti_group group;
  const int both[] = {tids[0], tids[children]};
  need(tutti_group_of_endpoints(2, both, 2, &group), "tutti_group_of_endpoints");
  printf("present %d, ", tutti_present(tids[children]));
  pvm_kill(tids[children]);
  printf("barrier with a task that was killed: %d, ", tutti_barrier(group) == TUTTI_PEER_LEFT);
  printf("present %d, departures %d\n", tutti_present(tids[children]), tutti_departures() == 1);
}

int main(int argc, char** argv) {
  int tids[all];
  (void)argc;
  tids[0] = pvm_parent();
  if (tids[0] > 0) {
    pvm_recv(tids[0], tag_tids);
    pvm_upkint(tids, all, 1);
    work(tids, 0);
    pvm_recv(tids[0], tag_quit);
    pvm_exit();
    return 0;
  }
  tids[0] = pvm_mytid();
  if (pvm_spawn(argv[0], NULL, PvmTaskDefault, (char*)"", children, tids + 1) != children) return 1;
  pvm_initsend(PvmDataDefault);
  pvm_pkint(tids, all, 1);
  pvm_mcast(tids + 1, children, tag_tids);
  work(tids, 1);
  lose(tids);
  pvm_initsend(PvmDataDefault);
  pvm_mcast(tids + 1, children - 1, tag_quit);
  pvm_exit();
  return 0;
}
