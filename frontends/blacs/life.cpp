// SPDX-License-Identifier: BSD-3-Clause
// Start and end of a program (pinfo, setup, exit, abort), and freebuff (grids.hpp).
#include <tutti/tutti_runtime.h>

#include "communicators.hpp"
#include "errors.hpp"
#include "grids.hpp"
#include "processes.hpp"
#include "state.hpp"
#include "timing.hpp"
#include "watch.hpp"

namespace tutti::blacs {

void pinfo(int* number, int* count) {
  tell_processes("blacs_pinfo", number, count);
}

void setup(int* number, int* count) {
  start_processes("blacs_setup", *count);
  pinfo(number, count);
}

void abort_job(int context, int error) {
  const Grid* grid = find_grid(context);
  const int place = tutti_initialized() == 0 ? -1 : tutti_rank(processes());
  const std::string who = grid != nullptr
                              ? fmt::format("process {{{},{}}} of context {} (process number {})",
                                            grid->my_row, grid->my_column, context, place)
                              : fmt::format("process number {}", place);
  give_up_timing();
  const std::string text =
      fmt::format("blacs_abort: {} ended the job with error number {}", who, error);
  // The shell sees only the low eight bits, and an abort must not look like a success.
  const int code = error & 0xff;
  tutti_abort(code != 0 ? code : 1, text.c_str());
  std::_Exit(code != 0 ? code : 1);
}

void exit_blacs(int not_done) {
  BlacsState& s = state();
  // pvm_exit may have left the job.
  if (!this_process().joined || tutti_initialized() == 0) {
    if (not_done == 0 && !this_process().ended) end_mpi();
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
  leave("blacs_exit", finalize_with_mpi);
  if (tutti_initialized() != 0) end_mpi();  // it has left a virtual machine only
}

void free_buffers(int context, int wait) {
  const RoutineCall call("blacs_freebuff", context);
  const auto intent = [&] { return Intent{Deed::flush, &call.grid().all}; };
  watched(call, intent, [&] { check(call, tutti_mail_release(wait)); });
}

}  // namespace tutti::blacs
