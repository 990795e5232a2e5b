// SPDX-License-Identifier: BSD-3-Clause
// Checks that TUTTI_VERIFY proves what plans execute: errors of the lowering are found, not only
// those of the schedule.
#include "engine/proof.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <numeric>

#include "algorithms/registry.hpp"
#include "base/error.hpp"
#include "engine/plan.hpp"
#include "engine/unconnected.hpp"
#include "schedule/normalize.hpp"
#include "schedule/printer.hpp"

namespace tutti::engine {
namespace {

using schedule::Do;
using schedule::Operation;

const schedule::Generator& algorithm(Operation operation, const char* name) {
  return *algorithms::find(operation, name);
}

std::vector<int> ranks_below(int p) {
  std::vector<int> ranks(static_cast<std::size_t>(p));
  std::iota(ranks.begin(), ranks.end(), 0);
  return ranks;
}

// Leads to the wrong one of endpoints 1 and 2.
class Crossed final : public transport::Transport {
 public:
  explicit Crossed(int endpoints) : Transport(defaults, {}), right_(endpoints) {}
  [[nodiscard]] int self() const override { return 0; }
  transport::Channel& channel(int endpoint) override {
    return right_.channel(endpoint == 1 ? 2 : endpoint == 2 ? 1 : endpoint);
  }
  transport::Lent acquire(std::uint32_t, std::uint32_t, int) override { return {}; }
  [[nodiscard]] transport::Idler& idler() override { return right_.idler(); }
  [[nodiscard]] const transport::Clock& clock() override { return right_.clock(); }

 private:
  static constexpr base::Tuning defaults{};
  Unconnected right_;
};

std::string problem_of(transport::Transport& transport, const schedule::Generator& generator) {
  const group::Members members(ranks_below(3), 0);
  const Plan plan(members, 0, {.generator = &generator}, transport);
  try {
    plan.verify();
  } catch (const base::Error& error) {
    return error.what();
  }
  return {};
}

TEST(ProofOfPlans, APlanThatTakesMessagesOfTheWrongRankIsFound) {
  const schedule::Generator& reduce = algorithm(Operation::reduce, "fully_connected");
  Unconnected right(3);
  Crossed crossed(3);
  EXPECT_EQ(problem_of(right, reduce), "");
  EXPECT_NE(problem_of(crossed, reduce)
                .find("is not right: result: output[0] of rank 0 is ((0+2)+1), not in rank order"),
            std::string::npos)
      << problem_of(crossed, reduce);
}

TEST(ProofOfPlans, APlanThatSendsToTheWrongRankIsFound) {
  const schedule::Generator& scatter = algorithm(Operation::scatter, "fully_connected");
  Unconnected right(3);
  Crossed crossed(3);
  EXPECT_EQ(problem_of(right, scatter), "");
  EXPECT_NE(problem_of(crossed, scatter), "");
}

// Lowers the Programs of all ranks, changes one plan, and proves what is then executed.
std::string changed(const schedule::Generator& generator, int p, int rank,
                    const std::function<void(LoweredPlan&)>& change) {
  const schedule::Shape shape{.p = p};
  const std::vector<int> endpoints = ranks_below(p);
  std::vector<schedule::Program> programs;
  Unconnected transport(p);
  for (int me = 0; me < p; ++me) {
    LoweredPlan plan =
        lower(schedule::normalized(schedule::build(generator, shape, schedule::Rank{me})),
              generator.buffers(shape), transport, endpoints, me);
    if (me == rank) change(plan);
    programs.push_back(raise(plan, endpoints));
  }
  return refutation(generator, shape, programs);
}

// Every span, operand and operation of these plans matters, so every such change must be found.
TEST(ProofOfPlans, EveryWrongMicroOperationIsFound) {
  for (const auto& [operation, name] :
       {std::pair{Operation::allreduce, "halving_doubling"},
        std::pair{Operation::allgather, "ring"}, std::pair{Operation::alltoall, "bruck"},
        std::pair{Operation::reduce, "mst"}}) {
    const schedule::Generator* generator = algorithms::find(operation, name);
    ASSERT_NE(generator, nullptr) << name;
    LoweredPlan size;
    ASSERT_EQ(changed(*generator, 4, 0, [&](LoweredPlan& plan) { size = plan; }), "") << name;
    for (std::size_t i = 0; i < size.spans.size(); ++i)
      EXPECT_NE(changed(*generator, 4, 0, [&](LoweredPlan& plan) { ++plan.spans[i].first; }), "")
          << name << " span " << i;
    for (std::size_t i = 0; i < size.ops.size(); ++i) {
      EXPECT_NE(
          changed(*generator, 4, 0,
                  [&](LoweredPlan& plan) { plan.ops[i].spans.end = plan.ops[i].spans.begin; }),
          "")
          << name << " op " << i << " without blocks";
      if (size.ops[i].operands.size() == 0) continue;
      EXPECT_NE(changed(*generator, 4, 0, [&](LoweredPlan& plan) { ++plan.ops[i].operands.begin; }),
                "")
          << name << " op " << i << " without its first operand";
    }
  }
}

}  // namespace
}  // namespace tutti::engine
