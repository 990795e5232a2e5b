// SPDX-License-Identifier: BSD-3-Clause
// Explains why a program could not be run. Asks the program's loader, which starts nothing, for the
// libraries that it does not find.
#include "run/advice.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

#include "commands.hpp"
#include "run/linkage.hpp"
#include "transport/wire/library.hpp"

namespace tutti::tools {
namespace {

// Returns the program of the first rank that ended with the job's exit code, or nullptr if there is
// none.
const launch::LaunchedProgram* failed_program(
    const launch::Outcome& outcome, const std::vector<launch::LaunchedProgram>& programs) {
  std::size_t rank = 0;
  for (const launch::LaunchedProgram& program : programs) {
    for (int left = program.ranks; left > 0 && rank < outcome.ranks.size(); --left) {
      const launch::Ending& ending = outcome.ranks[rank++].ending;
      if (ending.kind == launch::EndingKind::exited && ending.value == outcome.exit_code)
        return &program;
    }
  }
  return nullptr;
}

}  // namespace

std::string advice_on(const launch::Outcome& outcome,
                      const std::vector<launch::LaunchedProgram>& programs) {
  if (outcome.exit_code != program_not_found && outcome.exit_code != program_not_to_be_run)
    return "";
  const launch::LaunchedProgram* const program = failed_program(outcome, programs);
  if (program == nullptr) return "";
  if (outcome.exit_code == program_not_to_be_run) {
    return "a shell or wrapper ends with 126 when it cannot run a command: it is no program, or "
           "chmod +x is missing";
  }
  const auto missing = missing_libraries(program_file(*program), program->setting.environment);
  if (missing.empty()) {
    return "a shell or wrapper ends with 127 when it does not find a command, and the loader when "
           "it does not find a\n"
           "  library; what the rank wrote to standard error says which";
  }
  return fmt::format(
      "'{}' needs {}, which the loader does not find: give the folder with -x "
      "LD_LIBRARY_PATH=FOLDER, or link\n"
      "  with -Wl,-rpath,FOLDER",
      program->executable, fmt::join(missing, ", "));
}

std::string note_on_mpi(const launch::Outcome& outcome,
                        const std::vector<launch::LaunchedProgram>& programs) {
  const auto joined = [](const launch::RankOutcome& rank) { return rank.joined; };
  if (std::ranges::any_of(outcome.ranks, joined)) return "";
  for (const launch::LaunchedProgram& program : programs) {
    if (program.ranks < 2) continue;
    const std::string file = program_file(program);
    const Linkage linkage = linkage_of(file, program.setting.environment, {});
    for (const std::string& path : linkage.libraries()) {
      const std::string library = std::filesystem::path(path).filename().string();
      if (transport::wire::flavour_of_library(library).empty()) continue;
      return fmt::format(
          "{0} is a program of MPI ({1}), and each of its processes was alone; start it with "
          "mpirun -n {2} {0}, or with mpirun -n {2} tutti mpi {0}, where tutti serves its calls",
          program.executable, library, program.ranks);
    }
  }
  return "";
}

}  // namespace tutti::tools
