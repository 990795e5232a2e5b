// SPDX-License-Identifier: BSD-3-Clause
// The two sequential ways to the length of a longest common subsequence (paper 003, 3.1, 5.1
// and 5.2), on this machine. A comparison of two letters counts as one operation, even where one
// word compares 64 letters.
#include <fmt/format.h>

#include "bsp/probe.hpp"
#include "papers/common/runs.hpp"

namespace tutti::papers {
namespace bsp_subsequences_items {
namespace {

constexpr const char* by_table = "LLCS by table";
constexpr const char* by_bits = "LLCS by bits";

const Probed& here() {
  static const Probed probed =
      measure_machine({.words = 1, .messages = 1, .series = 2, .microseconds = 20, .only = "llcs"});
  return probed;
}

void add_note(Result& result) {
  result.notes.push_back(fmt::format(
      "Measured on {}, {} processes; random strings over 8 letters, and both lengths agree.",
      here().source, here().data.processes));
}

Result rates(const Item&) {
  Result result;
  for (const Speed& speed : here().data.speeds) {
    result.row(fmt::format("{}, n = {}", speed.operation, speed.n), {}, 1e-6 / speed.seconds,
               "M op/s", "least of two series while all processes compute");
  }
  result.notes.push_back(
      "The paper draws its curves without numbers; there, by table falls where a row leaves the "
      "cache and by bits rises.");
  add_note(result);
  return result;
}

// The length of the longest strings.
double asymptotic(const std::string& operation) {
  double seconds = 0;
  for (const Speed& speed : here().data.speeds) {
    if (speed.operation == operation) seconds = speed.seconds;
  }
  return seconds;
}

Result speeds(const Item& item) {
  Result result;
  for (const char* machine : {"skua", "argus", "aracari"})
    for (const auto& [key, words] :
         {std::pair{"standard", "by table"}, std::pair{"bit_parallel", "by bits"}})
      result.given(fmt::format("{}, {}", machine, words),
                   item.printed.number(fmt::format("{}.{}", machine, key)), "M op/s");
  for (const char* operation : {by_table, by_bits}) {
    result.row(fmt::format("here, {}", operation), {}, 1e-6 / asymptotic(operation), "M op/s",
               "strings of 16384 letters");
  }
  result.notes.push_back(
      "The paper's times per operation are printed in ns where its rates need us.");
  add_note(result);
  return result;
}

// The paper's speedups stand in the rows that compare them with its rates.
Result speedups(const Item&) {
  Result result;
  result.row("here", {}, asymptotic(by_table) / asymptotic(by_bits), "",
             "strings of 16384 letters");
  add_note(result);
  return result;
}

constexpr Run runs[] = {{"003-figure-3.2", rates, Side::here},
                        {"003-table-5.3", speeds, Side::here},
                        {"003-table-5.4", speedups, Side::here}};

}  // namespace
}  // namespace bsp_subsequences_items

std::span<const Run> bsp_subsequences() {
  return bsp_subsequences_items::runs;
}

}  // namespace tutti::papers
