/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Makes one mistake, which its argument names. misuse.py checks what is printed.
 */
#include <nx.h>

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static long value = 0, two[2] = {1, 2};

static void wrong_node(void) {
  if (mynode() == 1) csend(5, &value, 8, 3, 0);
  crecv(5, &value, 8);
}
static void no_host(void) {
  csend(5, &value, 8, myhost(), 0);
}
static void negative_type(void) {
  if (mynode() == 2) isend(-5, &value, 8, 0, 0);
  crecv(5, &value, 8);
}
static void too_long(void) {
  if (mynode() == 0) csend(6, two, sizeof two, 1, 0);
  if (mynode() == 1) crecv(-1, &value, 8);
}
static void too_long_posted(void) {
  if (mynode() == 0) csend(6, two, sizeof two, 1, 0);
  if (mynode() == 1) msgwait(irecv(6, &value, 8));
}
static void all_wait(void) {
  crecv(8, &value, 8);
}
static void all_wait_posted(void) {
  msgwait(irecvx(8, &value, 8, (mynode() + 1) % numnodes(), -1, two));
}
static void all_wait_merged(void) {
  const long next = (mynode() + 1) % numnodes();
  const long first = msgmerge(irecvx(8, &value, 8, next, -1, two), irecv(9, &two, 16));
  static long third[8];
  msgwait(msgmerge(first, irecvx(10, &value, 8, next, -1, third)));
}
static void nothing(long type, long count, long node, long ptype) {
  (void)type, (void)count, (void)node, (void)ptype;
}
/* A handler is posted while the nodes wait. */
static void all_wait_beside_a_handler(void) {
  hrecv(7, two, sizeof two, nothing);
  if (mynode() == 1) crecv(8, &value, 8);
  gsync();
}
/* Each node waits in another call. */
static void all_wait_otherwise(void) {
  if (mynode() == 0) crecvx(0x80000006, &value, 8, -1, 5, two);
  if (mynode() == 1) cprobex(-1, 0, -1, two);
  csendrecv(9, &value, 8, mynode(), 0, 10, &value, 8);
}
/* Node 1 calls gsync, and the others gdsum. */
static void other_call(void) {
  double one = 1, work;
  if (mynode() == 1) {
    gsync();
  } else {
    gdsum(&one, 1, &work);
  }
  gsync();
}
static void used_up(void) {
  const long id = isend(5, &value, 8, mynode(), 0);
  msgwait(id);
  if (mynode() == 1) msgwait(id);
  crecv(9, &value, 8);
}
static void in_a_child(void) {
  mynode();
  if (mynode() == 0 && fork() == 0) csend(5, &value, 8, 0, 0);
  crecv(9, &value, 8);
}
static void forced(void) {
  if (mynode() == 0) csend(1073741825, two, sizeof two, 1, 0);
  gsync();
  if (mynode() == 1) iprobe(-1);
  gsync();
}
/* Node 1 makes no call that looks for messages, but it ends after this one has come. */
static void forced_unseen(void) {
  double one = 1, work;
  if (mynode() == 0) csend(1073741825, two, sizeof two, 1, 0);
  gsync();
  gdsum(&one, 1, &work);
  flick();
  masktrap(0);
  mynode();
}
/* The others have left when node 1 ends. */
static void last_exit_code(void) {
  if (mynode() != 1) return;
  usleep(300000);
  _exit(9);
}
/* Nodes 1 and 2 have left when node 0 sends. */
static void forced_to_the_ended(void) {
  gsync();
  if (mynode() != 0) return;
  usleep(300000);
  csend(1073741825, two, sizeof two, 1, 0);
  csend(5, two, sizeof two, 1, 0);
}
/* Nodes 1 and 2 fail with different errors, and node 0 does not fail. */
static void gopen_fails(void) {
  static const char* const paths[] = {"/dev/null", "/tmp/not/there", "/dev/null/file"};
  gopen(paths[mynode()], O_RDWR, M_UNIX, 0);
}
static void gopen_fails_everywhere(void) {
  gopen("/tmp/not/there", O_RDWR, M_UNIX, 0);
}
static void host_call(void) {
  if (mynode() == 1) load("node", -1, 0);
  gsync();
}
static void exit_code(void) {
  if (mynode() == 1) _exit(9);
  crecv(9, &value, 8);
}

int main(int argc, char** argv) {
  static const struct {
    const char* name;
    void (*run)(void);
  } mistakes[] = {
      {"wrong_node", wrong_node},
      {"no_host", no_host},
      {"negative_type", negative_type},
      {"too_long", too_long},
      {"too_long_posted", too_long_posted},
      {"all_wait", all_wait},
      {"all_wait_posted", all_wait_posted},
      {"all_wait_otherwise", all_wait_otherwise},
      {"all_wait_merged", all_wait_merged},
      {"all_wait_beside_a_handler", all_wait_beside_a_handler},
      {"other_call", other_call},
      {"used_up", used_up},
      {"in_a_child", in_a_child},
      {"forced", forced},
      {"forced_unseen", forced_unseen},
      {"gopen_fails", gopen_fails},
      {"gopen_fails_everywhere", gopen_fails_everywhere},
      {"host_call", host_call},
      {"exit_code", exit_code},
      {"last_exit_code", last_exit_code},
      {"forced_to_the_ended", forced_to_the_ended},
  };
  for (size_t i = 0; argc == 2 && i < sizeof mistakes / sizeof *mistakes; i++)
    if (strcmp(argv[1], mistakes[i].name) == 0) mistakes[i].run();
  return 0;
}
