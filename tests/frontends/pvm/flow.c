/* SPDX-License-Identifier: BSD-3-Clause
 * Which messages the collective operations of a group send whose tasks are on three hosts: from the tasks of a host to
 * its coordinator, and from coordinators to the root (paper 002, figures 4 and 6); of a scatter the other way round.
 * TUTTI_HOSTS says which tasks share a host. Every task reports what its executed plans send. */
#include <pvm3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tutti/tutti.h>

enum { tasks = 11, tag_report = 7, operations = 3, most_sends = 32 };
static const char* const names[operations] = {"reduce", "gather", "scatter"};
static char group[] = "flow";

struct sends {
  int count;
  int to[most_sends];
};
static struct sends sent;
static int members[tasks]; /* by task identifier, which is by host */

static int compare(const void* a, const void* b) {
  return *(const int*)a - *(const int*)b;
}

static void note(void* user, tutti_group runtime_group, tutti_plan plan, const tutti_plan_request* shape) {
  char text[4096];
  (void)user, (void)runtime_group, (void)shape;
  tutti_plan_text(plan, text, sizeof text);
  for (char* line = strstr(text, "  send "); line != NULL; line = strstr(line + 1, "  send ")) {
    const char* to = strstr(line, " to ");
    if (to != NULL && sent.count < most_sends) sent.to[sent.count++] = members[atoi(to + 4)];
  }
}

static int coordinator_of(int task) {
  for (int i = 0; i < tasks; ++i) {
    if (pvm_tidtohost(members[i]) == pvm_tidtohost(task)) return members[i];
  }
  return -1;
}

/* The one that `task` sends to when everything goes to the root; 0 for the root itself. */
static int next_hop(int task, int root) {
  if (task == root) return 0;
  return coordinator_of(task) == task ? root : coordinator_of(task);
}

/* Is there such a message? All messages of an operation are looked at, so none may be missing, double or another. */
static int is_expected(int operation, int from, int to, int root) {
  return operation == 2 ? next_hop(to, root) == from : next_hop(from, root) == to;
}

static int run(int operation, int root) {
  int data[tasks], result[tasks], wrong = 0, one = 0;
  const int me = pvm_getinst(group, pvm_mytid());
  for (int i = 0; i < tasks; ++i) data[i] = 100 + i, result[i] = -1;
  if (operation == 0) {
    one = me + 1;
    wrong = pvm_reduce(PvmSum, &one, 1, PVM_INT, 1, group, root) != PvmOk;
    return wrong || (me == root && one != tasks * (tasks + 1) / 2);
  }
  if (operation == 2) return pvm_scatter(&one, data, 1, PVM_INT, 1, group, root) != PvmOk || one != 100 + me;
  one = me;
  wrong = pvm_gather(result, &one, 1, PVM_INT, 1, group, root) != PvmOk;
  for (int i = 0; me == root && i < tasks; ++i) wrong |= result[i] != i;
  return wrong;
}

static void report(int first, int wrong) {
  pvm_initsend(PvmDataDefault);
  pvm_pkint(&wrong, 1, 1);
  pvm_pkint(&sent.count, 1, 1);
  pvm_pkint(sent.to, sent.count, 1);
  pvm_send(first, tag_report);
}

/* The first task hears what all have sent. */
static int judge(int operation, int root) {
  int wrong = 0, messages = 0, to_root = 0;
  const int root_task = pvm_gettid(group, root);
  for (int i = 0; i < tasks; ++i) {
    struct sends heard;
    int failed = 1;
    pvm_recv(members[i], tag_report);
    pvm_upkint(&failed, 1, 1);
    pvm_upkint(&heard.count, 1, 1);
    pvm_upkint(heard.to, heard.count, 1);
    for (int k = 0; k < heard.count; ++k) {
      failed |= !is_expected(operation, members[i], heard.to[k], root_task);
      for (int earlier = 0; earlier < k; ++earlier) failed |= heard.to[earlier] == heard.to[k];
      to_root += members[i] == root_task || heard.to[k] == root_task;
    }
    messages += heard.count;
    wrong += failed;
  }
  printf("%s, root %s a coordinator: %d messages, %d from or to the root: %s\n", names[operation],
         coordinator_of(root_task) == root_task ? "is" : "is not", messages, to_root, wrong ? "WRONG" : "right");
  return wrong + (messages != tasks - 1);
}

static int all_operations(int first) {
  int wrong = 0;
  for (int i = 0; i < tasks; ++i) members[i] = pvm_gettid(group, i);
  qsort(members, tasks, sizeof members[0], compare);
  tutti_on_run(note, NULL);
  for (int k = 0; k < 2 * operations; ++k) {
    /* The first task, and the last one of its host. */
    const int root = pvm_getinst(group, members[k < operations ? 0 : 3]);
    sent.count = 0;
    report(first, run(k % operations, root));
    if (pvm_mytid() == first) wrong += judge(k % operations, root);
  }
  return wrong;
}

/* 4, 6 and 1 tasks. */
static int machine(void) {
  int hosts = 0, wrong = 0, count[3] = {0};
  struct pvmhostinfo* list;
  pvm_config(&hosts, NULL, &list);
  if (hosts != 3) return printf("%d hosts\n", hosts), 1;
  for (int i = 0; i < hosts; ++i) pvm_tasks(list[i].hi_tid, &count[i], NULL);
  wrong = count[0] != 4 || count[1] != 6 || count[2] != 1 || pvm_mstat(list[2].hi_name) != PvmOk;
  printf("hosts of %d, %d and %d tasks\n", count[0], count[1], count[2]);
  return wrong;
}

int main(int argc, char** argv) {
  char* arguments[] = {(char*)"task", NULL};
  int tids[tasks], wrong = 0;
  const int is_first = argc == 1;
  setvbuf(stdout, NULL, _IOLBF, 0);
  const int first = is_first ? pvm_mytid() : pvm_parent();
  pvm_joingroup(group);
  if (is_first && pvm_spawn(argv[0], arguments, PvmTaskDefault, (char*)"", tasks - 1, tids) != tasks - 1) return 1;
  pvm_barrier(group, tasks);
  if (is_first) wrong += machine();
  wrong += all_operations(first);
  pvm_barrier(group, tasks);
  pvm_exit();
  return wrong != 0;
}
