// SPDX-License-Identifier: BSD-3-Clause
// Paper 002's tables of reductions on a Paragon, measured here instead: groups that anybody may
// join, frozen groups, and gisum of NX, as the paper measured it.
#include <fmt/format.h>

#include <map>
#include <sstream>

#include "papers/common/effort.hpp"
#include "papers/common/runs.hpp"
#include "pvm/folder.hpp"
#include "support/child.hpp"
#include "support/host_facts.hpp"
#include "support/reporting.hpp"

namespace tutti::papers {
namespace pvm_measured_items {
namespace {

constexpr const char* lengths[] = {"1", "1000", "10000"};
constexpr int most_tasks = 16;

int calls() {
  return by_effort(100, 3);
}
int series() {
  return by_effort(3, 1);
}

std::string measured_by() {
  return fmt::format("median of {} series of {} calls", series(), calls());
}

// Microseconds by a key such as "frozen 1000".
using Times = std::map<std::string, double>;

// Returns the times for this many tasks, which are measured once for all tables.
const Times& times_of(int tasks) {
  static std::map<int, Times> known;
  Times& times = known[tasks];
  if (!times.empty()) return times;
  const std::string probe = (pvm_folder() / "bin/pvm-probe").string();
  const ChildCommand command{{command_path(), "run", "-n", std::to_string(tasks), "--timeout",
                              "120", probe, std::to_string(calls()), std::to_string(series())},
                             {}};
  const int code = read_lines(command, [&](const std::string& line) {
    std::istringstream words(line);
    std::string what, integers;
    double time = 0;
    if (words >> what >> integers >> time) times[what + " " + integers] = time;
  });
  if (code != 0) base::fail(base::Status::system_error, "pvm-probe ended with {}", code);
  return times;
}

// Calls body(index into the table's rows, tasks, integers) for each cell that can be measured here.
template <class Body>
void for_each_cell(const Printed& table, const Body& body) {
  const std::vector<double> nodes = table.numbers("nodes");
  for (const char* integers : lengths) {
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      if (nodes[i] <= most_tasks) body(i, static_cast<int>(nodes[i]), std::string(integers));
    }
  }
}

void add_note(Result& result) {
  const HostFacts host = host_facts();
  result.notes.push_back(
      fmt::format("Measured on {}, {}, {}; the paper's times are those of a Paragon, so only the "
                  "relations between rows compare.",
                  host.processor, host.system, host.date));
}

Result table(const Item& item, const char* what) {
  Result result;
  for_each_cell(item.printed, [&](std::size_t i, int tasks, const std::string& integers) {
    result.row(fmt::format("{} integers, {} tasks, {}", integers, tasks, what),
               item.printed.numbers(integers).at(i),
               times_of(tasks).at(std::string(what) + " " + integers), "us", measured_by());
  });
  return result;
}

Result table_3(const Item& item) {
  Result result = table(item, "dynamic");
  const Printed& frozen = printed("002-table-4");
  for_each_cell(item.printed, [&](std::size_t i, int tasks, const std::string& integers) {
    const Times& times = times_of(tasks);
    result.row(fmt::format("{} integers, {} tasks, dynamic over frozen", integers, tasks),
               item.printed.numbers(integers).at(i) / frozen.numbers(integers).at(i),
               times.at("dynamic " + integers) / times.at("frozen " + integers), "", measured_by());
  });
  add_note(result);
  return result;
}

Result table_4(const Item& item) {
  Result result = table(item, "frozen");
  add_note(result);
  return result;
}

// The time that PVM adds to gisum.
void add_overhead(Result& result) {
  const Printed& native = printed("002-table-5");
  const Printed& frozen = printed("002-table-6");
  for_each_cell(frozen, [&](std::size_t i, int tasks, const std::string& integers) {
    const Times& times = times_of(tasks);
    result.row(fmt::format("{} integers, {} tasks, frozen less gisum", integers, tasks),
               frozen.numbers(integers).at(i) - native.numbers(integers).at(i),
               times.at("frozen " + integers) - times.at("gisum " + integers), "us", measured_by());
  });
  add_note(result);
}

Result table_6(const Item& item) {
  Result result = table(item, "frozen");
  add_overhead(result);
  return result;
}

Result figure_8(const Item&) {
  Result result;
  const Printed& native = printed("002-table-5");
  for_each_cell(native, [&](std::size_t i, int tasks, const std::string& integers) {
    result.row(fmt::format("{} integers, {} tasks, gisum", integers, tasks),
               native.numbers(integers).at(i), times_of(tasks).at("gisum " + integers), "us",
               measured_by());
  });
  add_overhead(result);
  return result;
}

constexpr Run runs[] = {
    {"002-table-3", table_3, Side::here},
    {"002-table-4", table_4, Side::here},
    {"002-table-6", table_6, Side::here},
    {"002-figure-8", figure_8, Side::here},
};

}  // namespace
}  // namespace pvm_measured_items

std::span<const Run> pvm_measured() {
  return pvm_measured_items::runs;
}

}  // namespace tutti::papers
