// SPDX-License-Identifier: BSD-3-Clause
// `tutti mpi program args...` replaces itself by a program of an MPI, whose collectives tutti
// serves. It stands behind the launcher of that MPI.
#include <fmt/ranges.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <memory>

#include "base/environment.hpp"
#include "base/notice.hpp"
#include "commands.hpp"
#include "run/linkage.hpp"
#include "run/preload.hpp"

namespace tutti::tools {
namespace {

constexpr const char* mpi_footer =
    "It stands behind the launcher of an MPI: mpirun -n 4 tutti mpi ./program. The program is not "
    "changed or linked again.\n"
    "Everything after the program belongs to the program. --dry-run says what would be done, and "
    "starts nothing. "
    "--verdict says at the end what the collectives cost and whether tutti can help; with "
    "--compare "
    "also what the MPI would have taken.\n"
    "TUTTI_EXPLAIN=1 shows who serves which call; TUTTI_MPI_OFF=bcast,alltoall leaves these to the "
    "MPI, TUTTI_MPI_OFF=all everything.\n\n"
    "Exit code: that of the program, 127 when there is no such program, 126 when it cannot be run, "
    "2 when it is refused.";

constexpr const char* mpi_usage =
    "Usage: tutti mpi [--dry-run] [--verdict[=FILE]] [--compare] [--] program [arguments...]\n";

struct Wishes {
  bool dry_run = false, compare = false;
  std::string verdict;  // empty: none, 1: one on stderr, else a file
};

// Says once for all processes that tutti will serve nothing. The launcher is that of another MPI,
// or there is none, or it starts one process and the user asks who serves the calls. srun starts
// programs of all MPIs.
void say_if_alone(const FoundMpi& found) {
  if (base::mpi_launcher_rank().value_or(0) != 0 || base::other_launcher()) return;
  const auto launcher = base::mpi_launcher();
  const bool asks = base::text(base::Variable::explain) != "0" ||
                    base::flag(base::Variable::mpi_compare) ||
                    base::text(base::Variable::mpi_verdict).has_value();
  if (!launcher) {
    base::notice(
        "tutti mpi: nobody has launched this process with others, so the MPI serves all its calls; "
        "mpirun -n 4 tutti mpi ./program starts four\n");
  } else if (launcher->size == 1) {
    if (asks) base::notice("tutti mpi: this process is alone, so the MPI serves all its calls\n");
  } else if (const std::string reason = wrong_launcher(found); !reason.empty()) {
    base::notice("tutti mpi: {}\n", reason);
  }
}

bool is_launcher(const std::string& word) {
  const std::string name = std::filesystem::path(word).filename().string();
  return name.starts_with("mpirun") || name.starts_with("mpiexec") || name == "srun";
}

// Says that there is no such program, and returns the exit code of a shell for that.
int no_such_program(const std::string& word) {
  const bool is_here = word.find('/') == std::string::npos && std::filesystem::exists(word);
  base::notice("tutti mpi: there is no program '{}'{}\n", word,
               is_here ? fmt::format(" in PATH; for the one in this folder write ./{}", word) : "");
  return program_not_found;
}

// Says that this is no program, and returns the exit code of a shell for that.
int cannot_be_run(const std::string& word) {
  base::notice("tutti mpi: {} cannot be run: it is no file that may be executed\n", word);
  return program_not_to_be_run;
}

void set(base::Variable variable, const std::string& value) {
  if (::setenv(base::name_of(variable), value.c_str(), 1) != 0)
    base::fail_errno("setting a variable for the program");
}

// The program makes its verdict by this command. Its folder may be another one at the end.
void tell_program(const Wishes& wishes) {
  if (wishes.compare) set(base::Variable::mpi_compare, "1");
  const bool has_file = !wishes.verdict.empty() && wishes.verdict != "1";
  if (!wishes.verdict.empty()) {
    set(base::Variable::mpi_verdict,
        has_file ? std::filesystem::absolute(wishes.verdict).string() : wishes.verdict);
  }
  set(base::Variable::mpi_command, std::filesystem::read_symlink("/proc/self/exe").string());
}

int become(std::vector<std::string> words, const Wishes& wishes) {
  if (!words.empty() && words.front() == "--") words.erase(words.begin());
  if (words.empty())
    base::fail(base::Status::invalid_argument, "a program is needed; see tutti mpi --help");
  launch::LaunchedProgram program;
  program.executable = words.front();
  program.arguments = words;
  if (is_launcher(words.front()))
    base::fail(base::Status::invalid_argument,
               "write tutti mpi behind {0}: {0} -n 4 tutti mpi ./program", words.front());
  if (base::text(base::Variable::job)) {
    base::fail(base::Status::invalid_argument,
               "tutti run starts no job of an MPI; write mpirun -n {} tutti mpi {}",
               base::text(base::Variable::size).value_or("4"), words.front());
  }
  const std::string file = program_file(program);
  if (file.empty() || !std::filesystem::exists(file)) return no_such_program(words.front());
  if (!std::filesystem::is_regular_file(file) || ::access(file.c_str(), X_OK) != 0)
    return cannot_be_run(words.front());
  FoundMpi found;
  const LoadedFirst first = preload_for_mpi(program, found);
  tell_program(wishes);
  say_if_alone(found);
  if (!wishes.dry_run) return become_program("mpi", std::move(words), first);
  fmt::print(
      "the MPI is {}, because {}\nwould start {}\nwith {} in LD_PRELOAD and {} in "
      "LD_LIBRARY_PATH\n",
      found.flavour, found.how, fmt::join(words, " "), fmt::join(first.files, ":"),
      first.folders.front());
  return 0;
}

}  // namespace

void add_mpi(CLI::App& app, const std::vector<std::string>& words, int& code) {
  CLI::App* command =
      app.add_subcommand("mpi", "Becomes a program of MPI whose collectives tutti serves.");
  command->formatter(std::make_shared<UsageFormatter>(mpi_usage));
  command->footer(mpi_footer);
  const auto wishes = std::make_shared<Wishes>();
  command->add_flag("--dry-run", wishes->dry_run, "Say what would be done, and start nothing.");
  command->add_flag("--verdict{1}", wishes->verdict,
                    "At the end, say what the collectives cost and whether tutti can help; with "
                    "=FILE, keep the record for tutti verdict.");
  command->add_flag("--compare", wishes->compare,
                    "Like --verdict, and say what the MPI would have taken for the same calls.");
  command->callback([&words, wishes, &code] {
    code = reporting_errors("mpi", [&] { return become(words, *wishes); });
  });
}

}  // namespace tutti::tools
