// SPDX-License-Identifier: BSD-3-Clause
// Messages of the BLACS, and RoutineCall, which names each call in reports (errors.hpp).
#include "errors.hpp"

#include <tutti/tutti_runtime.h>

#include <cstdio>
#include <cstdlib>

#include "processes.hpp"
#include "pvm_tasks.hpp"
#include "timing.hpp"

namespace tutti::blacs {
namespace {

// A task that PVM has spawned has no process number before SETPVMTIDS gives it one.
std::string who_this_is() {
  const std::string tid = this_process().tasks.id == 0 ? own_tid() : "";
  return tid.empty() ? fmt::format("process number {}", tutti_rank(processes()))
                     : fmt::format("its tid is {}", tid);
}

}  // namespace

RoutineCall::RoutineCall(const char* routine, int context) : routine_(routine), context_(context) {
  if (tutti_enter(routine) != TUTTI_OK) fail_outside(routine, tutti_error_text());
  grid_ = &grid_of_call(routine, context);
}

RoutineCall::~RoutineCall() {
  tutti_leave();
}

void end_job(const std::string& text) {
  give_up_timing();
  tutti_abort(1, text.c_str());
  std::_Exit(1);
}

void print_warning(const std::string& text) {
  std::fprintf(stderr, "BLACS warning: %s\n", text.c_str());
}

void fail_outside(const char* routine, const std::string& text) {
  join_early();  // so that the others end, too, and one message is enough
  // After the exit call there is no job, and so no process number.
  end_job(tutti_initialized() == 0 ? fmt::format("{}: {}", routine, text)
                                   : fmt::format("{}: {}; {}", routine, text, who_this_is()));
}

void check(const RoutineCall& call, tutti_status status) {
  if (status != TUTTI_OK) fail(call, "{}", tutti_error_text());
}

}  // namespace tutti::blacs
