// SPDX-License-Identifier: BSD-3-Clause
// Prints the table of times as text and as JSON (timing.hpp).
#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "timing.hpp"

namespace tutti::blacs {
namespace {

struct TableLine {
  int process;
  const Spent* spent;
  [[nodiscard]] std::string_view routine() const { return spent->routine.data(); }
};

// Returns the lines of all processes, those of a routine together.
std::vector<TableLine> lines_of(const TimingTable& table) {
  std::vector<TableLine> lines;
  for (const TimingTable::Part& part : table.parts) {
    for (const Spent& spent : part.spent) lines.push_back({part.process, &spent});
  }
  std::ranges::stable_sort(lines, {}, &TableLine::routine);
  return lines;
}

double mean_bytes(const Spent& spent) {
  return static_cast<double>(spent.bytes) / static_cast<double>(spent.data_calls);
}

// Returns the number, or a word if there is none.
template <class Number>
std::string or_word(bool known, const char* format, Number number, const char* word) {
  return known ? fmt::format(fmt::runtime(format), number) : word;
}

}  // namespace

std::string table_as_text(const TimingTable& table) {
  std::string text = fmt::format(
      "times in the BLACS, of {} of {} processes\n{:<14} {:>7} {:>9} "
      "{:>12} {:>12} {:>12} {:>14} {:>12}\n",
      table.parts.size(), table.processes, "routine", "process", "calls", "inside s", "waiting s",
      "least bytes", "mean bytes", "most bytes");
  for (const auto& [process, spent] : lines_of(table)) {
    const bool waits = spent->measured_calls > 0, data = spent->data_calls > 0;
    text += fmt::format("{:<14} {:>7} {:>9} {:>12.6f} {:>12} {:>12} {:>14} {:>12}\n",
                        spent->routine.data(), process, spent->calls, spent->inside,
                        or_word(waits, "{:.6f}", spent->waiting, "-"),
                        or_word(data, "{}", spent->least_bytes, "-"),
                        or_word(data, "{:.1f}", data ? mean_bytes(*spent) : 0, "-"),
                        or_word(data, "{}", spent->most_bytes, "-"));
  }
  return text;
}

std::string table_as_json(const TimingTable& table) {
  std::string text = fmt::format(
      "{{\n  \"processes\": {},\n  \"processes_in_table\": {},\n"
      "  \"times\": [",
      table.processes, table.parts.size());
  const char* separator = "\n";
  for (const auto& [process, spent] : lines_of(table)) {
    const bool waits = spent->measured_calls > 0, data = spent->data_calls > 0;
    text += fmt::format(
        "{}    {{\"routine\": \"{}\", \"process\": {}, \"calls\": {}, "
        "\"inside_s\": {:.9f}, "
        "\"waiting_s\": {}, \"least_bytes\": {}, \"mean_bytes\": {}, "
        "\"most_bytes\": {}}}",
        separator, spent->routine.data(), process, spent->calls, spent->inside,
        or_word(waits, "{:.9f}", spent->waiting, "null"),
        or_word(data, "{}", spent->least_bytes, "null"),
        or_word(data, "{:.3f}", data ? mean_bytes(*spent) : 0, "null"),
        or_word(data, "{}", spent->most_bytes, "null"));
    separator = ",\n";
  }
  return text + "\n  ]\n}\n";
}

}  // namespace tutti::blacs
