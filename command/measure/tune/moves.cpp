// SPDX-License-Identifier: BSD-3-Clause
// Runs short jobs with other values, one row after the other.
#include "tune/moves.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>
#include <string_view>

#include "base/processor_tuning.hpp"
#include "bench/runs.hpp"
#include "bench/summary.hpp"

namespace tutti::tools {
namespace {

struct Question {
  const char* row;
  const char* op;  // whose time decides
  std::int64_t bytes;
  std::vector<const char*> values;
};

const std::vector<Question>& questions() {
  static const std::vector<Question> all = {
      {"far_past_caches", "bcast", 256 << 10, {"0", "1"}},
      {"fragment_window", "bcast", 256 << 10, {"0", "1M", "512K"}},
      {"copy_pages", "bcast", 256 << 10, {"0", "1"}},
      {"copy_pieces_to", "bcast", 4 << 10, {"8K", "0"}},
      {"fragment", "alltoall", 256 << 10, {"64K", "128K"}},
      {"overlap_long", "bcast", 256 << 10, {"64K", "32K"}},
  };
  return all;
}

// One copy is measured against packets at these lengths.
constexpr std::array<std::int64_t, 3> copied_once = {128 << 10, 512 << 10, 2 << 20};
constexpr const char* one_copy = "one_copy_from";

// Differences of less than this say nothing.
constexpr double clearly = 0.95;
constexpr double job_seconds = 0.02, sample_us = 400;
constexpr int least_samples = 3;

using Values = std::map<std::string, std::string>;

// A table by which nothing is learned, so that each job shows what its values are worth.
Values values_of_table() {
  return {{"learn_first", "0"},
          {"learn_again", "1048576"},
          {"learn_again_most", "1048576"},
          {"learn_look_every", "1048576"},
          {one_copy, "1G"}};
}

std::string list_of(const Values& values) {
  std::string list;
  for (const auto& [row, value] : values)
    list += fmt::format("{}{}={}", list.empty() ? "" : ",", row, value);
  return list;
}

// Returns the median time of each cell with these values.
std::map<BenchCell, double> times_with(const Values& values, std::vector<BenchCell> cells) {
  BenchPlan plan;
  plan.cells = std::move(cells);
  plan.seconds = job_seconds;
  plan.rounds = least_samples;
  plan.sample_us = sample_us;
  plan.environment = {{"TUTTI_TUNING", list_of(values)}};
  std::map<BenchCell, double> times;
  const auto libraries = run_bench(plan, [](double, const std::string&) {});
  for (const auto& [cell, series] : libraries.at("tutti")) {
    std::vector<double> of_cell;
    for (const Sample& sample : series.samples) of_cell.push_back(sample.us);
    times[cell] = figures_of(std::move(of_cell)).median;
  }
  return times;
}

// Returns the values, first the one that suits this kind of processor, if it is among them. It
// stays unless another one is clearly faster.
std::vector<std::string> in_order(const Question& question) {
  base::TuningSettings suited;
  base::suit(suited, base::this_processor());
  const auto rows = base::tuning_rows();
  const auto row = std::ranges::find_if(
      rows, [&](const base::TuningRow& one) { return question.row == std::string_view(one.name); });
  std::vector<std::string> values(question.values.begin(), question.values.end());
  std::ranges::stable_partition(values, [&](const std::string& value) {
    return base::tuning_value(*row, value) == suited.value_of(*row);
  });
  return values;
}

MeasuredRow answer(const Question& question, Values& values, const std::function<void()>& step) {
  const BenchCell cell{question.op, question.bytes};
  std::string figures, best;
  double least = 0;
  for (const std::string& value : in_order(question)) {
    Values with = values;
    with[question.row] = value;
    const double time = times_with(with, {cell})[cell];
    step();
    figures += fmt::format("{}{}: {:.2f}", figures.empty() ? "" : ", ", value, time);
    if (least != 0 && time > clearly * least) continue;
    least = time;
    best = value;
  }
  values[question.row] = best;
  return {
      question.row, best,
      fmt::format("{} of {} bytes by two processes, us: {}", question.op, question.bytes, figures)};
}

// Returns the least length from which on one copy is never clearly slower than packets.
MeasuredRow answer_one_copy(const Values& values, const std::function<void()>& step) {
  std::vector<BenchCell> cells;
  for (const std::int64_t bytes : copied_once) cells.push_back({"bcast", bytes});
  Values once = values;
  once[one_copy] = "4K";
  auto packets = times_with(values, cells);
  step();
  auto copied = times_with(once, cells);
  step();
  std::string from = "1024G", figures;  // longer than any message: never
  for (auto cell = cells.rbegin(); cell != cells.rend(); ++cell) {
    figures = fmt::format("{}: {:.1f} and {:.1f}{}{}", cell->bytes, packets[*cell], copied[*cell],
                          figures.empty() ? "" : ", ", figures);
  }
  for (auto cell = cells.rbegin(); cell != cells.rend(); ++cell) {
    if (clearly * copied[*cell] > packets[*cell]) break;
    from = fmt::format("{}K", cell->bytes >> 10);
  }
  return {one_copy, from,
          fmt::format("bcast by two processes, in packets and copied once, us: {}", figures)};
}

}  // namespace

int move_steps() {
  int steps = 2;
  for (const Question& question : questions()) steps += static_cast<int>(question.values.size());
  return steps;
}

std::vector<MeasuredRow> measure_moves(const std::function<void()>& step) {
  Values values = values_of_table();
  std::vector<MeasuredRow> rows;
  for (const Question& question : questions()) rows.push_back(answer(question, values, step));
  rows.push_back(answer_one_copy(values, step));
  return rows;
}

std::string tuning_toml(const std::vector<MeasuredRow>& rows, const std::string& before) {
  std::string text = "\n[tuning]\n";
  for (const MeasuredRow& one : rows)
    text += fmt::format("# {}\n{} = \"{}\"\n", one.source, one.row, one.value);
  // Rows that the user has written stay.
  std::string_view left = before;
  while (!left.empty()) {
    const std::size_t end = std::min(left.find('\n'), left.size() - 1) + 1;
    const std::string_view line = left.substr(0, end);
    left.remove_prefix(end);
    const std::string_view name = line.substr(0, line.find_first_of(" =\n"));
    const bool measured =
        std::ranges::any_of(rows, [&](const MeasuredRow& one) { return name == one.row; });
    if (!measured && !line.starts_with("[") && !line.starts_with("#") && name != "") text += line;
  }
  return text;
}

}  // namespace tutti::tools
