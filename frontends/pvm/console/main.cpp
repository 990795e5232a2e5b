// SPDX-License-Identifier: BSD-3-Clause
// The program of the console, which `tutti pvm` starts for a machine, and of the machine's keeper.
// The keeper is the first task of a machine that `tutti pvm` makes. An entry of the message mailbox
// names it. A message in a context that no program uses asks it to end the machine.
#include <pvm3.h>
#include <tutti/tutti_runtime.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>
#include <system_error>
#include <utility>

#include "console.hpp"

namespace tutti::pvm::console {
namespace {

constexpr int context = 0x7fffffff, tag_halt = 1;
char mailbox[] = "tutti.keeper";
// A wait takes at most five seconds: 1000 looks that are 5000 microseconds apart.
constexpr useconds_t look = 5000;
constexpr int most_looks = 1000;

// `tutti pvm start` holds the other end of the keeper's standard input and waits for this word, or
// for the end of the keeper.
bool say_ready() {
  constexpr char ready[] = "ready";
  ssize_t written = 0;
  do written = ::write(STDIN_FILENO, ready, sizeof ready - 1);
  while (written < 0 && errno == EINTR);
  if (written < 0)
    std::fprintf(stderr, "tutti pvm: the keeper cannot say that it is ready: %s\n",
                 std::strerror(errno));
  ::close(STDIN_FILENO);
  tutti_open_missing_stdio();
  return written > 0;
}

}  // namespace

int keeper() {
  int tid = 0;
  return pvm_recvinfo(mailbox, 0, PvmMboxDefault) > 0 && pvm_upkint(&tid, 1, 1) == PvmOk ? tid : 0;
}

bool ask_keeper_to_halt() {
  const int tid = keeper();
  if (tid == 0) return false;
  pvm_setcontext(context);
  pvm_initsend(PvmDataDefault);
  return pvm_send(tid, tag_halt) == PvmOk;
}

// The task that asked leaves the machine before the keeper ends everything.
int keep() {
  int tid = pvm_mytid();
  if (tid < 0) return 1;
  pvm_initsend(PvmDataDefault);
  pvm_pkint(&tid, 1, 1);
  if (pvm_putinfo(mailbox, pvm_getsbuf(), PvmMboxDefault) < 0) return 1;
  if (!say_ready()) return 1;
  pvm_setopt(PvmAutoErr, 0);
  pvm_setcontext(context);
  const int message = pvm_recv(-1, tag_halt);
  int bytes = 0, tag = 0, asker = 0;
  pvm_bufinfo(message, &bytes, &tag, &asker);
  for (int i = 0; i < most_looks && pvm_pstat(asker) == PvmOk; ++i) ::usleep(look);
  tutti_abort(1, "the machine was halted");
  return 1;
}

}  // namespace tutti::pvm::console

using namespace tutti::pvm::console;

namespace {

// Returns `code`; 1, after a message, if it is 0 but something that was printed is lost.
int after_output(int code) {
  const bool written = std::fflush(stdout) == 0 && std::ferror(stdout) == 0;
  if (written || code != 0) return code;
  std::fprintf(stderr, "tutti pvm: the output cannot be written: %s\n", std::strerror(errno));
  return 1;
}

// A console is never the first process of a machine. If it is, the machine that `tutti pvm` has
// seen has ended since then, or cannot be seen any more.
bool join_machine() {
  std::string name(tutti_setting_text("TUTTI_PVM_MACHINE", nullptr, 0) + 1, '\0');
  tutti_setting_text("TUTTI_PVM_MACHINE", name.data(), name.size());
  constexpr int make = 0;
  if (tutti_init_in_machine(name.c_str(), make) != TUTTI_OK) {
    std::fprintf(stderr, "tutti pvm: %s\n", tutti_error_text());
    return false;
  }
  if (tutti_endpoint(tutti_world(), 0) == 0) {
    std::fprintf(stderr, "tutti pvm: the machine cannot be joined\n");
    return false;
  }
  return pvm_mytid() >= 0;
}

int serve(Words words) {
  if (words.size() == 1 && words.front() == "--keep") return keep();
  if (words.size() == 1 && words.front() == "help") return obey(std::move(words));
  if (!join_machine()) return 1;
  pvm_setopt(PvmAutoErr, 0);
  const int code = words.empty() ? converse() : obey(std::move(words));
  pvm_exit();
  return code;
}

}  // namespace

// fmt::print throws where stdout is closed or full.
int main(int argc, char** argv) {
  tutti_open_missing_stdio();
  try {
    return after_output(serve(Words(argv + 1, argv + argc)));
  } catch (const std::system_error& error) {
    std::fprintf(stderr, "tutti pvm: the output cannot be written: %s\n", error.what());
    return 1;
  }
}
