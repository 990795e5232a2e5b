// SPDX-License-Identifier: BSD-3-Clause
// Paper 004, sections 5 and 6: the six implementations are simulated. Their behaviour and
// their order by time are compared with the paper.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "papers/004/exchange_longest.hpp"
#include "papers/common/runs.hpp"
#include "papers/common/simulated.hpp"
#include "simulate/simulate.hpp"

namespace tutti::papers {
namespace exchange_implementations_items {
namespace {

// ---- section 5: what an implementation does ----

// Sees in which phases of a job ranks synchronise, and in which they send.
class Seen : public simulate::Observer {
 public:
  void transfer(const simulate::Transfer& transfer) override { sends_in_ = transfer.name.phase; }
  void interval(const simulate::Interval& interval) override {
    if (interval.work == simulate::Activity::synchronise)
      last_synchronised_ = std::max(last_synchronised_, interval.phase);
    if (interval.work == simulate::Activity::synchronise)
      first_synchronised_ = std::min(first_synchronised_, interval.phase);
  }
  [[nodiscard]] std::string synchronisation() const {
    const bool global = first_synchronised_ < sends_in_;
    const bool pairs = last_synchronised_ == sends_in_;
    return global ? (pairs ? "global and pairwise" : "global") : (pairs ? "pairwise" : "none");
  }

 private:
  int sends_in_ = 0;
  int first_synchronised_ = std::numeric_limits<int>::max();
  int last_synchronised_ = 0;
};

constexpr std::int64_t long_block = 200;  // unforced messages of this length ask for room

Scene scene(const char* name, const machine::Machine& machine, Sync sync) {
  return scene_of(exchange_named(name), machine, machine.network.topology->nodes(), long_block,
                  sync);
}

// Messages are unforced if they ask for room. They are forced if one is lost whose receiver is
// late.
std::string messages_of(const char* name, machine::Machine machine, std::int64_t requests) {
  if (requests > 0) return "unforced";
  machine.node.drift = 1e6;
  const Scene late = scene(name, machine, Sync::none);
  try {
    (void)simulate::simulate(late.machine, late.job);
  } catch (const simulate::Failure& failure) {
    if (failure.kind() == simulate::Failure::Kind::lost) return "forced";
    throw;
  }
  return "kept";
}

Result table_5(const Item& item) {
  constexpr const char* seen_by = "what the ranks of a simulated run do";
  const machine::Machine machine = machine_on("ipsc860", "hypercube:3", part_of_the_cube);
  Result result;
  for (const char* name : six()) {
    Seen seen;
    simulate::SimulationOptions options;
    options.observer = &seen;
    const Scene run = scene(name, machine, exchange_named(name).implementation->sync);
    const simulate::Report report = simulate::simulate(run.machine, run.job, options);
    result.row(fmt::format("{}: synchronisation", name),
               item.printed.text(fmt::format("{}.synchronisation", name)), seen.synchronisation(),
               "", seen_by);
    result.row(fmt::format("{}: messages", name),
               item.printed.text(fmt::format("{}.messages", name)),
               messages_of(name, machine, report.controls), "", seen_by);
  }
  return result;
}

// ---- section 6: which one is the fastest ----

constexpr const char* simulated = "simulator, longest time of all runs";
constexpr std::int64_t smallest = 1, small = 8, largest = 4096;

void add_regions(Result& result, int dimension) {
  std::string last, regions;
  for (std::int64_t block = smallest; block <= largest; block *= 2) {
    const std::string best = fmt::format("{}", fmt::join(leaders(dimension, block), " or "));
    if (best != last)
      regions += fmt::format("{}{} from {}", regions.empty() ? "" : ", ", best, block);
    last = best;
  }
  result.row(fmt::format("dimension {}: the best, from which block size on", dimension), {},
             regions, "", simulated);
}

// The statement that an implementation is faster than all others.
void says_best(Result& result, const std::string& label, const std::string& name, int dimension,
               std::int64_t block) {
  double least = std::numeric_limits<double>::infinity();
  for (const std::string other : six()) {
    if (other == name || !competes(other, block)) continue;
    least = std::min(least, longest(other, dimension, block));
  }
  result.says_shorter(label, longest(name, dimension, block), least, simulated, error_of_model());
}

// The numbers of sizes for which an implementation is the fastest, alone or in a tie.
struct Sizes {
  int alone = 0, tied = 0;
};

Sizes sizes_led(const std::string& name, int dimension) {
  Sizes led;
  for (std::int64_t block = smallest; block <= largest; block *= 2) {
    const std::vector<std::string> best = leaders(dimension, block);
    if (std::ranges::find(best, name) == best.end()) continue;
    ++(best.size() == 1 ? led.alone : led.tied);
  }
  return led;
}

// The statement that an implementation is the best for no size. A tie does not confirm it.
void says_never_best(Result& result, const std::string& name, int dimension) {
  const Sizes led = sizes_led(name, dimension);
  Row& said = result.says(fmt::format("d = {}: {} is the best for no size", dimension, name),
                          led.alone == 0 && led.tied == 0, simulated);
  if (led.alone == 0 && led.tied > 0) said.ours = "tie";
}

void say_large_and_small(Result& result, int d) {
  says_best(result, fmt::format("d = {}: pairwise_F for large blocks", d), "pairwise_F", d,
            largest);
  says_best(result, fmt::format("d = {}: standard_U for the smallest blocks", d), "standard_U", d,
            smallest);
}

// Section 6.2: standard_F is useful for dimension 7 only.
void say_where_standard_f_wins(Result& result, int d) {
  if (d < 7) {
    says_never_best(result, "standard_F", d);
  } else {
    const Sizes led = sizes_led("standard_F", d);
    result.says(fmt::format("d = {}: standard_F is the best for a small range of sizes", d),
                led.alone > 0 && led.alone + led.tied <= 3, simulated);
  }
}

Result table_6(const Item&) {
  Result result;
  for (const int d : {3, 5, 7}) {
    add_regions(result, d);
    say_large_and_small(result, d);
  }
  for (int d = 1; d <= 7; ++d) say_where_standard_f_wins(result, d);
  add_machine(result);
  return result;
}

Result section_6_5(const Item&) {
  Result result;
  for (const int d : {1, 2}) {
    add_regions(result, d);
    says_best(result, fmt::format("d = {}: pairwise_U for small blocks", d), "pairwise_U", d,
              small);
  }
  says_best(result, "d = 1: linear for large blocks", "linear", 1, largest);
  says_never_best(result, "pairwise_F", 1);
  result.says_shorter("d = 1: pairwise_U needs no permutation, standard_U does",
                      longest("pairwise_U", 1, small), longest("standard_U", 1, small), simulated,
                      error_of_model());
  says_best(result, "d = 2: pairwise_F for large blocks", "pairwise_F", 2, largest);
  add_machine(result);
  return result;
}

Result section_6_6(const Item&) {
  Result result;
  for (const int d : {4, 6}) {
    add_regions(result, d);
    say_large_and_small(result, d);
  }
  add_machine(result);
  return result;
}

constexpr Run runs[] = {
    {"004-table-section-5", table_5},
    {"004-table-section-6", table_6},
    {"004-section-6.5", section_6_5},
    {"004-section-6.6", section_6_6},
};

}  // namespace
}  // namespace exchange_implementations_items

std::span<const Run> exchange_implementations() {
  return exchange_implementations_items::runs;
}

}  // namespace tutti::papers
