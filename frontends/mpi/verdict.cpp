// SPDX-License-Identifier: BSD-3-Clause
// Collects what the file of the verdict says (verdict.hpp).
#include "verdict.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <map>
#include <string>

#include "clock.hpp"
#include "comparison.hpp"
#include "facts.hpp"
#include "library.hpp"
#include "record_file.hpp"

extern char** environ;

namespace tutti::mpi {
namespace {

// The file that the user names, or one in memory that other processes can read. Rank 0 has it.
struct OpenFile {
  std::FILE* file = nullptr;
  std::string name;
};
OpenFile opened;
ProcessFacts facts;
std::string load[3];  // of rank 0, see JobRecord

std::string setting_of(const char* variable) {
  char text[4096] = "";
  library.setting_text(variable, text, sizeof text);
  return text;
}

// Returns the part of a file of /proc that counts, with blanks for zeros.
std::string read_start(const char* name, std::size_t most) {
  std::string text(most, ' ');
  const int descriptor = library.raise_descriptor(::open(name, O_RDONLY | O_CLOEXEC));
  if (descriptor < 0) return {};
  const ssize_t got = ::read(descriptor, text.data(), text.size());
  ::close(descriptor);
  text.resize(got < 0 ? 0 : static_cast<std::size_t>(got));
  std::replace(text.begin(), text.end(), '\0', ' ');
  return text;
}

// The first line is that of all processors together.
std::string load_now() {
  const std::string text = read_start("/proc/stat", 512);
  return text.substr(0, text.find('\n'));
}

std::string command_line() {
  std::string text = read_start("/proc/self/cmdline", 256);
  while (!text.empty() && text.back() == ' ') text.pop_back();
  return text;
}

std::string host_name() {
  char name[256] = "";
  return ::gethostname(name, sizeof name - 1) == 0 ? name : "?";
}

constexpr std::uint64_t python_line = std::uint64_t{1} << 63;  // of tutti_call_site

// Returns text that all processes have for the same place, such as "/home/ann/cg+0x1234".
std::string place_key(std::uint64_t site) {
  char text[512] = "";
  if ((site & python_line) != 0) {
    library.call_site_text(site, text, sizeof text);
    return text;
  }
  Dl_info info{};
  if (::dladdr(reinterpret_cast<const void*>(site - 1), &info) == 0 || info.dli_fname == nullptr)
    return "?";
  const auto base = reinterpret_cast<std::uintptr_t>(info.dli_fbase);
  std::snprintf(text, sizeof text, "%s+%#jx", info.dli_fname,
                static_cast<std::uintmax_t>(site - base));
  return text;
}

ProcessReport own_report() {
  ProcessReport report;
  report.host = host_name();
  report.facts = facts;
  report.mask = record().mask();
  report.samples = record().samples();
  for (const KindSums& sums : record().kinds())
    report.kinds.push_back({sums, place_key(sums.kind.site), sums.why == nullptr ? "" : sums.why});
  return report;
}

// The place of a site in a file that rank 0 has loaded, too, which lies elsewhere there.
using LoadedAt = std::map<std::string, std::uintptr_t>;
LoadedAt loaded_files() {
  LoadedAt files;
  for (const KindSums& sums : record().kinds()) {
    Dl_info info{};
    if ((sums.kind.site & python_line) == 0 &&
        ::dladdr(reinterpret_cast<const void*>(sums.kind.site - 1), &info) != 0 &&
        info.dli_fname != nullptr)
      files[info.dli_fname] = reinterpret_cast<std::uintptr_t>(info.dli_fbase);
  }
  return files;
}

// Returns words for the key of a place, as rank 0 knows them; the key itself if it does not.
std::string words_for(const std::string& key, const LoadedAt& files) {
  const auto plus = key.rfind("+0x");
  const auto file = files.find(key.substr(0, plus));
  if (plus == std::string::npos || file == files.end()) return key;
  char text[512] = "";
  const std::uint64_t offset = std::strtoull(key.c_str() + plus + 1, nullptr, 16);
  library.call_site_text(file->second + offset, text, sizeof text);
  return text;
}

// Puts words in the place of keys.
void say_places(std::vector<ProcessReport>& reports) {
  const LoadedAt files = loaded_files();
  std::map<std::string, std::string> words;
  for (ProcessReport& report : reports) {
    for (NamedKind& kind : report.kinds) {
      std::string& text = words[kind.place];
      if (text.empty()) text = words_for(kind.place, files);
      kind.place = text;
    }
  }
}

void send_number(std::int64_t number, int to, MPI_Comm comm) {
  std::int64_t none = 0;
  plain.Sendrecv(&number, sizeof number, MPI_BYTE, to, 0, &none, 0, MPI_BYTE, MPI_PROC_NULL, 0,
                 comm, MPI_STATUS_IGNORE);
}
void receive_number(std::int64_t& number, int from, MPI_Comm comm) {
  std::int64_t none = 0;
  plain.Sendrecv(&none, 0, MPI_BYTE, MPI_PROC_NULL, 0, &number, sizeof number, MPI_BYTE, from, 0,
                 comm, MPI_STATUS_IGNORE);
}

// Returns how many ns the clock of `other` is ahead of that of rank 0, by the quickest of some
// messages there and back. Called by these two. The result counts on rank 0.
std::int64_t clock_ahead(int rank, int other, MPI_Comm comm) {
  constexpr int turns = 16;
  std::int64_t quickest = INT64_MAX, ahead = 0;
  for (int turn = 0; turn < turns; ++turn) {
    std::int64_t time = 0;
    if (rank != 0) {
      receive_number(time, 0, comm);
      time = nanoseconds_now();
      send_number(time, 0, comm);
      continue;
    }
    const std::int64_t before = nanoseconds_now();
    send_number(time, other, comm);
    receive_number(time, other, comm);
    const std::int64_t after = nanoseconds_now();
    if (after - before >= quickest) continue;
    quickest = after - before;
    ahead = time - before - quickest / 2;
  }
  return ahead;
}

// Stores on rank 0 how far the clocks of other hosts are ahead.
void compare_clocks(std::vector<ProcessReport>& reports) {
  int rank = 0, processes = 1;
  plain.Comm_rank(MPI_COMM_WORLD, &rank);
  plain.Comm_size(MPI_COMM_WORLD, &processes);
  std::vector<int> differs(static_cast<std::size_t>(processes));
  for (std::size_t i = 0; i < reports.size(); ++i)
    differs[i] = reports[i].host != reports[0].host ? 1 : 0;
  plain.Bcast(differs.data(), processes, MPI_INT, 0, MPI_COMM_WORLD);
  MPI_Comm comm{};
  plain.Comm_dup(MPI_COMM_WORLD, &comm);
  for (int other = 1; other < processes; ++other) {
    if (differs[static_cast<std::size_t>(other)] == 0 || (rank != 0 && rank != other)) continue;
    const std::int64_t ahead = clock_ahead(rank, other, comm);
    if (rank == 0) reports[static_cast<std::size_t>(other)].facts.ahead = ahead;
  }
  plain.Comm_free(&comm);
}

// Opens the file, at the beginning, so that nobody computes for hours before a name is refused.
void open_file() {
  opened.name = setting_of("TUTTI_MPI_VERDICT");
  const bool is_kept = !opened.name.empty() && opened.name != "1" && opened.name != "0";
  const int descriptor = library.raise_descriptor(
      is_kept ? ::open(opened.name.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666)
              : ::memfd_create("tutti-verdict", MFD_CLOEXEC));
  if (!is_kept)
    opened.name = "/proc/" + std::to_string(::getpid()) + "/fd/" + std::to_string(descriptor);
  if (descriptor >= 0) opened.file = ::fdopen(descriptor, "w");
  if (opened.file != nullptr) return;
  std::fprintf(stderr, "tutti: the verdict cannot be written to %s\n", opened.name.c_str());
  plain.Comm_call_errhandler(MPI_COMM_WORLD, MPI_ERR_OTHER);
}

std::string command() {
  const std::string named = setting_of("TUTTI_MPI_COMMAND");
  return named.empty() ? "tutti" : named;
}

// Has the command print its text of the file on stderr. Returns false if it could not.
bool print_text(const std::string& name) {
  std::string program = command(), verb = "verdict", file = name;
  char* words[] = {program.data(), verb.data(), file.data(), nullptr};
  posix_spawn_file_actions_t actions;
  pid_t child = 0;
  if (::posix_spawn_file_actions_init(&actions) != 0) return false;
  const bool started =
      ::posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO) == 0 &&
      ::posix_spawnp(&child, program.c_str(), &actions, nullptr, words, environ) == 0;
  // Failure is harmless: the actions are memory of this process.
  (void)::posix_spawn_file_actions_destroy(&actions);
  int status = -1;
  while (started && ::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return started && status == 0;
}

bool write_and_print(const JobRecord& all) {
  if (opened.file == nullptr) return false;  // a line has said so
  write_record(opened.file, all);
  bool written = std::fflush(opened.file) == 0 && std::ferror(opened.file) == 0;
  if (written && !print_text(opened.name)) {
    std::fprintf(stderr, "tutti: there is no verdict, because the command %s could not print it\n",
                 command().c_str());
  }
  written = std::fclose(opened.file) == 0 && written;
  if (!written)
    std::fprintf(stderr, "tutti: the verdict is lost: %s cannot be written\n", opened.name.c_str());
  return written;
}

}  // namespace

void note_joining() {
  facts.joining = nanoseconds_now();
}

// All samples of a job of up to 1024 ranks are at most 256 Ki.
void begin_verdict(int rank) {
  if (!job.verdict) return;
  constexpr int of_all = 1 << 18, fewest = 256, most = 1 << 16;
  int processes = 1;
  plain.Comm_size(MPI_COMM_WORLD, &processes);
  record().keep_samples(static_cast<std::size_t>(std::clamp(of_all / processes, fewest, most)));
  if (rank == 0) {
    open_file();
    load[0] = load_now();
  }
  facts.begun = moment_now();
}

void end_record() {
  facts.ended = moment_now();
  recording = false;
  if (job.verdict && !load[0].empty()) load[1] = load_now();
}

bool give_verdict() {
  if (!job.verdict) return true;
  JobRecord all;
  all.program = command_line();
  all.mpi = job.flavour;
  all.compares = job.compares;
  all.processors = static_cast<int>(::sysconf(_SC_NPROCESSORS_ONLN));
  if (job.compares) all.compared = compare_calls();
  facts.compared = moment_now();
  if (!load[0].empty()) load[2] = load_now();
  std::copy(std::begin(load), std::end(load), std::begin(all.load));
  all.reports = gather_reports(own_report());
  compare_clocks(all.reports);
  if (all.reports.empty()) return true;
  say_places(all.reports);
  return write_and_print(all);
}

}  // namespace tutti::mpi
