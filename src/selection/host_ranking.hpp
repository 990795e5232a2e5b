// SPDX-License-Identifier: BSD-3-Clause
// Chooses among the plans for processes on one host, by the price in host_price.hpp. The plans are
// the candidates without settings: on one host, in contrast to networks, no measured cell needed a
// tree of another width, a hybrid or a number of segments by much.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "selection/alternatives.hpp"
#include "selection/host_price.hpp"

namespace tutti::selection {

// A plan has at most so many rounds in which nobody takes a message. A test compares this with the
// counts of all candidates.
inline constexpr int rounds_without_messages = 2;

// A plan, what it costs, and its price for a vector of the size that was asked for.
struct HostPlan {
  const schedule::Generator* generator = nullptr;
  schedule::HostCounts counts;
  double parts = 1;  // blocks of the vector
  HostTimes times;
};

// Returns false if the plan has too many rounds to be counted.
[[nodiscard]] bool can_be_priced(const schedule::Generator& generator, const Settings& settings,
                                 const Question& question);
// Prices one plan, which must serve the shape, for root 0. Throws Error(no_such_plan) if it cannot
// be priced.
[[nodiscard]] HostPlan host_plan(const schedule::Generator& generator, const Settings& settings,
                                 const Question& question, std::int64_t bytes,
                                 const HostRates& rates, int processors);

// Keeps the counts of plans from the first time they are needed. They depend on the number of ranks
// but not on the size; those of plans with a root are taken with root 0. Only one thread at a time
// may use it.
class HostRanking {
 public:
  // `processors` is the number that the job may use.
  HostRanking(const HostRates& rates, int processors) : rates_(rates), processors_(processors) {}

  // Returns the cheapest plan that may serve the question, for `bytes` of the whole vector. If
  // several cost the same, it takes one with the fewest rounds, and of these one that serves any
  // operator. Returns nothing if none may serve.
  [[nodiscard]] std::optional<HostPlan> best(const Question& question, std::int64_t bytes);
  // Returns all plans that may serve, the cheapest first.
  [[nodiscard]] std::vector<HostPlan> all(const Question& question, std::int64_t bytes);

  [[nodiscard]] int processors() const { return processors_; }
  [[nodiscard]] const HostRates& rates() const { return rates_; }

 private:
  struct Entry {
    const schedule::Generator* generator;
    double parts;  // blocks of a vector
    int rounds;    // of the generator
    std::optional<schedule::HostCounts> counts;
  };
  using Key = std::pair<schedule::Operation, int>;

  std::vector<Entry>& entries_of(schedule::Operation operation, int p);
  [[nodiscard]] HostPlan priced(Entry& entry, int p, std::int64_t bytes) const;
  [[nodiscard]] double least_time(const Entry& entry, int p) const;

  HostRates rates_;
  int processors_;
  std::map<Key, std::vector<Entry>> known_;
};

}  // namespace tutti::selection
