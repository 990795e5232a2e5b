// SPDX-License-Identifier: BSD-3-Clause
// Counts few plans: those with few rounds first, and no plan whose rounds alone cost more than the
// best plan found.
#include "selection/host_ranking.hpp"

#include <algorithm>

#include "algorithms/adopted.hpp"
#include "algorithms/registry.hpp"
#include "base/error.hpp"

namespace tutti::selection {
namespace {

using schedule::Generator;

// Counting a plan builds the Programs of its ranks. Plans with more rounds of ranks are no
// candidates, because counting them would take more than some milliseconds.
constexpr std::int64_t most_rounds_of_ranks = 1 << 16;

schedule::Shape shape_of(int p) {
  schedule::Shape shape;
  shape.p = p;
  return shape;
}

bool is_countable(const Generator& generator, const schedule::Shape& shape) {
  const std::int64_t ranks = generator.alike ? 1 : shape.p;
  return ranks * generator.rounds(shape) <= most_rounds_of_ranks;
}

void require_countable(const Generator& generator, const schedule::Shape& shape) {
  if (is_countable(generator, shape)) return;
  base::fail(base::Status::no_such_plan,
             "{} of {} ranks has {} rounds, too many to count its price in shared memory",
             generator.name, shape.p, generator.rounds(shape));
}

bool is_candidate(const Generator& generator, const schedule::Shape& shape) {
  if (!algorithms::is_candidate(generator) || !generator.applies(shape)) return false;
  if (generator.parameter != schedule::Parameter::none) return false;
  return is_countable(generator, shape);
}

// A barrier has no blocks.
double parts_of(const Generator& generator, const schedule::Shape& shape) {
  return std::max(1, generator.buffers(shape).parts);
}

HostPlan plan_of(const Generator& generator, const schedule::HostCounts& counts, double parts,
                 std::int64_t bytes, const HostRates& rates, const HostPlace& place) {
  return {&generator, counts, parts,
          host_times(counts, rates, static_cast<double>(bytes) / parts, place)};
}

bool may_serve(const Generator& generator, const Question& question) {
  return rejection({&generator, {}, {}, {}, {}}, question).empty();
}

// Returns the shape by which a plan is judged: that of root 0, as in the choice. A generator of the
// user's may serve another root only.
schedule::Shape judged_shape(const Generator& generator, const Settings& settings,
                             const Question& question) {
  const schedule::Shape shape = settings.shape(question.p);
  return generator.applies(shape) ? shape : settings.shape(question.p, question.root);
}

}  // namespace

bool can_be_priced(const Generator& generator, const Settings& settings, const Question& question) {
  return is_countable(generator, judged_shape(generator, settings, question));
}

HostPlan host_plan(const Generator& generator, const Settings& settings, const Question& question,
                   std::int64_t bytes, const HostRates& rates, int processors) {
  const schedule::Shape shape = judged_shape(generator, settings, question);
  require_countable(generator, shape);
  return plan_of(generator, schedule::host_counts(generator, shape), parts_of(generator, shape),
                 bytes, rates, {question.p, processors});
}

std::vector<HostRanking::Entry>& HostRanking::entries_of(schedule::Operation operation, int p) {
  const auto found = known_.find({operation, p});
  if (found != known_.end()) return found->second;
  // A generator of the user's may throw here, and then nothing must be kept.
  std::vector<Entry> entries;
  const schedule::Shape shape = shape_of(p);
  for (const Generator* generator : algorithms::all()) {
    if (generator->operation != operation || !is_candidate(*generator, shape)) continue;
    entries.push_back({generator, parts_of(*generator, shape), generator->rounds(shape), {}});
  }
  std::stable_sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    return std::pair(a.rounds, a.generator->commutative_only()) <
           std::pair(b.rounds, b.generator->commutative_only());
  });
  return known_.emplace(Key{operation, p}, std::move(entries)).first->second;
}

HostPlan HostRanking::priced(Entry& entry, int p, std::int64_t bytes) const {
  if (!entry.counts) entry.counts = schedule::host_counts(*entry.generator, shape_of(p));
  return plan_of(*entry.generator, *entry.counts, entry.parts, bytes, rates_, {p, processors_});
}

double HostRanking::least_time(const Entry& entry, int p) const {
  if (algorithms::source_of(*entry.generator) != nullptr) return 0;  // may have silent rounds
  const double round = p <= processors_ ? rates_.line : rates_.round;
  return std::max(0, entry.rounds - rounds_without_messages) * round;
}

std::optional<HostPlan> HostRanking::best(const Question& question, std::int64_t bytes) {
  std::optional<HostPlan> best;
  for (Entry& entry : entries_of(question.operation, question.p)) {
    if (best && least_time(entry, question.p) > best->times.total()) continue;
    const HostPlan plan = priced(entry, question.p, bytes);
    const bool cheaper = !best || plan.times.total() < best->times.total();
    // To find whether a plan combines in the canonical order takes longer than to price it.
    if (cheaper && may_serve(*entry.generator, question)) best = plan;
  }
  return best;
}

std::vector<HostPlan> HostRanking::all(const Question& question, std::int64_t bytes) {
  std::vector<HostPlan> plans;
  for (Entry& entry : entries_of(question.operation, question.p)) {
    if (may_serve(*entry.generator, question)) plans.push_back(priced(entry, question.p, bytes));
  }
  std::stable_sort(plans.begin(), plans.end(), [](const HostPlan& a, const HostPlan& b) {
    return a.times.total() < b.times.total();
  });
  return plans;
}

}  // namespace tutti::selection
