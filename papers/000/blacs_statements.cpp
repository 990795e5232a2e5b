// SPDX-License-Identifier: BSD-3-Clause
// Paper 000: what sections 4.3 and 5.4 say of the times of rings, trees and exchanges, for several
// numbers of processors.
#include <fmt/format.h>

#include <algorithm>

#include "papers/000/blacs_model.hpp"
#include "papers/common/formulas.hpp"
#include "papers/common/runs.hpp"

namespace tutti::papers {
namespace blacs_statements_items {
namespace {

using schedule::Counts;
using schedule::Operation;
using schedule::Shape;

std::string named(const std::string& what, const Shape& shape) {
  return fmt::format("{}, {} processors", what, shape.p);
}

// Compares a time with a formula of the item's values.
void add_time(Result& result, const Item& item, const std::string& label, const char* formulas,
              const char* name, const Shape& shape, const schedule::Time& ours) {
  const schedule::Time theirs =
      time_by(item.printed.text(formulas), name, selection::variables_of(shape));
  result.row(label, to_text(theirs), to_text(ours), "", counted);
}

double most_at_once(const Counts& counts) {
  return *std::max_element(counts.sends.begin(), counts.sends.end());
}

void add_rings(Result& result, const Item& item, int p) {
  for (const char* ring : {"increasing_ring", "decreasing_ring"}) {
    const Shape shape{.p = p};
    const Counts counts = counts_of(Operation::broadcast, ring, shape);
    add_times(result, named(ring, shape), item.printed.text(ring), shape, counts);
    result.row(named(ring, shape) + ": most that send at once", 1.0, most_at_once(counts), "",
               counted, exact());
  }
  for (int rings = 2; rings <= 5; ++rings) {
    const Shape shape{.p = p, .rings = rings};
    const Counts counts = counts_of(Operation::broadcast, "multiring", shape);
    const char* formulas = (p - 1) % rings == 0 ? "multiring_equal" : "multiring_unequal";
    const std::string label = named(fmt::format("{}-ring", rings), shape);
    add_times(result, label, item.printed.text(formulas), shape, counts);
    result.says(label + ": no more send at once than there are rings",
                most_at_once(counts) <= rings, counted);
  }
}

Result section_4_3_1(const Item& item) {
  Result result;
  for (const int p : {8, 16, 31, 32}) {
    add_rings(result, item, p);
    const Shape shape{.p = p};
    const Counts split = counts_of(Operation::broadcast, "split_ring", shape);
    add_time(result, item, named("split_ring", shape) + ": source", "split_ring", "root", shape,
             split.root);
    result.row(
        named("split_ring", shape) + ": Tc of the last",
        number_by(item.printed.text("split_ring"), "longest", selection::variables_of(shape)),
        static_cast<double>(split.longest.complete), "Tc", counted, exact());
  }
  result.notes.emplace_back(
      "Of the split ring the paper says 'roughly', so its Tc are compared and its Ts are not.");
  result.notes.emplace_back(
      "The last processor is that with the most Tc: for this choice T_s counts as nothing, as in "
      "the paper's formulas, which call it a detail that many T_s can make another ring the last "
      "one. 000-figure-24 and those after it take T_s and T_c as long as they are.");
  return result;
}

// Trees with all their branches, for which the paper's bounds are times.
constexpr Shape full_trees[] = {{.p = 8, .branches = 1},  {.p = 32, .branches = 1},
                                {.p = 9, .branches = 2},  {.p = 27, .branches = 2},
                                {.p = 16, .branches = 3}, {.p = 64, .branches = 3},
                                {.p = 25, .branches = 4}, {.p = 36, .branches = 5}};

Result section_4_3_2(const Item& item) {
  Result result;
  for (const int p : {8, 16, 32, 64}) {
    const Shape shape{.p = p};
    const Counts counts = counts_of(Operation::broadcast, "hypercube", shape);
    add_times(result, named("hypercube", shape), item.printed.text("hypercube"), shape, counts);
    result.row(named("hypercube", shape) + ": send at once in the last step", p / 2.0,
               static_cast<double>(counts.sends.back()), "", counted, exact());
  }
  for (const Shape& shape : full_trees)
    add_times(result, named(fmt::format("{}-tree", shape.branches), shape),
              item.printed.text("tree"), shape, counts_of(Operation::broadcast, "tree", shape));
  result.notes.emplace_back(
      "000-table-10 has trees whose last level is not full. For these the formula is a bound.");
  return result;
}

void add_fan_in(Result& result, const Item& item, int p) {
  const Shape shape{.p = p, .branches = 1};
  add_time(result, item, named("fan-in", shape) + ": destination", "fan_in", "root", shape,
           counts_of(Operation::reduce, "tree", shape).root);
  add_time(result, item, named("fan-in and fan-out", shape) + ": last", "fan_in", "longest", shape,
           counts_of(Operation::allreduce, "tree", shape).longest);
}

// Section 5.4.1 derives from its model that more branches are slower.
void add_branches(Result& result, const BlacsMachine& machine) {
  constexpr double doubles = 10000;
  const auto time = [&](int branches) {
    const Shape shape{.p = blacs_processors, .branches = branches};
    const Counts counts =
        counts_of(Operation::reduce, "tree", shape, durations_of(machine, doubles));
    return predicted(counts.root, machine).at(doubles);
  };
  for (int branches = 2; branches <= 4; ++branches)
    result.says_shorter(fmt::format("{}: one branch is faster than {}, {} doubles", machine.name,
                                    branches, doubles),
                        time(1), time(branches), counted_in_times,
                        {0, 0, "the statement is one about the model itself"});
}

Result section_5_4_1(const Item& item) {
  Result result;
  for (const int p : {8, 12, 16, 31, 32, 64}) add_fan_in(result, item, p);
  for (const BlacsMachine& machine : blacs_machines()) {
    add_branches(result, machine);
    add_parameters(result, machine);
  }
  result.notes.emplace_back(
      "12 and 31 processors fill no tree of one branch: for these the paper's formula, which "
      "rounds "
      "log2 N_p up, is a bound. Our counts reach it, because a processor of the last level is "
      "there in each case.");
  return result;
}

Result section_5_4_2(const Item& item) {
  Result result;
  for (const int p : {8, 12, 16, 24, 31, 32, 33, 64}) {
    const Shape shape{.p = p};
    const char* formulas = (p & (p - 1)) == 0 ? "power_of_two" : "other";
    add_time(result, item, named("bidirectional exchange", shape) + ": last", formulas, "longest",
             shape, counts_of(Operation::allreduce, "bidirectional_exchange", shape).longest);
  }
  return result;
}

// The lines of table 8, for short messages. T_o is that of table 14, which is below nothing there.
BlacsMachine for_short_messages(BlacsMachine machine) {
  const Printed& table = printed("000-table-8");
  const auto line = [&](const char* what) {
    const std::string key = fmt::format("{}.system.{}", machine.key, what);
    return Line{table.number(key + ".alpha"), table.number(key + ".beta")};
  };
  machine.complete = line("Tc");
  machine.send = line("Ts");
  machine.operation.alpha = std::max(machine.operation.alpha, 0.0);
  machine.copy = {};
  return machine;
}

// Section 5.5.1: trees of more branches are faster for fewer than 30 doubles, and slower for many.
Result section_5_5_1(const Item& item) {
  Result result;
  const double few = item.printed.number("few"), many = item.printed.number("many");
  const Tolerance none{0, 0, "the statement compares times of one model"};
  for (const BlacsMachine& machine : blacs_machines()) {
    const auto time = [&](const BlacsMachine& by, int branches, double doubles) {
      const Shape shape{.p = blacs_processors, .branches = branches};
      return predicted(
                 counts_of(Operation::allreduce, "tree", shape, durations_of(by, doubles)).longest,
                 by)
          .at(doubles);
    };
    const BlacsMachine small = for_short_messages(machine);
    const auto fastest = [&](const BlacsMachine& by, double doubles) {
      return std::min({time(by, 2, doubles), time(by, 3, doubles), time(by, 4, doubles)});
    };
    result.says_shorter(
        fmt::format("{}: some tree of 2 to 4 branches is faster than the 1-tree, {} doubles",
                    machine.name, few),
        fastest(small, few), time(small, 1, few), "counts of the verifier, times of table 8", none);
    result.says_shorter(
        fmt::format("{}: the 1-tree is faster than those of 2 to 4 branches, {} doubles",
                    machine.name, many),
        time(machine, 1, many), fastest(machine, many), counted_in_times, none);
    result.row(
        fmt::format("{}: the fastest of those over the 1-tree, {} doubles", machine.name, many), {},
        fastest(machine, many) / time(machine, 1, many), "", counted_in_times);
    result.says_shorter(
        fmt::format("{}: those of 2 to 4 branches are quite bad, {} doubles", machine.name, many),
        time(machine, 1, many), fastest(machine, many), counted_in_times,
        {Tolerance().relative, 0,
         "quite bad is taken to be longer by more than the default tolerance"});
  }
  return result;
}

constexpr Run runs[] = {{"000-section-5.5.1", section_5_5_1},
                        {"000-section-4.3.1", section_4_3_1},
                        {"000-section-4.3.2", section_4_3_2},
                        {"000-section-5.4.1", section_5_4_1},
                        {"000-section-5.4.2", section_5_4_2}};

}  // namespace
}  // namespace blacs_statements_items

std::span<const Run> blacs_statements() {
  return blacs_statements_items::runs;
}

}  // namespace tutti::papers
