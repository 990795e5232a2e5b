// SPDX-License-Identifier: BSD-3-Clause
// Start and end of a program of BLACS 1.0 (grids.hpp).
#include <tutti/tutti_runtime.h>

#include "errors.hpp"
#include "grids.hpp"
#include "processes.hpp"
#include "state.hpp"

namespace tutti::blacs {

void set_up(int* number, int count) {
  constexpr const char* routine = "auxsetup";
  start_processes(routine, count);
  *number = tutti_rank(processes());
}

void exit_blacs(int go_on) {
  constexpr const char* routine = "blacsexit";
  // pvm_exit may have left the job.
  if (!this_process().joined || tutti_initialized() == 0) return;
  end_grid(routine);
  free_buffers();
  if (go_on == 0) leave(routine);
}

void free_buffers() {
  constexpr const char* routine = "freebuff";
  join(routine);
  check_outside(routine, tutti_mail_release, 0);
}

}  // namespace tutti::blacs
