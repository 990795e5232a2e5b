// SPDX-License-Identifier: BSD-3-Clause
// Writes where TUTTI_EXPLAIN says (report.hpp).
#include "report.hpp"

#include <fcntl.h>

#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <mutex>
#include <set>
#include <string>
#include <utility>

#include "library.hpp"
#include "record.hpp"

namespace tutti::mpi {

constinit std::int64_t opened_objects = 0;

namespace {

std::FILE* file = nullptr;  // nullptr: this process explains nothing
std::mutex mutex;           // threads may report at the same time

// Returns the file that TUTTI_EXPLAIN names for this rank; nullptr if this rank writes nothing.
std::FILE* file_for(int rank) {
  char text[512] = "";
  library.setting_text("TUTTI_EXPLAIN", text, sizeof text);
  std::string name = text;
  const auto place = name.find("%r");
  const bool each_rank = place != std::string::npos;
  if (name.empty() || name == "0" || name == "no" || name == "off") return nullptr;
  if (rank != 0 && !each_rank) return nullptr;
  if (name == "1" || name == "yes" || name == "on") return stderr;
  if (each_rank) name.replace(place, 2, std::to_string(rank));
  const int descriptor = library.raise_descriptor(
      ::open(name.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666));
  return descriptor < 0 ? nullptr : ::fdopen(descriptor, "a");
}

using Said = std::set<std::pair<std::uint64_t, std::string>>;
Said& said() {
  static auto* const all = new Said;
  return *all;
}

double seconds(std::int64_t nanoseconds) {
  return static_cast<double>(nanoseconds) * 1e-9;
}

// Calls of one operation, and the time that they took.
struct CallTally {
  std::int64_t calls = 0, nanoseconds = 0;
};
enum class Server : std::uint8_t { mpi, tutti };
CallTally tally_of(MpiOperation operation, Server server) {
  CallTally sum;
  for (const KindSums& one : record().kinds()) {
    if (one.kind.operation != operation || one.kind.ours != (server == Server::tutti)) continue;
    sum.calls += one.calls;
    sum.nanoseconds += one.nanoseconds;
  }
  return sum;
}

}  // namespace

void say_served_by_mpi(MpiOperation operation, std::uint64_t site, const char* reason) {
  if (file == nullptr) return;
  const std::lock_guard lock(mutex);
  if (!said().emplace(site, reason).second) return;
  char where[512] = "";
  library.call_site_text(site, where, sizeof where);
  std::fprintf(file, "tutti: %s at %s: by the MPI, because %s\n", function_of(operation), where,
               reason);
  // Failure is harmless: ferror() tells of it when the report is complete.
  std::fflush(file);
}

void set_up_report(int rank) {
  file = file_for(rank);
  recording = file != nullptr || job.verdict;
}

bool print_report() {
  if (file == nullptr) return true;
  std::fprintf(file, "tutti: collectives of this rank     by tutti           by the MPI\n");
  std::fprintf(file, "tutti:                          calls    seconds    calls    seconds\n");
  std::int64_t calls = 0;
  for (int i = 0; i < operation_count; ++i) {
    const auto operation = static_cast<MpiOperation>(i);
    const CallTally ours = tally_of(operation, Server::tutti);
    const CallTally theirs = tally_of(operation, Server::mpi);
    calls += ours.calls + theirs.calls;
    if (ours.calls + theirs.calls == 0) continue;
    std::fprintf(file, "tutti: %-21s %9" PRId64 " %10.6f %8" PRId64 " %10.6f\n", name_of(operation),
                 ours.calls, seconds(ours.nanoseconds), theirs.calls, seconds(theirs.nanoseconds));
  }
  if (opened_objects > 0) {
    std::fprintf(file,
                 "tutti: %" PRId64
                 " windows and files were opened; while one is open, waits of tutti let the MPI "
                 "work more often\n",
                 opened_objects);
  }
  if (calls == 0) {
    std::fprintf(file,
                 "tutti: no call has come here: the program has called no collective, or a tool of "
                 "MPI's profiling interface stands in front\n");
  }
  return std::fflush(file) == 0 && std::ferror(file) == 0;
}

}  // namespace tutti::mpi
