// SPDX-License-Identifier: BSD-3-Clause
// States lower bounds, and counts messages as long as there is time.
#include "selection/pricing.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "algorithms/adopted.hpp"
#include "machine/mesh.hpp"
#include "selection/contention.hpp"
#include "selection/headers.hpp"

namespace tutti::selection {
namespace {

constexpr double no_conflicts = std::numeric_limits<double>::infinity();

// Sizes by which plans are found that are the best at some size.
constexpr std::array<double, 8> sizes{1, 16, 256, 4096, 65536, 1 << 20, 1 << 24, 1 << 28};

// A plan whose counting would take more than a part of the limit waits until the others have had
// their turn. Where the bounds are far below the prices, as on hosts, one long plan would otherwise
// use up the limit before any other is counted.
constexpr std::array<std::int64_t, 3> parts_of_turns{16, 4, 1};

// Returns the order in which alternatives are counted: by how near each comes to the best bound, at
// the size where it comes nearest.
std::vector<std::size_t> order_of(const std::vector<Alternative>& all, const Rates& rates) {
  std::array<double, sizes.size()> best;
  best.fill(no_conflicts);
  for (std::size_t i = 0; i < sizes.size(); ++i)
    for (const Alternative& a : all) best[i] = std::min(best[i], time(a.terms, rates, sizes[i]));
  std::vector<double> nearest;
  for (const Alternative& a : all) {
    double ratio = no_conflicts;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      const double bound = time(a.terms, rates, sizes[i]);
      ratio = std::min(ratio, best[i] > 0 ? bound / best[i] : bound);
    }
    nearest.push_back(ratio);
  }
  std::vector<std::size_t> order(all.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](auto a, auto b) { return nearest[a] < nearest[b]; });
  return order;
}

}  // namespace

Pricing::Pricing(const Question& question, const Sharing& sharing)
    : question_(question), sharing_(sharing) {
  if (question.p == 1) return;
  if (!question.hosts.empty()) {
    ways_ = std::make_unique<HostWays>(question.hosts, sharing.remote);
  } else if (sharing.network != nullptr) {
    ways_ = std::make_unique<NetworkWays>(*sharing.network, sharing.link, sharing.nodes);
  } else if (!std::isinf(sharing.kappa)) {
    const int rows = question.rows();
    mesh_ = std::make_unique<machine::Mesh>(std::vector<int>{rows, question.p / rows},
                                            machine::Mesh::Border::open);
    ways_ = std::make_unique<NetworkWays>(*mesh_, 1 / sharing.kappa, sharing.nodes);
  }
}

std::vector<double> Pricing::kappas() const {
  if (!question_.hosts.empty() || !counts()) return {sharing_.kappa};
  // A line whose links are slow prefers near partners; the order of a hybrid's factors says how
  // near. Few of these hybrids differ.
  std::vector<double> all{no_conflicts, 1, 8, 64};
  if (!std::isinf(sharing_.kappa)) all.push_back(sharing_.kappa);
  return all;
}

// Returns the least part of a start-up that a further message of a round costs.
double Pricing::least_start() const {
  const NodeTimes& nodes = sharing_.nodes;
  if (!question_.hosts.empty() || nodes.ports == machine::Ports::unlimited) return 0;
  return std::min({1.0, nodes.next_send, nodes.next_receive});
}

bool Pricing::state(Alternative& a) const {
  if (a.generator->parameter == schedule::Parameter::factors_and_cut) {
    state_hybrid(a);
    return true;
  }
  const schedule::Shape shape = a.settings.shape(question_.p, question_.root);
  const auto known = stated(*a.generator, shape);
  if (!known) return false;
  a.terms = known->terms;
  a.basis = known->bound ? Basis::bound : Basis::formula;
  if (!counts()) return true;
  a.basis = Basis::at_least;
  // The cost that a registered generator states has not been compared with counts.
  if (known->bound || algorithms::source_of(*a.generator) != nullptr) a.terms = {};
  const NodeTimes& nodes = sharing_.nodes;
  a.terms.alpha = std::max(known->rounds, least_start() * a.terms.alpha);
  a.terms.beta *= nodes.ports == machine::Ports::unlimited
                      ? 0
                      : std::min({1.0, nodes.send_byte, nodes.receive_byte});
  return true;
}

// Where messages are counted, no two of them meet in the bound. Ranks that stand for two members
// may serve both by one message, so uneven groups have no bound.
void Pricing::state_hybrid(Alternative& a) const {
  const Strategy strategy = strategy_of(a.settings, question_.p);
  if (!counts()) {
    a.terms = cost(question_.operation, strategy, sharing_.kappa, sharing_.remote);
    return;
  }
  std::int64_t members = 1;
  for (const Factor& factor : strategy.factors) members *= factor.size;
  a.terms = members == question_.p ? cost(question_.operation, strategy, no_conflicts) : Terms{};
  a.basis = Basis::at_least;
}

std::int64_t Pricing::count(Alternative& a, std::int64_t most) const {
  if (!counts()) return 0;
  const schedule::Shape shape = a.settings.shape(question_.p, question_.root);
  const std::int64_t steps = steps_to_count(*a.generator, shape, most + 1);
  if (steps > most) return 0;
  const Counted found = counted(*a.generator, shape, *ways_);
  a.terms = found.terms;
  a.distance = found.distance;
  a.basis = question_.hosts.empty() ? Basis::counted : Basis::counted_on_hosts;
  return steps;
}

// Counts in the order of the bounds until the next bound is above the least price.
std::int64_t Pricing::count_for_size(std::vector<Alternative>& all, std::int64_t most) const {
  const auto price = [&](const Alternative& a) {
    return time(a.terms, sharing_.rates, sharing_.bytes);
  };
  std::vector<std::pair<double, std::size_t>> order;
  for (std::size_t i = 0; i < all.size(); ++i) order.emplace_back(price(all[i]), i);
  std::sort(order.begin(), order.end());
  double least = no_conflicts;
  const std::int64_t limit = most;
  for (const std::int64_t parts : parts_of_turns) {
    for (const auto& [bound, i] : order) {
      if (bound >= least) break;
      if (!all[i].is_lower_bound()) continue;
      most -= count(all[i], std::min(limit / parts, most));
      if (!all[i].is_lower_bound()) least = std::min(least, price(all[i]));
    }
  }
  return most;
}

void Pricing::count_all(std::vector<Alternative>& all) const {
  if (!counts()) return;
  const std::vector<std::size_t> order = order_of(all, sharing_.rates);
  const std::int64_t limit = most_counted(question_.p);
  std::int64_t left = limit;
  if (sharing_.bytes > 0) left = count_for_size(all, left);
  for (const std::int64_t parts : parts_of_turns)
    for (const std::size_t i : order)
      if (all[i].is_lower_bound()) left -= count(all[i], std::min(limit / parts, left));
}

}  // namespace tutti::selection
