// SPDX-License-Identifier: BSD-3-Clause
// Paper 000: the steps of each topology, its cost for the source and for the last processor, and
// the gain of rings when broadcasts follow each other.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>

#include "machine/topology.hpp"
#include "papers/000/blacs_model.hpp"
#include "papers/common/formulas.hpp"
#include "papers/common/runs.hpp"
#include "papers/common/simulated.hpp"
#include "support/request.hpp"

namespace tutti::papers {
namespace blacs_topologies_items {
namespace {

using schedule::Counts;
using schedule::Operation;
using schedule::Shape;

// The formula of each step. The paper counts steps from 0.
std::string per_step(const std::string& formulas, const char* name, const Shape& shape,
                     std::size_t steps) {
  std::vector<double> values;
  selection::Variables variables = selection::variables_of(shape);
  for (std::size_t i = 0; i < steps; ++i) {
    variables["i"] = static_cast<std::int64_t>(i);
    values.push_back(number_by(formulas, name, variables));
  }
  return fmt::format("{}", fmt::join(values, " "));
}

void add_topology(Result& result, const std::string& what, const std::string& formulas,
                  const Shape& shape, const Counts& counts) {
  const std::size_t steps = counts.sends.size();
  result.row(what + ": steps", number_by(formulas, "rounds", selection::variables_of(shape)),
             static_cast<double>(counts.rounds), "", counted, exact());
  result.row(what + ": sends in each step", per_step(formulas, "sends", shape, steps),
             fmt::format("{}", fmt::join(counts.sends, " ")), "", counted);
  result.row(what + ": finished after each", per_step(formulas, "done", shape, steps),
             fmt::format("{}", fmt::join(counts.done, " ")), "", counted);
  add_times(result, what, formulas, shape, counts);
}

// Section 4.3 needs equal rings and full trees: 30 processors behind the source on 3 rings, and 32
// in the tree.
Result table_9(const Item& item) {
  Result result;
  const Shape ring{.p = 31, .rings = 3};
  add_topology(result, "3-ring, 31 processors", item.printed.text("ring"), ring,
               counts_of(Operation::broadcast, "multiring", ring));
  const Shape tree{.p = blacs_processors, .branches = 1};
  add_topology(result, "1-tree, 32 processors", item.printed.text("tree"), tree,
               counts_of(Operation::broadcast, "tree", tree));
  result.within_paper_from(0);
  result.notes.emplace_back(
      "Steps of the ring: section 4.3.1 rounds N_p/N_r up, which is one more than the messages "
      "need when the source is not counted as a step. Finished: a processor is done when it has "
      "forwarded, so the formula's count for the last step is reached one step earlier or later at "
      "the ends of rings and trees.");
  result.notes.emplace_back(
      "Source of the 1-tree: the table has twice log2 N_p sends; the text of 4.3.2 has log2 N_p, "
      "which is what is counted.");
  return result;
}

Result table_10(const Item& item) {
  Result result;
  for (int branches = 1; branches <= 9; ++branches) {
    const Shape shape{.p = blacs_processors, .branches = branches};
    add_times(result, fmt::format("TOP = '{}'", branches), item.printed.text("tree"), shape,
              counts_of(Operation::broadcast, "tree", shape));
  }
  result.within_paper_from(0);
  const Shape all{.p = blacs_processors};
  result.row("TOP = 'f': source", {},
             to_text(counts_of(Operation::broadcast, "fully_connected", all).root), "", counted);
  result.notes.emplace_back(
      "The paper's times are the formulas of its section 4.3.2 for 32 processors; they are those "
      "of the longest way in a tree whose last level may not be full, so ours may be shorter. TOP "
      "= "
      "'t' takes the number of branches of SETBRANCHES, and has no row of its own.");
  return result;
}

BlacsMachine machine_of(const Item& item) {
  return blacs_machines().at(static_cast<std::size_t>((std::stoi(item.number) - 24) / 2));
}

void add_notes_of_rings(Result& result, const BlacsMachine& machine) {
  result.notes.push_back(fmt::format(
      "The paper's column is the paper's prediction and not what it measured, whose points are not "
      "in its text. By table 11 they lie up to {:.2f} % off this prediction.",
      printed("000-table-11").number(machine.key + ".ring")));
  result.notes.push_back(fmt::format(
      "32 processors on 3 rings: the formula of 4.3.1 takes the end of the long ring, 11 Tc, for "
      "the last processor. By the slopes of tables 5 and 6 a Ts takes {:.2f} Tc here, so the end "
      "of the third ring is later, 10 Tc + 2 Ts, as in 4.4.2, whose worked example is that of the "
      "CM-5.",
      machine.send.beta / machine.complete.beta));
  result.notes.emplace_back(
      "Each further broadcast costs the source three sends. The example counts one of them as a "
      "T_c; the difference in time is small. The simulator also has links that rings share, and on "
      "the CM-5 nodes that send or receive.");
}

void add_counts(Result& result, const std::string& label, const schedule::Time& theirs,
                const schedule::Time& ours) {
  result.row(label + ", Tc and Ts together", double(theirs.complete + theirs.send),
             double(ours.complete + ours.send), "", counted_in_times, exact());
  result.row(label + ", paper: " + to_text(theirs), {}, to_text(ours), "", counted_in_times);
}

// The source does not gain from pipelining, so its time is the same for each broadcast.
void add_source(Result& result, const BlacsMachine& machine, double doubles) {
  const schedule::Time source =
      counts_of(Operation::broadcast, "multiring", {.p = blacs_processors, .rings = 3}).root;
  result
      .row(fmt::format("source, {} doubles", doubles), {}, predicted(source, machine).at(doubles),
           "us", counted_in_times)
      .on("source, predicted", doubles);
}

// Compares repeated 3-ring broadcasts: the first one, and all of them. The paper does not print its
// measured points.
Result figure_of_ring(const Item& item) {
  Result result;
  const BlacsMachine machine = machine_of(item);
  const int repetitions = static_cast<int>(item.printed.number("repetitions"));
  const std::string& model = item.printed.text("model");
  const Shape shape{.p = blacs_processors, .rings = 3};
  const auto broadcasts = [&](int times, double doubles) {
    return counts_of(Operation::broadcast, "multiring", shape, durations_of(machine, doubles),
                     times)
        .longest;
  };
  const schedule::Time first = time_by(model, "first", {});
  const schedule::Time next = time_by(model, "next", {});
  schedule::Time all = first;
  for (int i = 1; i < repetitions; ++i) all = all + next;
  constexpr double in_symbols = 10000;  // the counts are the same for all long messages
  add_counts(result, "first broadcast, last processor", first, broadcasts(1, in_symbols));
  add_counts(result, fmt::format("{} broadcasts, last processor", repetitions), all,
             broadcasts(repetitions, in_symbols));
  const machine::Machine simulated = simulated_machine(machine.file, Ports::of_file);
  const schedule::Generator& generator = algorithm_named(Operation::broadcast, "multiring");
  for (const double n : {10000., 50000.}) {
    result
        .row(fmt::format("first broadcast, {} doubles", n), predicted(first, machine).at(n),
             predicted(broadcasts(1, n), machine).at(n), "us", counted_in_times)
        .on("first broadcast", n);
    const Line paper = predicted(all, machine) + (repetitions - 1.0) * machine.copy;
    const double ours =
        collective_time(simulated, generator, shape, static_cast<std::int64_t>(8 * n), repetitions);
    result
        .row(fmt::format("average of {}, {} doubles", repetitions, n), paper.at(n) / repetitions,
             ours / repetitions + machine.copy.at(n), "us", "simulator, and Tm")
        .on(fmt::format("average of {}", repetitions), n);
    add_source(result, machine, n);
  }
  result.x_axis = "doubles";
  add_parameters(result, machine);
  add_parameters(result, simulated);
  add_notes_of_rings(result, machine);
  return result;
}

// A topology of figures 20 to 23.
struct Candidate {
  const char* name;
  const char* algorithm;
  Shape shape;
};
const Candidate candidates[] = {
    {"hypercube", "hypercube", {.p = blacs_processors}},
    {"1-tree", "tree", {.p = blacs_processors, .branches = 1}},
    {"increasing ring", "increasing_ring", {.p = blacs_processors}},
    {"3-ring", "multiring", {.p = blacs_processors, .rings = 3}},
};

// Simulates one broadcast on the machine of the file. The BLACS copy first where sends wait.
double survey_time(const Candidate& candidate, const machine::Machine& simulated,
                   const BlacsMachine& machine, double doubles) {
  return machine.copy.at(doubles) +
         collective_time(simulated, algorithm_named(Operation::broadcast, candidate.algorithm),
                         candidate.shape, static_cast<std::int64_t>(8 * doubles));
}

bool is_ring(const Candidate& candidate) {
  return std::string_view(candidate.name).ends_with("ring");
}

Result survey(const Item& item) {
  Result result;
  const BlacsMachine machine =
      blacs_machines().at(static_cast<std::size_t>(std::stoi(item.number) - 20));
  const machine::Machine simulated = simulated_machine(machine.file, Ports::of_file);
  const std::string& theirs = item.printed.text("best");
  const Tolerance error{printed("000-table-11").number(machine.key + ".best") / 100, 0,
                        "the error of the paper's own prediction of its best topology, table 11"};
  constexpr double never = std::numeric_limits<double>::infinity();
  for (const double doubles : {10000., 50000.}) {
    double of_rings = never, of_trees = never, of_theirs = 0;
    for (const Candidate& candidate : candidates) {
      const double time = survey_time(candidate, simulated, machine, doubles);
      double& fastest = candidate.name == theirs ? of_theirs
                        : is_ring(candidate)     ? of_rings
                                                 : of_trees;
      fastest = candidate.name == theirs ? time : std::min(fastest, time);
      result
          .row(fmt::format("{}, {} doubles", candidate.name, doubles), {}, time, "us",
               "simulator, and Tm")
          .on(candidate.name, doubles);
    }
    give_system(result, machine, "000-table-12", doubles);
    const bool all = !item.printed.has("against");  // against the rings alone
    result.says_shorter(fmt::format("{} is {}, {} doubles", theirs,
                                    all ? "the fastest" : "faster than the rings", doubles),
                        of_theirs, all ? std::min(of_rings, of_trees) : of_rings,
                        "of the four above", error);
  }
  result.x_axis = "doubles";
  add_parameters(result, machine);
  add_parameters(result, simulated);
  result.notes.emplace_back(
      "One broadcast each, so rings do not gain from following each other. The paper's points are "
      "not in its text; which topology is best is what its later figures say. The system's "
      "broadcast is drawn by the paper's own fit in table 12; its algorithm is not printed, so "
      "nothing of ours stands beside it.");
  return result;
}

constexpr Run runs[] = {
    {"000-table-9", table_9},          {"000-table-10", table_10},
    {"000-figure-24", figure_of_ring}, {"000-figure-20", survey},
    {"000-figure-21", survey},         {"000-figure-22", survey},
    {"000-figure-23", survey},         {"000-figure-26", figure_of_ring},
    {"000-figure-28", figure_of_ring}, {"000-figure-30", figure_of_ring},
};

}  // namespace
}  // namespace blacs_topologies_items

std::span<const Run> blacs_topologies() {
  return blacs_topologies_items::runs;
}

}  // namespace tutti::papers
