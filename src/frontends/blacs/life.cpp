// SPDX-License-Identifier: BSD-3-Clause
// Start and end of a program (pinfo, setup, exit, abort), and barrier and freebuff (grids.hpp).
#include <tutti/tutti_runtime.h>

#include "arguments.hpp"
#include "communicators.hpp"
#include "errors.hpp"
#include "grids.hpp"

namespace tutti::blacs {

// A program started by hand is told NPROCS < 1, which means that there is no machine yet, so that
// it calls blacs_setup. A program that does not call it continues as one process.
void pinfo(int* number, int* count) {
  join("blacs_pinfo");
  *number = tutti_rank(tutti_world());
  *count = state().machine_set ? tutti_size(tutti_world()) : -1;
}

void setup(int* number, int* count) {
  constexpr const char* routine = "blacs_setup";
  join(routine);
  if (!state().machine_set) {
    if (*count < 1)
      fail_outside(routine,
                   fmt::format("argument 'NPROCS' is {}, but a machine needs 1 or more", *count));
    if (*count > 1) check_outside(routine, tutti_spawn_world, *count);
    state().machine_set = true;
  }
  pinfo(number, count);
}

void barrier(int context, const char* scope) {
  const RoutineCall call("blacs_barrier", context);
  check(call, tutti_barrier(scope_of(call, scope).group));
}

void abort_job(int context, int error) {
  const Grid* grid = find_grid(context);
  const int place = tutti_initialized() == 0 ? -1 : tutti_rank(tutti_world());
  const std::string who = grid != nullptr
                              ? fmt::format("process {{{},{}}} of context {} (process number {})",
                                            grid->my_row, grid->my_column, context, place)
                              : fmt::format("process number {}", place);
  const std::string text =
      fmt::format("blacs_abort: {} ended the job with error number {}", who, error);
  // The shell sees only the low eight bits, and an abort must not look like a success.
  const int code = error & 0xff;
  tutti_abort(code != 0 ? code : 1, text.c_str());
  std::_Exit(code != 0 ? code : 1);
}

void exit_blacs(int not_done) {
  BlacsState& s = state();
  if (!s.joined) {
    if (not_done == 0) end_mpi();
    return;
  }
  for (std::size_t i = 0; i < s.contexts.size(); ++i) {
    if (s.contexts[i] != nullptr) grid_exit(static_cast<int>(i));
  }
  s.contexts.clear();
  s.free_contexts.clear();
  s.systems.clear();
  if (not_done != 0) return;
  end_communicators();
  check_outside("blacs_exit", tutti_finalize);
  s.joined = false;
  s.ended = true;
  end_mpi();
}

void free_buffers(int context, int wait) {
  const RoutineCall call("blacs_freebuff", context);
  check(call, tutti_mail_release(wait));
}

}  // namespace tutti::blacs
