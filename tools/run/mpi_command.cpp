// SPDX-License-Identifier: BSD-3-Clause
// `tutti mpi program args...` replaces itself by a program of an MPI, whose collectives tutti
// serves. It stands behind the launcher of that MPI.
#include <fmt/ranges.h>

#include <cstdlib>
#include <memory>

#include "base/environment.hpp"
#include "commands.hpp"
#include "run/preload.hpp"

namespace tutti::tools {
namespace {

constexpr const char* footer =
    "It stands behind the launcher of an MPI: mpirun -n 4 tutti mpi ./program. The program is not "
    "changed or linked again.\n"
    "Everything after the program belongs to the program. --dry-run says what would be done, and "
    "starts nothing. "
    "--compare prints a table of calls at the end, with their times by tutti and by the MPI.\n"
    "TUTTI_EXPLAIN=1 shows who serves which call; TUTTI_MPI_OFF=bcast,alltoall leaves these to the "
    "MPI.\n\n"
    "Exit code: that of the program, 127 when there is no such program, 126 when it cannot be run, "
    "2 when it is refused.";

class Help : public CLI::Formatter {
 public:
  std::string make_usage(const CLI::App*, std::string) const override {
    return "Usage: tutti mpi [--dry-run] [--compare] program [arguments...]\n";
  }
};

struct Wishes {
  bool dry_run = false, compare = false;
};

int become(std::vector<std::string> words, const Wishes& wishes) {
  if (!words.empty() && words.front() == "--") words.erase(words.begin());
  if (words.empty())
    base::fail(base::Status::invalid_argument, "a program is needed; see tutti mpi --help");
  launch::LaunchedProgram program;
  program.executable = words.front();
  program.arguments = words;
  std::string how;
  const LoadedFirst first = preload_for_mpi(program, how);
  if (wishes.compare) (void)::setenv(base::name_of(base::Variable::mpi_compare), "1", 1);
  if (!wishes.dry_run) return become_program("mpi", std::move(words), first);
  fmt::print("{}\nwould start {}\nwith {} in LD_PRELOAD and {} in LD_LIBRARY_PATH\n", how,
             fmt::join(words, " "), first.files.front(), first.folders.front());
  return 0;
}

}  // namespace

void add_mpi(CLI::App& app, int& code) {
  CLI::App* command =
      app.add_subcommand("mpi", "Becomes a program of MPI whose collectives tutti serves.");
  command->formatter(std::make_shared<Help>());
  command->footer(footer);
  command->prefix_command();
  const auto wishes = std::make_shared<Wishes>();
  command->add_flag("--dry-run", wishes->dry_run, "Say what would be done, and start nothing.");
  command->add_flag("--compare", wishes->compare,
                    "At the end, say what the MPI would have taken for the same calls.");
  command->callback([command, wishes, &code] {
    code = reporting_errors("mpi", [&] { return become(command->remaining(), *wishes); });
  });
}

}  // namespace tutti::tools
