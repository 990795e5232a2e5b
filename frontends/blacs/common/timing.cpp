// SPDX-License-Identifier: BSD-3-Clause
// Counts calls, and collects the counts of all processes in memory that they share (timing.hpp).
#include "timing.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <tutti/tutti_runtime.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "errors.hpp"
#include "levels.hpp"
#include "processes.hpp"

namespace tutti::blacs {
namespace {

constexpr std::size_t most_routines = 128;

// The counts of one process, which it stores when it leaves.
struct SharedPart {
  std::atomic<std::uint32_t> complete;
  std::uint32_t routines;
  std::array<Spent, most_routines> spent;
};
// The record of a job that has one host. A part for each process follows it.
struct alignas(SharedPart) SharedTimes {
  std::atomic<std::uint32_t> begun, left;
  [[nodiscard]] SharedPart& part(int process) {
    return reinterpret_cast<SharedPart*>(this + 1)[process];
  }
};

struct Timing {
  std::map<std::string_view, Spent> spent;
  int process = 0, processes = 1;
  SharedTimes* shared = nullptr;  // nullptr if the processes share no memory
  bool begun = false, finished = false;
};
Timing& timing() {
  // Never destroyed, because programs call the BLACS from exit handlers.
  static Timing* const only = new Timing;
  return *only;
}

// Called at the first call that is counted, when the processes are known.
void begin(Timing& mine) {
  mine.begun = true;
  mine.process = tutti_rank(processes());
  mine.processes = tutti_size(processes());
  const std::string name = fmt::format("times in the BLACS of {}", tutti_endpoint(processes(), 0));
  const auto bytes = static_cast<std::int64_t>(
      sizeof(SharedTimes) + static_cast<std::size_t>(mine.processes) * sizeof(SharedPart));
  void* memory = nullptr;
  if (detail::quietly(tutti_record, name.c_str(), bytes, &memory) == TUTTI_OK) {
    mine.shared = static_cast<SharedTimes*>(memory);
    mine.shared->begun.fetch_add(1);
  }
  tutti_add_to_failure_report(
      "the times of the BLACS are written when processes leave, so they are lost or not complete");
}

std::vector<Spent> counts_so_far(const Timing& mine) {
  std::vector<Spent> counts;
  for (const auto& [routine, spent] : mine.spent) counts.push_back(spent);
  counts.resize(std::min(counts.size(), most_routines));
  return counts;
}

std::string file_name() {
  std::string name(tutti_setting_text("TUTTI_BLACS_TIMING_FILE", nullptr, 0), '\0');
  tutti_setting_text("TUTTI_BLACS_TIMING_FILE", name.data(), name.size() + 1);
  return name;
}

// Writes the table to the file of the user, or to stderr.
void write(const Timing& mine, std::span<const TimingTable::Part> parts) {
  const TimingTable table{parts, mine.processes};
  std::string name = file_name();
  if (name.empty()) {
    const std::string text = table_as_text(table);
    std::fwrite(text.data(), 1, text.size(), stderr);
    return;
  }
  const bool json = name.ends_with(".json");
  if (mine.shared == nullptr) name += fmt::format(".{}", mine.process);
  const int descriptor =
      tutti_raise_descriptor(::open(name.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
  std::FILE* const file = descriptor < 0 ? nullptr : ::fdopen(descriptor, "w");
  const std::string text = json ? table_as_json(table) : table_as_text(table);
  const bool written =
      file != nullptr && std::fwrite(text.data(), 1, text.size(), file) == text.size();
  const bool closed = file != nullptr && std::fclose(file) == 0;
  if (!written || !closed)
    print_warning(fmt::format("the times cannot be written to the file '{}'", name));
}

// Writes the counts of all processes that have stored them.
void write_all(const Timing& mine) {
  std::vector<TimingTable::Part> parts;
  for (int process = 0; process < mine.processes; ++process) {
    const SharedPart& part = mine.shared->part(process);
    if (part.complete.load() != 0)
      parts.push_back({process, std::span(part.spent).first(part.routines)});
  }
  write(mine, parts);
}

void store(Timing& mine) {
  const std::vector<Spent> counts = counts_so_far(mine);
  SharedPart& part = mine.shared->part(mine.process);
  std::ranges::copy(counts, part.spent.begin());
  part.routines = static_cast<std::uint32_t>(counts.size());
  part.complete.store(1);
}

// A process that has counted nothing takes part where the table goes to a file. Otherwise the file
// of an earlier run would stay, and look like that of this one.
void take_part_in_file(Timing& mine) {
  if (!mine.begun && levels.timing > 0 && tutti_initialized() != 0 && !file_name().empty())
    begin(mine);
}

// Returns false if there is nothing to write, or no more.
bool ends_now(Timing& mine) {
  // A program may have left its job by another interface.
  if (tutti_initialized() == 0) mine.shared = nullptr;
  return mine.begun && !std::exchange(mine.finished, true);
}

void write_own(const Timing& mine) {
  const std::vector<Spent> counts = counts_so_far(mine);
  const TimingTable::Part part{mine.process, counts};
  write(mine, {&part, 1});
}

}  // namespace

void count(const OneCall& call) {
  Timing& mine = timing();
  if (!mine.begun) begin(mine);
  Spent& spent = mine.spent[call.routine];
  if (spent.calls++ == 0) {
    const std::string_view name = call.routine;
    std::copy_n(name.data(), std::min(name.size(), spent.routine.size() - 1),
                spent.routine.begin());
  }
  spent.inside += call.inside;
  if (call.waiting >= 0) {
    spent.waiting += call.waiting;
    ++spent.measured_calls;
  }
  if (call.bytes < 0) return;
  spent.least_bytes = spent.data_calls == 0 ? call.bytes : std::min(spent.least_bytes, call.bytes);
  spent.most_bytes = std::max(spent.most_bytes, call.bytes);
  spent.bytes += call.bytes;
  ++spent.data_calls;
}

void finish_timing() {
  Timing& mine = timing();
  take_part_in_file(mine);
  if (!ends_now(mine)) return;
  if (mine.shared == nullptr) return write_own(mine);
  store(mine);
  if (mine.shared->left.fetch_add(1) + 1 == mine.shared->begun.load()) write_all(mine);
}

void give_up_timing() {
  Timing& mine = timing();
  if (!ends_now(mine)) return;
  if (mine.shared == nullptr) return write_own(mine);
  store(mine);
  write_all(mine);
}

}  // namespace tutti::blacs
