// SPDX-License-Identifier: BSD-3-Clause
// The keeper is the first task of a machine that `tutti pvm` makes. It is asked to end it by a message in a context that
// no program has.
#include "keeper.hpp"

#include <pvm3.h>
#include <tutti/tutti_runtime.h>
#include <unistd.h>

#include "console.hpp"

namespace tutti::pvm::console {
namespace {

constexpr int context = 0x7fffffff, tag_halt = 1, first_place = 1;

}  // namespace

// The lowest bits of an identifier are the place of a task, counted from 1.
bool is_keeper(int tid) {
  return (tid & 0x7ff) == first_place;
}

bool ask_keeper_to_halt() {
  int count = 0;
  pvmtaskinfo* tasks = nullptr;
  if (pvm_tasks(0, &count, &tasks) != PvmOk) return false;
  int keeper = 0;
  for (int i = 0; i < count; ++i) {
    if (is_keeper(tasks[i].ti_tid)) keeper = tasks[i].ti_tid;
  }
  if (keeper == 0) return false;
  pvm_setcontext(context);
  pvm_initsend(PvmDataDefault);
  return pvm_send(keeper, tag_halt) == PvmOk;
}

// Who asks is to leave in good order before everything ends.
int keep() {
  constexpr useconds_t look = 5000;
  constexpr int most_looks = 200;
  if (pvm_mytid() < 0) return 1;
  pvm_setcontext(context);
  const int message = pvm_recv(-1, tag_halt);
  int bytes = 0, tag = 0, asker = 0;
  pvm_bufinfo(message, &bytes, &tag, &asker);
  for (int i = 0; i < most_looks && pvm_pstat(asker) == PvmOk; ++i) ::usleep(look);
  tutti_abort(1, "the machine was halted");
  return 1;
}

}  // namespace tutti::pvm::console
