/* SPDX-License-Identifier: BSD-3-Clause
 * Starts tasks that send large messages and end without pvm_exit, and looks at the memory that the
 * machine has then. All of it must be given back when the messages are received. */
#include <dirent.h>
#include <signal.h>
#include <sys/stat.h>

#include "report.h"

enum {
  rounds = 20,
  batch = 4,
  message_bytes = 1000000,
  most_kib = 24000,
  tag_bytes = 80,
  tag_gone
};

static char message[message_bytes];

static void send_one(int to) {
  pvm_initsend(PvmDataRaw);
  pvm_pkbyte(message, message_bytes, 1);
  pvm_send(to, tag_bytes);
}

/* A task that ends in the given way. `sending` is ended from outside while it sends. */
int sender(const char* how) {
  send_one(pvm_parent());
  if (strcmp(how, "exit") == 0) exit(0);
  if (strcmp(how, "_exit") == 0) _exit(0);
  if (strcmp(how, "kill") == 0) raise(SIGKILL);
  while (strcmp(how, "sending") == 0) send_one(pvm_parent());
  return 0;
}

/* Returns the KiB that the machine's shared memory takes. */
static long shared_kib(void) {
  DIR* const folder = opendir("/proc/self/fd");
  long kib = -1;
  for (const struct dirent* entry; (entry = readdir(folder)) != NULL;) {
    char path[300], target[300];
    struct stat file;
    snprintf(path, sizeof path, "/proc/self/fd/%s", entry->d_name);
    const ssize_t length = readlink(path, target, sizeof target - 1);
    if (length <= 0) continue;
    target[length] = 0;
    if (strstr(target, "memfd:tutti") != NULL && stat(path, &file) == 0) kib = file.st_blocks / 2;
  }
  closedir(folder);
  return kib;
}

/* The supervisor may be late to notice an end, but not for ever. */
static long shared_kib_in_the_end(void) {
  for (int i = 0; i < 500 && shared_kib() > most_kib; ++i) {
    pvm_nrecv(-1, tag_bytes); /* parts from tasks that have ended */
    usleep(10000);
  }
  return shared_kib();
}

static void one_round(const char* self, char* how) {
  int tids[batch], gone = 0;
  char* arguments[] = {(char*)"task", (char*)"sender", how, NULL};
  if (pvm_spawn((char*)self, arguments, PvmTaskDefault, (char*)"", batch, tids) != batch) {
    printf("tasks are not started: %d\n", tids[batch - 1]);
    exit(1);
  }
  pvm_notify(PvmTaskExit, tag_gone, batch, tids);
  for (int i = 0; i < batch; ++i) pvm_recv(tids[i], tag_bytes);
  for (int i = 0; strcmp(how, "sending") == 0 && i < batch; ++i) pvm_sendsig(tids[i], SIGKILL);
  while (gone < batch) {
    if (pvm_nrecv(-1, tag_gone) > 0) ++gone;
    while (pvm_nrecv(-1, tag_bytes) > 0) continue;
    usleep(1000);
  }
  while (pvm_nrecv(-1, tag_bytes) > 0) continue;
}

void leftovers(const char* self, const char* how) {
  for (int i = 0; i < rounds; ++i) one_round(self, (char*)how);
  const long kib = shared_kib_in_the_end();
  if (kib > most_kib) {
    printf("%s: %ld KiB are left\n", how, kib);
  } else {
    printf("%s: all is given back\n", how);
  }
}
