// SPDX-License-Identifier: BSD-3-Clause
// Measures copies and sums of doubles on this machine, for tables in which papers give those of one
// processor.
#include <fmt/format.h>

#include "papers/blacs_model.hpp"
#include "papers/runs.hpp"
#include "support/host_facts.hpp"
#include "tune/local.hpp"

namespace tutti::papers {
namespace {

constexpr int repeats = 5;
constexpr double double_bytes = 8;

Result measured(const Item& item, std::vector<LocalPoint> LocalCosts::*which, const char* source) {
  Result result;
  for (const BlacsMachine& machine : blacs_machines()) {
    const std::string key = machine.key + ".beta";
    if (item.printed.has(key))
      result.row(machine.name + ", per double", item.printed.number(key), {}, "us", "");
  }
  const LocalCosts costs = measure_local(repeats, [] {});
  for (const LocalPoint& point : costs.*which) {
    result.row(fmt::format("here, {} doubles, per double",
                           static_cast<double>(point.bytes) / double_bytes),
               {}, point.per_byte() * double_bytes, "us", source);
  }
  const HostFacts host = host_facts();
  result.notes.push_back(
      fmt::format("Measured on {}, {}, {}.", host.processor, host.system, host.date));
  return result;
}

Result copies(const Item& item) {
  return measured(item, &LocalCosts::copy, "median of memcpy between two buffers");
}
Result sums(const Item& item) {
  return measured(item, &LocalCosts::combine, "median of the library's kernel that adds doubles");
}

constexpr Run runs[] = {
    {"000-table-7", copies},
    {"000-table-14", sums},
};

}  // namespace

std::span<const Run> local_measurements() {
  return runs;
}

}  // namespace tutti::papers
