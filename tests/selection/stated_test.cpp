// SPDX-License-Identifier: BSD-3-Clause
// Checks that the terms by which choices are made are those that the verifier counts, and that the
// table of headers agrees with the registry.
#include <gtest/gtest.h>

#include <limits>

#include "algorithms/adopted.hpp"
#include "algorithms/registry.hpp"
#include "machine/mesh.hpp"
#include "schedule/printer.hpp"
#include "schedule/verifier.hpp"
#include "selection/alternatives.hpp"
#include "selection/contention.hpp"
#include "selection/headers.hpp"
#include "selection/names.hpp"

namespace tutti {
namespace {

using schedule::Operation;
using selection::Alternative;
using selection::Question;

constexpr double no_conflicts = std::numeric_limits<double>::infinity();

Question question(Operation operation, int p, int root = 0) {
  Question q;
  q.operation = operation;
  q.p = p;
  q.root = root;
  return q;
}

TEST(Stated, EveryGeneratorHasAHeader) {
  for (const schedule::Generator* generator : algorithms::all()) {
    if (algorithms::source_of(*generator) != nullptr) continue;  // another test has registered it
    const selection::AlgorithmHeader* header = selection::header_of(*generator);
    ASSERT_NE(header, nullptr) << schedule::to_text(generator->operation) << " " << generator->name;
    EXPECT_FALSE(header->source.empty()) << header->name;
    EXPECT_FALSE(header->needs.empty()) << header->name;
    EXPECT_TRUE(header->about.ends_with(".")) << header->name;
  }
}

class EveryOperationStated : public testing::TestWithParam<int> {
 protected:
  static Operation operation() { return static_cast<Operation>(GetParam()); }
};

// The cost of a hybrid is that of its strategy, which the tests hybrid_* compare.
TEST_P(EveryOperationStated, CostsWhatIsCounted) {
  for (const int p : {1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 16, 27, 31, 32, 33, 60, 64}) {
    for (const int root : {0, p - 1}) {
      for (const Alternative& a :
           selection::alternatives(question(operation(), p, root), {no_conflicts})) {
        if (a.generator->parameter == schedule::Parameter::factors_and_cut) continue;
        if (a.settings.segments > 64) continue;
        const schedule::Shape shape = a.settings.shape(p, root);
        const schedule::Verdict verdict = schedule::verify(*a.generator, shape);
        ASSERT_TRUE(verdict.correct()) << a.name << " p=" << p << ": " << verdict.problem;
        const double parts = a.generator->buffers(shape).parts;
        const selection::Terms counted{static_cast<double>(verdict.counts.alpha),
                                       static_cast<double>(verdict.counts.beta) / parts,
                                       static_cast<double>(verdict.counts.gamma) / parts};
        if (a.basis == selection::Basis::formula) {
          EXPECT_EQ(a.terms, counted) << a.name << " p=" << p;
        } else {
          EXPECT_GE(a.terms.alpha, counted.alpha) << a.name << " p=" << p;
          EXPECT_GE(a.terms.beta, counted.beta) << a.name << " p=" << p;
          EXPECT_GE(a.terms.gamma, counted.gamma) << a.name << " p=" << p;
        }
      }
    }
  }
}

std::string test_name(const testing::TestParamInfo<int>& tested) {
  return schedule::to_text(static_cast<Operation>(tested.param));
}

INSTANTIATE_TEST_SUITE_P(Stated, EveryOperationStated, testing::Range(0, schedule::operation_kinds),
                         test_name);

double beta_on(const char* name, int rows, int columns, double kappa) {
  const machine::Mesh mesh({rows, columns}, machine::Mesh::Border::open);
  return selection::shared_beta(*algorithms::find(Operation::broadcast, name),
                                {.p = rows * columns}, mesh, kappa);
}

// By algorithms.md 1.1, the tree that crosses the longest distance first loads no link twice. The
// one that begins with the shortest loads links 1, 2, 4, 8, 16 and 1, 2, 4, 8 times: 46 instead of
// 9.
TEST(Contention, FarthestFirstIsFreeAndNearestFirstIsNot) {
  EXPECT_EQ(beta_on("mst", 16, 32, 1), 9);
  EXPECT_EQ(beta_on("hypercube", 16, 32, 1), 46);
  EXPECT_EQ(beta_on("hypercube", 16, 32, 4), 1 + 1 + 1 + 2 + 4 + 1 + 1 + 1 + 2);
  EXPECT_EQ(beta_on("hypercube", 16, 32, no_conflicts), 9);
}

}  // namespace
}  // namespace tutti
