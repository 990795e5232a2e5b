// SPDX-License-Identifier: BSD-3-Clause
// Paper 004: what it conjectures and could not run. The standard exchange on cubes that were never
// built (a footnote of section 6.2), and the multiphase exchange with the choices of its six
// implementations (section 7).
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>

#include "papers/004/exchange_longest.hpp"
#include "papers/common/runs.hpp"
#include "papers/common/simulated.hpp"

namespace tutti::papers {
namespace exchange_beyond_items {
namespace {

constexpr double never = std::numeric_limits<double>::infinity();
constexpr const char* of_longest = "simulator, longest time of all runs";

// The law of section 2 for an implementation with neither contention nor disturbance: no run can be
// faster.
double least_time(const std::string& name, int dimension, std::int64_t block) {
  const Exchange exchange = exchange_named(name);
  const machine::Machine machine = undisturbed(machine_on(
      "ipsc860", fmt::format("hypercube:{}", dimension), "a larger cube than was built"));
  return formula_of(exchange, machine, 1 << dimension, block, exchange.implementation->sync);
}

// ---- section 6.2 ----

// The implementations whose messages are too many to simulate on the largest cubes.
double least_of_others(int dimension, std::int64_t block) {
  double least = never;
  for (const char* name : {"linear", "stable", "pairwise_F", "pairwise_U"})
    least = std::min(least, least_time(name, dimension, block));
  return least;
}

Result larger_cubes(const Item&) {
  Result result;
  for (int d = 7; d <= 9; ++d) {
    std::vector<std::int64_t> led;
    for (std::int64_t block = 1; block <= 128; block *= 2) {
      const double forced = longest("standard_F", d, block);
      const double others = std::min(longest("standard_U", d, block), least_of_others(d, block));
      if (forced < (1 - error_of_model().relative) * others) led.push_back(block);
      if (block != 8 && block != 16) continue;
      result.row(fmt::format("d = {}, {} B: standard_F over standard_U", d, block), {},
                 forced / longest("standard_U", d, block), "", of_longest);
      result.row(fmt::format("d = {}, {} B: standard_F over the law of the others", d, block), {},
                 forced / least_of_others(d, block), "",
                 "simulator, against the least time that the laws allow");
    }
    result.row(fmt::format("d = {}: sizes for which standard_F is the best", d), {},
               fmt::format("{}", fmt::join(led, ", ")), "bytes", "of these times");
  }
  add_machine(result);
  result.notes.emplace_back(
      "The largest iPSC/860 has dimension 7. For the four implementations that send a message to "
      "each node, the law of section 2 stands in place of runs: it is a bound, because no run is "
      "faster than one without contention and disturbance. Standard_F is called the best where it "
      "is faster than this bound, too, so there may be more such sizes, and not fewer.");
  return result;
}

// ---- section 7 ----

struct Fastest {
  std::string name = "none";
  double time = never;
  void offer(const std::string& other, double other_time) {
    if (other_time < time) *this = {other, other_time};
  }
};

Fastest fastest_of_six(int dimension, std::int64_t block) {
  Fastest found;
  for (const char* name : six())
    if (competes(name, block)) found.offer(name, longest(name, dimension, block));
  return found;
}

// All partitions but those that are the pairwise and the standard exchange themselves.
Fastest fastest_multiphase(int dimension, std::int64_t block) {
  Fastest found;
  for (const std::vector<int>& partition : partitions(dimension)) {
    if (partition.size() == 1 || partition.front() == 1) continue;
    for (const char* kind : {"multiphase_F", "multiphase_U"}) {
      const std::string name = fmt::format("{}:{}", kind, fmt::join(partition, "+"));
      found.offer(name, longest(name, dimension, block));
    }
  }
  return found;
}

Result multiphase(const Item&) {
  Result result;
  for (int d = 5; d <= 6; ++d) {
    for (const std::int64_t block : {1, 4, 16, 64}) {
      const Fastest six = fastest_of_six(d, block), phases = fastest_multiphase(d, block);
      const std::string where = fmt::format("d = {}, {} B: ", d, block);
      result.row(where + "the fastest of the six, " + six.name, {}, six.time, "us", of_longest);
      result.row(where + "the fastest multiphase, " + phases.name, {}, phases.time, "us",
                 of_longest);
      result.row(where + "multiphase over the fastest of the six", {}, phases.time / six.time, "",
                 "of these two");
    }
  }
  add_machine(result);
  result.notes.emplace_back(
      "The paper combines standard_F and pairwise_F in a companion report (ICASE 91-5), and says "
      "that its results can make that faster. Here unforced messages without synchronisation are "
      "such a combination: multiphase_U.");
  return result;
}

constexpr Run runs[] = {{"004-larger-cubes", larger_cubes}, {"004-multiphase", multiphase}};

}  // namespace
}  // namespace exchange_beyond_items

std::span<const Run> exchange_beyond() {
  return exchange_beyond_items::runs;
}

}  // namespace tutti::papers
