// SPDX-License-Identifier: BSD-3-Clause
// Statements on numbers that are drawn.
#include "samples.hpp"

#include <iostream>
#include <random>

#include "proof.hpp"
#include "statement.hpp"

namespace tutti::prove {
namespace {

constexpr unsigned seed = 1994;
constexpr int most_ranks = 9;

// Draws the unknowns of a statement and its choices. Most of them are numbers of ranks, rounds and
// blocks, so most numbers are below p; some are out of range.
class Drawn {
 public:
  Drawn() : random_(seed) {}

  void begin() { p_ = 1 + number(most_ranks); }
  [[nodiscard]] Numbers numbers() {
    return {[this](const std::string& name) { return std::int64_t{name == "p" ? p_ : drawn()}; },
            [this](int count) { return number(count); }};
  }
  [[nodiscard]] int p() const { return p_; }

 private:
  int number(int end) { return static_cast<int>(random_() % static_cast<unsigned>(end)); }
  int drawn() { return number(8) == 0 ? number(3 * p_ + 4) - 2 : number(p_); }

  std::mt19937 random_;
  int p_ = 1;
};

// Returns what is wrong with a run, or an empty text.
std::string problem_of(const Report& report) {
  if (!report.differences.empty()) return report.differences.front();
  return report.open.empty() ? "" : "not true: " + report.open.front().obligation;
}

// Returns how many runs came to the end of the statement. Says the first thing that is wrong.
int complete_runs(const Statement& statement, const Subject& subject, int runs,
                  std::string& problem) {
  Drawn drawn;
  const Numbers numbers = drawn.numbers();
  int complete = 0;
  for (int i = 0; i < runs && problem.empty(); ++i) {
    drawn.begin();
    const Report report = explore_numbers([&] { statement.run(subject); }, numbers);
    for (const auto& [stage, reached] : report.stages) complete += reached.paths;
    problem = problem_of(report);
    if (!problem.empty()) problem += ", p = " + std::to_string(drawn.p());
  }
  return complete;
}

}  // namespace

namespace {

std::vector<Stage> stages_or_none(const Generator& generator) {
  try {
    return stages_of(generator);
  } catch (const Unsupported&) {
    // Without an invariant there is no statement to try.
  }
  return {};
}

}  // namespace

void print_samples(const Generator& generator, const std::string& name, int runs) {
  const Generator& looked = looked_at(generator);
  for (const bool in_place : {false, true}) {
    if (in_place && !prove_in_place(generator)) continue;
    const Subject subject{&looked, stages_or_none(looked), in_place};
    for (const Statement& statement : statements()) {
      if (!concerns(statement, subject)) continue;
      std::string problem;
      const int complete = complete_runs(statement, subject, runs, problem);
      if (!problem.empty()) std::cout << "DIFFERS: ";
      std::cout << name << (in_place ? " in place: " : ": ") << statement.name << ": " << complete
                << " of " << runs << (problem.empty() ? "" : ": " + problem) << std::endl;
    }
  }
}

}  // namespace tutti::prove
