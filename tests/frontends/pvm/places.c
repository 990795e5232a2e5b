/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Starts the tasks that its arguments name, each of which is a copy of this program, and prints
 * which of them have answered. Also asks what the machine says about the removal of hosts.
 */
#include <pvm3.h>
#include <stdio.h>
#include <unistd.h>

static int removal(char* name) {
  int info = 1;
  return pvm_delhosts(&name, 1, &info) == 0 ? info : 1;
}

static int serve(void) {
  pvm_initsend(PvmDataDefault);
  return pvm_send(pvm_parent(), 5) == PvmOk && pvm_exit() == PvmOk ? 0 : 1;
}

int main(int argc, char** argv) {
  if (pvm_parent() > 0) return serve();
  pvm_setopt(PvmAutoErr, 0);
  for (int i = 1; i < argc; i++) {
    int tid;
    if (pvm_spawn(argv[i], NULL, PvmTaskDefault, "", 1, &tid) == 1) {
      pvm_recv(tid, 5);
      printf("%s: started\n", argv[i]);
    } else {
      printf("%s: %d\n", argv[i], tid);
    }
  }
  char host[256] = "";
  gethostname(host, sizeof host - 1);
  printf("own host: %d, another: %d\n", removal(host), removal("nowhere.example"));
  const int buffer = pvm_initsend(PvmDataDefault);
  const int code = pvm_setmwid(buffer, 12);
  printf("wait number: %d, %d\n", code, pvm_getmwid(buffer));
  pvm_exit();
  return 0;
}
