// SPDX-License-Identifier: BSD-3-Clause
// Paper 000: predicted times of broadcasts and sums on 32 processors beside its fits of measured
// ones. The measured points themselves are not printed, so errors of prediction are those against
// the fits.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "papers/000/blacs_model.hpp"
#include "papers/common/runs.hpp"

namespace tutti::papers {
namespace blacs_costs_items {
namespace {

using schedule::Operation;
using schedule::Time;

constexpr const char* by_model = "counts of the verifier, times of the tables";
constexpr const char* fits_only =
    "The paper prints fits of its measurements, not the points: errors here are those of the "
    "prediction against the fit, and leave the scatter of the points out.";

schedule::Counts of_broadcast() {
  return counts_of(Operation::broadcast, "tree", {.p = blacs_processors, .branches = 1});
}
Time broadcast_time() {
  return of_broadcast().longest;
}
Time sum_time() {
  return counts_of(Operation::allreduce, "tree", {.p = blacs_processors, .branches = 1}).longest;
}

Line fit(const char* table, const BlacsMachine& machine) {
  const Printed& values = printed(table);
  return {values.number(machine.key + ".alpha"), values.number(machine.key + ".beta")};
}

// Returns the error in per cent of the observed time, as the paper gives it for broadcasts.
double largest_error(const Line& observed, const Line& predicted) {
  double largest = 0;
  for (const double n : blacs_points)
    largest = std::max(largest, std::abs(observed.at(n) - predicted.at(n)) / observed.at(n));
  return 100 * largest;
}

// The columns of the tables that no model has: how much the points scatter, and start-ups of fits
// of the systems' own operations, whose algorithms the paper does not name.
void add_columns(Result& result, const BlacsMachine& machine, const char* table) {
  constexpr std::tuple<const char*, const char*, const char*> columns[] = {
      {"relative error", "error", "%"},
      {"system, start-up", "system_alpha", "us"},
      {"system, relative error", "system_error", "%"}};
  for (const auto& [words, key, unit] : columns) {
    const std::string value = fmt::format("{}.{}", machine.key, key);
    if (printed(table).has(value))
      result.row(fmt::format("{}, {}", machine.name, words), printed(table).number(value), {}, unit,
                 "");
  }
}

constexpr const char* by_messages = "a tree of the system's messages, times of the tables";

// The system's own operation, which copies nothing first.
Line of_system(const Time& time, BlacsMachine machine) {
  machine.copy = {};
  return predicted(time, machine);
}

Result fits(const char* table, const Time& time) {
  Result result;
  for (const BlacsMachine& machine : blacs_machines()) {
    const Line ours = predicted(time, machine);
    const Line theirs = fit(table, machine);
    result.row(machine.name + ", per double", theirs.beta, ours.beta, "us", by_model);
    result.row(machine.name + ", start-up", theirs.alpha, ours.alpha, "us", by_model);
    if (printed(table).has(machine.key + ".system_beta"))
      result.row(machine.name + ", system, per double",
                 printed(table).number(machine.key + ".system_beta"), of_system(time, machine).beta,
                 "us", by_messages);
    add_columns(result, machine, table);
    add_parameters(result, machine);
  }
  result.notes.push_back(
      fmt::format("Predicted: {}, and T_m where the BLACS copy first.", to_text(time)));
  result.notes.emplace_back(measured_here_too);
  result.notes.emplace_back(
      "Slopes follow from point-to-point times; start-ups of fits over 0 to 50000 doubles do not.");
  return result;
}

Result table_11(const Item& item) {
  Result result;
  for (const BlacsMachine& machine : blacs_machines()) {
    const auto theirs = [&](const char* what) {
      return item.printed.number(machine.key + "." + what);
    };
    const double error =
        largest_error(fit("000-table-12", machine), predicted(broadcast_time(), machine));
    result.row(machine.name + ", best topology, last processor", theirs("best"), error, "%",
               by_model);
    result.row(machine.name + ", best topology, source", theirs("best_source"), {}, "%", "");
    result.row(machine.name + ", 3-ring, last processor", theirs("ring"), {}, "%", "");
    result.row(machine.name + ", 3-ring, source", theirs("ring_source"), {}, "%", "");
    add_parameters(result, machine);
  }
  result.notes.emplace_back(fits_only);
  result.notes.emplace_back(measured_here_too);
  result.notes.emplace_back("No fit is printed of the 3-ring or of times of the source.");
  return result;
}

Result table_12(const Item&) {
  return fits("000-table-12", broadcast_time());
}

Result table_16(const Item&) {
  Result result = fits("000-table-16", sum_time());
  result.notes.emplace_back(
      "The Paragon's own sum has no rows, because the paper found it to be in error and prints "
      "nothing of it. That of the CM-5 leaves the result on one processor, and a broadcast follows "
      "it.");
  return result;
}

BlacsMachine machine_of(const Item& item, int first, int apart) {
  return blacs_machines().at(static_cast<std::size_t>((std::stoi(item.number) - first) / apart));
}

// Compares predicted times with the fit of the measured ones along the range.
Result curve(const BlacsMachine& machine, const char* table, const Time& time) {
  Result result;
  const Line theirs = fit(table, machine);
  const Line ours = predicted(time, machine);
  for (const double n : {1000., 10000., 30000., 50000.})
    result.row(fmt::format("{} doubles", n), theirs.at(n), ours.at(n), "us", by_model)
        .on("predicted, and the paper's fit of what it measured", n);
  result.x_axis = "doubles";
  add_parameters(result, machine);
  result.notes.push_back(
      fmt::format("The paper's values are those of its fit in {}; the figure's points are not in "
                  "its text. Predicted: {}{}.",
                  words_of(table), to_text(time),
                  machine.copy.beta == 0 ? "" : " + Tm, because the BLACS copy first"));
  return result;
}

// The figures of broadcasts also have the time of the source, of which no fit is printed.
Result figure_of_tree(const Item& item) {
  const BlacsMachine machine = machine_of(item, 25, 2);
  Result result = curve(machine, "000-table-12", broadcast_time());
  const Time source = of_broadcast().root;
  for (const double n : {1000., 10000., 30000., 50000.})
    result
        .row(fmt::format("source, {} doubles", n), {}, predicted(source, machine).at(n), "us",
             by_model)
        .on("source, predicted", n);
  result.notes.push_back(fmt::format("Predicted for the source: {}{}.", to_text(source),
                                     machine.copy.beta == 0 ? "" : " + Tm"));
  return result;
}
Result figure_of_sum(const Item& item) {
  return curve(machine_of(item, 44, 1), "000-table-16", sum_time());
}

constexpr Run runs[] = {
    {"000-table-11", table_11},        {"000-table-12", table_12},
    {"000-table-16", table_16},        {"000-figure-25", figure_of_tree},
    {"000-figure-27", figure_of_tree}, {"000-figure-29", figure_of_tree},
    {"000-figure-31", figure_of_tree}, {"000-figure-44", figure_of_sum},
    {"000-figure-45", figure_of_sum},  {"000-figure-46", figure_of_sum},
    {"000-figure-47", figure_of_sum},
};

}  // namespace
}  // namespace blacs_costs_items

std::span<const Run> blacs_costs() {
  return blacs_costs_items::runs;
}

}  // namespace tutti::papers
