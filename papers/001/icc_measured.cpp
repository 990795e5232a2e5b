// SPDX-License-Identifier: BSD-3-Clause
// Paper 001, section 6, measured here: the calls of table 1 in one program, one right after the
// other. papers/programs/nx/libraries.c is that program.
#include <fmt/format.h>

#include <algorithm>

#include "bench/runs.hpp"
#include "papers/common/effort.hpp"
#include "papers/common/runs.hpp"
#include "support/child.hpp"
#include "support/host_facts.hpp"
#include "support/median.hpp"

namespace tutti::papers {
namespace icc_measured_items {
namespace {

constexpr int rows = 2, columns = 2;
enum Way { icc, nx, blacs, ways };
constexpr const char* names_of_ways[ways] = {"icc", "nx", "blacs-1"};

int rounds() {
  return by_effort(7, 1);
}

std::string measured_by() {
  return fmt::format("median of {} series", rounds());
}

BenchPlan plan_of(const std::vector<double>& bytes) {
  BenchPlan plan;
  plan.ranks = rows * columns;
  plan.rounds = rounds();
  plan.seconds = by_effort(0.5, 0.0);
  plan.program = {helper_program("tutti-nx-libraries"), "All", std::to_string(rows),
                  std::to_string(columns)};
  plan.environment = {{"TUTTI_NX_COLLECTIVES", "nx"}};
  for (const char* operation : {"bcast", "allreduce"}) {
    for (const double size : bytes) {
      plan.cells.push_back({operation, static_cast<std::int64_t>(size)});
      plan.plans[plan.cells.back()] = {names_of_ways, names_of_ways + ways};
    }
  }
  return plan;
}

double median(const Series& series, Way way) {
  std::vector<double> times;
  for (const Turn& turn : series.turns) times.push_back(turn.us.at(way));
  return tools::median(std::move(times));
}

// Returns the times of all calls, which are measured once for both items.
const Library& times() {
  static const Library library =
      run_bench(plan_of(printed("001-table-2").numbers("bytes")), [](double, const std::string&) {
      }).at("tutti");
  return library;
}

void add_notes(Result& result) {
  const HostFacts host = host_facts();
  result.notes.push_back(fmt::format("Measured in {} processes on {}, {}, {}.", rows * columns,
                                     host.processor, host.system, host.date));
  result.notes.emplace_back(
      "NX adds by its own trees, and its broadcast sends to each node. The BLACS use their tree "
      "with one branch. The root of broadcasts changes with every call.");
}

Result table_1(const Item& item) {
  Result result;
  constexpr std::int64_t bytes = 1024;
  const std::pair<Way, const char*> libraries[] = {{icc, "icc"}, {nx, "nx"}, {blacs, "blacs"}};
  for (const auto& [way, key] : libraries) {
    const std::vector<std::string> calls = item.printed.texts(key);
    for (std::size_t i = 0; const char* operation : {"bcast", "allreduce"})
      result.row(fmt::format("{}, {} B", calls.at(i++), bytes), {},
                 median(times().at({operation, bytes}), way), "us", measured_by());
  }
  add_notes(result);
  return result;
}

Result section_6(const Item&) {
  Result result;
  const Printed& paper = printed("001-table-2");
  const std::vector<double> bytes = paper.numbers("bytes");
  const std::pair<const char*, const char*> operations[] = {{"broadcast", "bcast"},
                                                            {"sum", "allreduce"}};
  for (const auto& [name, operation] : operations) {
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      const Series& series = times().at({operation, static_cast<std::int64_t>(bytes[i])});
      const double least = median(series, icc);
      result.row(fmt::format("{}, {} B: NX/iCC", name, bytes[i]),
                 paper.numbers(fmt::format("{}.nx", name)).at(i), median(series, nx) / least, "",
                 measured_by());
      result.row(fmt::format("{}, {} B: BLACS/iCC", name, bytes[i]),
                 paper.numbers(fmt::format("{}.blacs", name)).at(i), median(series, blacs) / least,
                 "", measured_by());
    }
  }
  add_notes(result);
  result.notes.emplace_back("The paper's ratios are those of 512 nodes of a Paragon.");
  return result;
}

constexpr Run runs[] = {
    {"001-table-1", table_1, Side::here},
    {"001-section-6", section_6, Side::here},
};

}  // namespace
}  // namespace icc_measured_items

std::span<const Run> icc_measured() {
  return icc_measured_items::runs;
}

}  // namespace tutti::papers
