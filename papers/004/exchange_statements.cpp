// SPDX-License-Identifier: BSD-3-Clause
// Paper 004: what its text says about messages and about the implementations, beside what the
// simulator gives.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "papers/004/exchange_longest.hpp"
#include "papers/common/runs.hpp"
#include "papers/common/simulated.hpp"

namespace tutti::papers {
namespace exchange_statements_items {
namespace {

constexpr const char* simulated = "simulator";
constexpr const char* of_longest = "simulator, longest time of all runs";
constexpr std::int64_t largest = 4096;

// ---- section 2: messages ----

Result section_2_2(const Item& item) {
  Result result;
  const Printed& figure = printed("004-figure-2");
  const auto law = [&](double links) {
    return figure.number("forced.alpha") + 4 * figure.number("forced.beta") +
           links * figure.number("forced.hop");
  };
  result
      .row("4 bytes, 7 links over 1 link", item.printed.number("far_over_near"), law(7) / law(1),
           "", "the law that the text prints")
      .within_paper = true;
  const machine::Machine forced = undisturbed(machine::load_machine("ipsc860-forced"));
  result.row("4 bytes, 7 links over 1 link, simulated", {},
             messages_time(forced, {{0, 127}}, 4) / messages_time(forced, {{0, 1}}, 4), "",
             simulated);
  add_parameters(result, forced);
  result.notes.emplace_back(
      "The text says that it is nearly double. The paper's own law gives 168.7 us over 106.9 us.");
  return result;
}

// The paths of figure 1: the first and the third share a node, and the first and the second an
// edge.
Result section_2_3(const Item& item) {
  Result result;
  const machine::Machine machine =
      undisturbed(machine_on("ipsc860-forced", "hypercube:5", part_of_the_cube));
  constexpr std::pair first{0, 31}, shares_edge{2, 23}, shares_node{14, 11};
  for (const int bytes : {0, 100, 1000}) {
    const double alone = messages_time(machine, {first}, bytes);
    Row& row =
        result.row(fmt::format("{} bytes: with a message that shares a node, over alone", bytes),
                   item.printed.number("node"),
                   messages_time(machine, {first, shares_node}, bytes) / alone, "", simulated);
    row.fitted = true;  // the simulator was made so
    result.row(fmt::format("{} bytes: with a message that shares an edge, over alone", bytes), {},
               messages_time(machine, {first, shares_edge}, bytes) / alone, "", simulated);
  }
  add_parameters(result, machine);
  result.notes.emplace_back(
      "The simulator has no resource for what passes through a node, because the paper saw no "
      "effect: the ratio shows that nothing else slows such messages.");
  return result;
}

// ---- section 4: its footnote ----

Result section_4(const Item&) {
  Result result;
  for (int d = 5; d <= 7; ++d) {
    for (const std::int64_t block : {128, 1024}) {
      result.says_shorter(fmt::format("d = {}, {} B: naive is faster than standard_F", d, block),
                          longest("naive", d, block), longest("standard_F", d, block), of_longest,
                          error_of_model());
    }
  }
  add_machine(result);
  return result;
}

// ---- section 6 ----

// We take a jump of one byte to be drastic if it adds more to the time than the default tolerance.
constexpr double drastic = 0.1;

// The size after which a block of one more byte costs the most, and what it then adds to the time.
struct Jump {
  std::int64_t after = 0;
  double part = 0;  // of the time before
};

Jump jump_of(const char* name, int dimension) {
  const machine::Machine machine =
      undisturbed(machine_on("ipsc860", fmt::format("hypercube:{}", dimension), part_of_the_cube));
  std::vector<double> times(129);
  on_all_processors(times.size(), [&](std::size_t block) {
    const Scene scene = scene_of(exchange_named(name), machine, 1 << dimension,
                                 static_cast<std::int64_t>(block), Sync::none);
    times[block] = time_of(scene.machine, scene.job);
  });
  std::vector<double> rises(times.size());
  std::adjacent_difference(times.begin(), times.end(), rises.begin());
  const auto after = std::max_element(rises.begin() + 1, rises.end()) - rises.begin() - 1;
  const auto at = static_cast<std::size_t>(after);
  return {after, rises[at + 1] / times[at]};
}

// The text says that the jump is drastic in all plots, and prints no height.
void add_jump(Result& result, const char* name, int dimension, double size) {
  const Jump jump = jump_of(name, dimension);
  result.row(fmt::format("d = {}: last size before the jump of {}", dimension, name), size,
             static_cast<double>(jump.after), "bytes", simulated,
             exact("a size at which something changes"));
  result.row(fmt::format("d = {}: what the jump of {} adds to the time", dimension, name), {},
             100 * jump.part, "%", simulated);
  result.says(fmt::format("d = {}: the jump of {} is drastic", dimension, name),
              jump.part > drastic, simulated);
}

Result section_6_1(const Item& item) {
  Result result;
  const double bytes = item.printed.number("jump");
  for (int d = 1; d <= 7; ++d)
    add_jump(result, "standard_U", d, std::floor(bytes / (1 << (d - 1))));
  for (int d = 1; d <= 7; ++d) add_jump(result, "pairwise_U", d, bytes);
  add_parameters(result, machine::load_machine("ipsc860"));
  result.notes.emplace_back(
      "That messages above 100 bytes ask for room is in the machine file. The standard exchange "
      "sends 2^(d-1) blocks in a message, from which its jumps follow.");
  result.notes.push_back(fmt::format(
      "The text says that there is always a drastic jump, and prints no height: here that means "
      "that one more byte adds more than {} % to the time.",
      100 * drastic));
  return result;
}

Result section_6_2(const Item&) {
  Result result;
  for (int d = 1; d <= 7; ++d) {
    result.says_shorter(fmt::format("d = {}, 1 B: standard_U faster than standard_F", d),
                        longest("standard_U", d, 1), longest("standard_F", d, 1), of_longest,
                        error_of_model());
    bool crosses = false;
    for (std::int64_t block = 1; block <= largest; block *= 2)
      crosses = crosses || longest("standard_F", d, block) <
                               (1 - error_of_model().relative) * longest("standard_U", d, block);
    result.says(fmt::format("d = {}: standard_F is the faster one from some size on", d), crosses,
                of_longest);
  }
  add_machine(result);
  result.notes.emplace_back(
      "For the dimensions 1 and 2 ours crosses above 128 bytes only, where the paper has no "
      "points: there the ports of a node make it so, and not the jump of unforced messages that "
      "the paper names.");
  return result;
}

Result section_6_3(const Item&) {
  Result result;
  for (int d = 5; d <= 7; ++d) {
    int sizes = 0, won = 0;
    for (std::int64_t block = 1; block <= largest; block *= 2, ++sizes)
      won += longest("stable", d, block) <
                     (1 - error_of_model().relative) * longest("linear", d, block)
                 ? 1
                 : 0;
    result.row(fmt::format("d = {}: sizes of {} for which stable is faster than linear", d, sizes),
               {}, static_cast<double>(won), "", of_longest);
    constexpr int fitted_dimension = 5;  // the window of the machine file makes it so
    result
        .says(fmt::format("d = {}: stable is faster than linear for most sizes", d),
              2 * won > sizes, of_longest)
        .fitted = d == fitted_dimension;
  }
  add_machine(result);
  return result;
}

Result section_6_4(const Item& item) {
  Result result;
  for (int d = 2; d <= 7; ++d) {
    for (const std::int64_t block : {1, 8, 64})
      result.row(fmt::format("d = {}, {} B: pairwise_F over pairwise_U", d, block),
                 item.printed.number("u_over_f"),
                 longest("pairwise_F", d, block) / longest("pairwise_U", d, block), "", of_longest,
                 about_twice());
  }
  add_machine(result);
  return result;
}

// ---- section 7 ----

// The naive algorithm is the careless one: "careless programmers have been known to use it".
Result section_7(const Item& item) {
  Result result;
  const double low = item.printed.number("least");
  for (int d = 5; d <= 7; ++d) {
    for (const std::int64_t block : {1024, 4096}) {
      double best = std::numeric_limits<double>::infinity();
      for (const std::string name : six())
        if (competes(name, block)) best = std::min(best, longest(name, d, block));
      const double ratio = longest("naive", d, block) / best;
      result.row(fmt::format("d = {}, {} B: naive over the fastest", d, block), {}, ratio, "",
                 of_longest);
      result.says(fmt::format("d = {}, {} B: naive takes at least {} times as long", d, block, low),
                  ratio >= low, of_longest);
    }
  }
  add_machine(result);
  return result;
}

constexpr Run runs[] = {
    {"004-section-2.2", section_2_2}, {"004-section-2.3", section_2_3},
    {"004-section-4", section_4},     {"004-section-6.1", section_6_1},
    {"004-section-6.2", section_6_2}, {"004-section-6.3", section_6_3},
    {"004-section-6.4", section_6_4}, {"004-section-7", section_7},
};

}  // namespace
}  // namespace exchange_statements_items

std::span<const Run> exchange_statements() {
  return exchange_statements_items::runs;
}

}  // namespace tutti::papers
