// SPDX-License-Identifier: BSD-3-Clause
// `tutti spare` is a process that an MPI starts beside the ranks of a job and that can become a
// task.
#include <fmt/format.h>
#include <tutti/tutti_runtime.h>

#include "base/notice.hpp"
#include "commands.hpp"

namespace tutti::tools {
namespace {

constexpr const char* spare_description =
    "Stands by in a job that an MPI has started, to run the tasks of its ranks.";

constexpr const char* spare_footer =
    "mpirun -n 1 PROGRAM : -n 4 tutti spare starts a job of one rank that can have four tasks at a "
    "time: PROGRAM\n"
    "starts them by pvm_spawn or tutti_spawn. The spare processes are no ranks, and end when ranks "
    "and tasks have.";

int stand_by() {
  int code = 0;
  if (tutti_serve_as_spare(&code) == TUTTI_OK) return code;
  base::notice("tutti spare: {}\n", tutti_error_text());
  return usage_error;
}

}  // namespace

void add_spare(CLI::App& app, int& code) {
  CLI::App* command = app.add_subcommand("spare", spare_description);
  command->footer(spare_footer);
  command->callback([&code] { code = stand_by(); });
}

}  // namespace tutti::tools
