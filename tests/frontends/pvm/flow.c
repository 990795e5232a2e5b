/* SPDX-License-Identifier: BSD-3-Clause
 * Which messages the collective operations of a group send whose tasks are on hosts of 4, 6 and 1
 * tasks: from the tasks of a host to its coordinator, and from coordinators to the root (paper 002,
 * figures 4 and 6); of a scatter the other way round. A reduction within a host is the runtime's
 * own when all tasks of the host take part and the function is one of PVM's (figure 5 a); not where
 * one of them does not (5 b) or the function is the user's (5 c). TUTTI_HOSTS says which tasks
 * share a host. Every task reports what its executed plans send. */
#include <pvm3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tutti/tutti_runtime.h>

enum { tasks = 11, tag_report = 7, most_sends = 32 };
enum operation { reduce_by_function, gather, scatter, reduce_natively, operations };
static const char* const names[operations] = {"reduce by a function", "gather", "scatter",
                                              "reduce"};
static char everybody[] = "flow", all_but_one[] = "five of six";

struct sends {
  int count;
  int to[most_sends];
};
static struct sends sent;
static int count;          /* of members */
static int members[tasks]; /* by task identifier, which is by host */
static char* group;

static int compare(const void* a, const void* b) {
  return *(const int*)a - *(const int*)b;
}

/* An endpoint and a task identifier have the same place among the processes of the job. */
static int task_at(int endpoint) {
  for (int i = 0; i < count; ++i) {
    if ((members[i] & 0x7ff) - 1 == endpoint % 1024) return members[i];
  }
  return -1;
}

static void note(void* user, tutti_group runtime_group, tutti_plan plan,
                 const tutti_plan_request* shape) {
  char text[4096];
  (void)user, (void)shape;
  tutti_plan_text(plan, text, sizeof text);
  for (char* line = strstr(text, "  send "); line != NULL; line = strstr(line + 1, "  send ")) {
    const char* to = strstr(line, " to ");
    if (to != NULL && sent.count < most_sends)
      sent.to[sent.count++] = task_at(tutti_endpoint(runtime_group, atoi(to + 4)));
  }
}

static int coordinator_of(int task) {
  for (int i = 0; i < count; ++i) {
    if (pvm_tidtohost(members[i]) == pvm_tidtohost(task)) return members[i];
  }
  return -1;
}

/* Returns true on hosts that reduce natively: that of four tasks, and that of six if all six
 * take part. */
static int is_native(enum operation operation, int task) {
  const int host = pvm_tidtohost(task), last = pvm_tidtohost(members[count - 1]);
  const int six = pvm_tidtohost(members[4]);
  return operation == reduce_natively && host != last && (host != six || count == tasks);
}

/* Returns the task to which `task` sends when all data goes to the root, or 0 for the root
 * itself. */
static int next_hop(int task, int root) {
  if (task == root) return 0;
  return coordinator_of(task) == task ? root : coordinator_of(task);
}

/* Returns true if the operation sends such a message. All messages of an operation are compared,
 * so no message may be missing, double or unknown. Within a host that reduces natively, any
 * message is right. */
static int is_expected(enum operation operation, int from, int to, int root) {
  if (operation == scatter) return next_hop(to, root) == from;
  if (is_native(operation, from) && pvm_tidtohost(from) == pvm_tidtohost(to)) return 1;
  return next_hop(from, root) == to;
}

static void add(int* type, void* x, void* y, int* n, int* info) {
  (void)type, (void)info;
  for (int i = 0; i < *n; ++i) ((int*)x)[i] += ((int*)y)[i];
}

static int run(enum operation operation, int root) {
  int data[tasks], result[tasks], wrong = 0, one = 0;
  const int me = pvm_getinst(group, pvm_mytid());
  for (int i = 0; i < count; ++i) data[i] = 100 + i, result[i] = -1;
  if (operation == reduce_by_function || operation == reduce_natively) {
    one = me + 1;
    wrong = pvm_reduce(operation == reduce_natively ? PvmSum : add, &one, 1, PVM_INT, 1, group,
                       root) != PvmOk;
    return wrong || (me == root && one != count * (count + 1) / 2);
  }
  if (operation == scatter)
    return pvm_scatter(&one, data, 1, PVM_INT, 1, group, root) != PvmOk || one != 100 + me;
  one = me;
  wrong = pvm_gather(result, &one, 1, PVM_INT, 1, group, root) != PvmOk;
  for (int i = 0; me == root && i < count; ++i) wrong |= result[i] != i;
  return wrong;
}

static void report(int first, int wrong) {
  pvm_initsend(PvmDataDefault);
  pvm_pkint(&wrong, 1, 1);
  pvm_pkint(&sent.count, 1, 1);
  pvm_pkint(sent.to, sent.count, 1);
  pvm_send(first, tag_report);
}

/* The first task receives the messages that all tasks report, and compares them. */
static int judge(enum operation operation, int root) {
  int wrong = 0, messages = 0, between_hosts = 0;
  const int root_task = pvm_gettid(group, root);
  for (int i = 0; i < count; ++i) {
    struct sends heard;
    int failed = 1;
    pvm_recv(members[i], tag_report);
    pvm_upkint(&failed, 1, 1);
    pvm_upkint(&heard.count, 1, 1);
    pvm_upkint(heard.to, heard.count, 1);
    for (int k = 0; k < heard.count; ++k) {
      failed |= !is_expected(operation, members[i], heard.to[k], root_task);
      for (int earlier = 0; earlier < k; ++earlier) failed |= heard.to[earlier] == heard.to[k];
      between_hosts += pvm_tidtohost(members[i]) != pvm_tidtohost(heard.to[k]);
    }
    messages += heard.count;
    wrong += failed;
  }
  wrong += messages != count - 1 || between_hosts != 2;
  printf("%s of %d, root %s a coordinator: %d messages, %d between hosts: %s\n", names[operation],
         count, coordinator_of(root_task) == root_task ? "is" : "is not", messages, between_hosts,
         wrong ? "WRONG" : "right");
  return wrong;
}

static int all_operations(int first) {
  int wrong = 0;
  count = pvm_gsize(group);
  for (int i = 0; i < count; ++i) members[i] = pvm_gettid(group, i);
  qsort(members, (size_t)count, sizeof members[0], compare);
  for (int k = 0; k < 3 * operations; ++k) {
    /* The roots are the first task, the last one of its host, and one of the next host that is
     * no coordinator. */
    const int places[] = {0, 3, 8}, root = pvm_getinst(group, members[places[k / operations]]);
    sent.count = 0;
    report(first, run((enum operation)(k % operations), root));
    if (pvm_mytid() == first) wrong += judge((enum operation)(k % operations), root);
  }
  return wrong;
}

/* Checks the expected hosts of 4, 6 and 1 tasks. */
static int machine(void) {
  int hosts = 0, wrong = 0, on_host[3] = {0};
  struct pvmhostinfo* list;
  pvm_config(&hosts, NULL, &list);
  if (hosts != 3) return printf("%d hosts\n", hosts), 1;
  for (int i = 0; i < hosts; ++i) pvm_tasks(list[i].hi_tid, &on_host[i], NULL);
  wrong =
      on_host[0] != 4 || on_host[1] != 6 || on_host[2] != 1 || pvm_mstat(list[2].hi_name) != PvmOk;
  printf("hosts of %d, %d and %d tasks\n", on_host[0], on_host[1], on_host[2]);
  return wrong;
}

/* The last task of the host of six does not join the second group. */
static int with_one_less(int first) {
  group = all_but_one;
  const int stays_away = pvm_mytid() == members[9];
  if (!stays_away) pvm_joingroup(group);
  pvm_barrier(everybody, tasks);
  return stays_away ? 0 : all_operations(first);
}

int main(int argc, char** argv) {
  char* arguments[] = {(char*)"task", NULL};
  int tids[tasks], wrong = 0;
  const int is_first = argc == 1;
  setvbuf(stdout, NULL, _IOLBF, 0);
  const int first = is_first ? pvm_mytid() : pvm_parent();
  pvm_joingroup(group = everybody);
  if (is_first &&
      pvm_spawn(argv[0], arguments, PvmTaskDefault, (char*)"", tasks - 1, tids) != tasks - 1)
    return 1;
  pvm_barrier(everybody, tasks);
  if (is_first) wrong += machine();
  tutti_on_run(note, NULL);
  wrong += all_operations(first);
  pvm_barrier(everybody, tasks);
  wrong += with_one_less(first);
  pvm_barrier(everybody, tasks);
  pvm_exit();
  return wrong != 0;
}
