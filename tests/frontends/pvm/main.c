/* SPDX-License-Identifier: BSD-3-Clause
 * Runs the section that the first argument names. Tasks that sections start have the arguments
 * `task` and a word. */
#include "report.h"

static int be_task(const char* word, int argc, char** argv) {
  /* In the real PVM, the output of tasks goes elsewhere, so tasks print nothing here. */
  if (freopen("/dev/null", "w", stdout) == NULL) return 1;
  if (strcmp(word, "answer") == 0) answer(argc);
  if (strcmp(word, "relay") == 0) relay();
  if (strcmp(word, "servant") == 0) servant();
  if (strcmp(word, "member") == 0) member(0);
  if (strcmp(word, "wide") == 0) member(1);
  if (strcmp(word, "runner") == 0) runner();
  if (strcmp(word, "victim") == 0 && argc > 3) victim(atoi(argv[3]));
  if (strcmp(word, "remote_member") == 0 && argc > 3) remote_member(atoi(argv[3]));
  if (strcmp(word, "helper") == 0) helper();
  if (strcmp(word, "batch") == 0 && argc > 3) batch_member(atoi(argv[3]));
  if (strcmp(word, "sender") == 0 && argc > 3) return sender(argv[3]);
  return 1;
}

int main(int argc, char** argv) {
  const char* section = argc > 1 ? argv[1] : "";
  setvbuf(stdout, NULL, _IOLBF, 0);
  pvm_mytid();
  pvm_setopt(PvmAutoErr, 0);
  if (strcmp(section, "task") == 0 && argc > 2) return be_task(argv[2], argc, argv);
  if (strcmp(section, "buffers") == 0) buffers();
  if (strcmp(section, "messages") == 0) messages();
  if (strcmp(section, "contexts") == 0) contexts();
  if (strcmp(section, "mailbox") == 0) mailbox();
  if (strcmp(section, "tasks") == 0) tasks(argv[0]);
  if (strcmp(section, "crowd") == 0) crowd(argv[0]);
  if (strcmp(section, "instances") == 0) instances(argv[0]);
  if (strcmp(section, "names") == 0) many_names();
  if (strcmp(section, "meetings") == 0) meetings(argv[0]);
  if (strcmp(section, "frozen") == 0) frozen(argv[0]);
  if (strcmp(section, "data") == 0) data(argv[0], "member");
  if (strcmp(section, "wide") == 0) data(argv[0], "wide");
  if (strcmp(section, "back_to_back") == 0) back_to_back(argv[0]);
  if (strcmp(section, "deaths") == 0) deaths(argv[0]);
  if (strcmp(section, "lost_member") == 0) lost_member(argv[0]);
  if (strcmp(section, "console") == 0 && argc > 2) console(argv[2]);
  if (strcmp(section, "chance") == 0)
    chance(argv[0], argc > 2 ? atoi(argv[2]) : 1, argc > 3 ? atoi(argv[3]) : 500);
  if (strcmp(section, "leftovers") == 0 && argc > 2) leftovers(argv[0], argv[2]);
  if (strcmp(section, "churn") == 0 && argc > 3) churn(argv[0], atoi(argv[2]), atoi(argv[3]));
  pvm_exit();
  return 0;
}
