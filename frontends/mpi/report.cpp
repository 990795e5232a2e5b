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

#include "clock.hpp"
#include "comparison.hpp"
#include "library.hpp"

namespace tutti::mpi {

constinit bool reports = false;
constinit std::int64_t opened_objects = 0;

namespace {

CallTally tallies[operation_count];
std::FILE* file = nullptr;
bool explains = false;  // prints a line for each place whose calls the MPI serves
std::mutex mutex;       // threads may report at the same time

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

// Ends the row of an operation with the times that its calls take when they are made again.
void print_compared(MpiOperation operation) {
  const ComparedTimes times = compared_times(operation);
  if (times.ours > 0) {
    std::fprintf(file, " %12.9f %12.9f %7.2f", times.ours, times.theirs, times.ours / times.theirs);
  }
  std::fprintf(file, "\n");
}

}  // namespace

void CountedCall::begin() {
  begun_ = nanoseconds_now();
}

void CountedCall::end() const {
  const std::int64_t taken = nanoseconds_now() - begun_;
  const std::lock_guard lock(mutex);
  CallTally& tally = tallies[static_cast<int>(operation_)];
  (theirs_ ? tally.theirs : tally.ours) += 1;
  (theirs_ ? tally.their_nanoseconds : tally.our_nanoseconds) += taken;
}

void CountedCall::explain(const char* reason) {
  theirs_ = true;
  if (!explains) return;
  const std::uint64_t site = library.call_site();
  const std::lock_guard lock(mutex);
  if (!said().emplace(site, reason).second) return;
  char where[512] = "";
  library.call_site_text(site, where, sizeof where);
  std::fprintf(file, "tutti: %s at %s: by the MPI, because %s\n", function_of(operation_), where,
               reason);
  // Failure is harmless: ferror() tells of it when the report is complete.
  std::fflush(file);
}

void set_up_report(int rank) {
  file = file_for(rank);
  explains = file != nullptr;
  if (!explains && job.compares && rank == 0) file = stderr;
  reports = file != nullptr;
}

bool print_report() {
  if (!reports) return true;
  std::fprintf(file, "tutti: collectives of this rank     by tutti           by the MPI%s\n",
               job.compares ? "     tutti's calls again, by turns" : "");
  std::fprintf(file, "tutti:                          calls    seconds    calls    seconds%s\n",
               job.compares ? "        tutti      the MPI   ratio" : "");
  std::int64_t calls = 0, their_calls = 0;
  for (int i = 0; i < operation_count; ++i) {
    const CallTally& tally = tallies[i];
    calls += tally.ours + tally.theirs;
    their_calls += tally.theirs;
    if (tally.ours + tally.theirs == 0) continue;
    std::fprintf(file, "tutti: %-21s %9" PRId64 " %10.6f %8" PRId64 " %10.6f",
                 name_of(static_cast<MpiOperation>(i)), tally.ours, seconds(tally.our_nanoseconds),
                 tally.theirs, seconds(tally.their_nanoseconds));
    print_compared(static_cast<MpiOperation>(i));
  }
  if (job.compares && calls == their_calls)
    std::fprintf(file, "tutti: no call was tutti's, so there is nothing to compare\n");
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
