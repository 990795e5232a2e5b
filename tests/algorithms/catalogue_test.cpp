// SPDX-License-Identifier: BSD-3-Clause
// Promises of the catalogue beyond results and costs: names are found, trees are the same whatever
// the algorithm, compositions need no extra memory. The pipelined circulant schedules are tested
// where such schedules have been wrong before.
#include <gtest/gtest.h>

#include <set>
#include <sstream>
#include <string_view>

#include "algorithms/registry.hpp"
#include "schedule/printer.hpp"
#include "schedule/verifier.hpp"

namespace tutti {
namespace {

using schedule::Generator;
using schedule::Operation;
using schedule::Shape;

std::string full_name(Operation operation, const char* name) {
  return std::string(schedule::to_text(operation)) + " " + name;
}

TEST(Catalogue, NoTwoAlgorithmsOfAnOperationShareAName) {
  std::set<std::string> taken;
  for (const Generator* generator : algorithms::all()) {
    std::istringstream words(std::string(generator->name) + " " + generator->aliases);
    for (std::string word; words >> word;) {
      EXPECT_TRUE(taken.insert(full_name(generator->operation, word.c_str())).second) << word;
      EXPECT_EQ(algorithms::find(generator->operation, word), generator) << word;
    }
  }
}

struct Named {
  Operation operation;
  const char* name;
};

TEST(Catalogue, ReproducibleReductionsHaveTheTreeOfReference) {
  for (const auto& [operation, name] :
       {Named{Operation::reduce, "mst"}, Named{Operation::reduce, "halving_gather"},
        Named{Operation::allreduce, "mst"}, Named{Operation::allreduce, "bidirectional_exchange"},
        Named{Operation::allreduce, "halving_doubling"}, Named{Operation::reduce_scatter, "mst"},
        Named{Operation::reduce_scatter, "halving"}}) {
    for (int p = 1; p <= 40; ++p) {
      const schedule::Verdict verdict =
          schedule::verify(*algorithms::find(operation, name), {.p = p, .root = p / 3});
      ASSERT_TRUE(verdict.correct())
          << full_name(operation, name) << " p=" << p << ": " << verdict.problem;
      ASSERT_TRUE(verdict.canonical) << full_name(operation, name) << " p=" << p;
    }
  }
}

TEST(Catalogue, CompositionsWorkInTheResult) {
  const Shape shape{.p = 12};
  for (const auto& [operation, name] :
       {Named{Operation::allreduce, "ring"}, Named{Operation::allreduce, "circulant"},
        Named{Operation::allreduce, "direct_long"}, Named{Operation::allgather, "mst"},
        Named{Operation::broadcast, "scatter_allgather"}})
    EXPECT_EQ(algorithms::find(operation, name)->buffers(shape).scratch, 0)
        << full_name(operation, name);
}

// The bound is K - 1 + ceil(log2 p) rounds. K messages go to each rank but the root, so no rank
// gets a block twice.
void expect_optimal(int p, int segments) {
  const Shape shape{.p = p, .root = p / 3, .segments = segments};
  for (const Operation operation : {Operation::broadcast, Operation::reduce}) {
    const schedule::Verdict verdict =
        schedule::verify(*algorithms::find(operation, "circulant"), shape);
    ASSERT_TRUE(verdict.correct()) << "p=" << p << " K=" << segments << ": " << verdict.problem;
    ASSERT_TRUE(verdict.one_port);
    ASSERT_EQ(verdict.counts.rounds, segments - 1 + schedule::ceil_log2(p))
        << "p=" << p << " K=" << segments;
    ASSERT_EQ(verdict.counts.messages, std::int64_t{segments} * (p - 1))
        << "p=" << p << " K=" << segments;
  }
}

TEST(Catalogue, PipelinedCirculantSchedulesAreOptimal) {
  for (int p = 2; p <= 130; ++p) {
    for (const int segments : {1, 2, 4, 8, 13}) {
      expect_optimal(p, segments);
      if (HasFatalFailure()) return;
    }
  }
  for (const int p : {255, 256, 257, 333, 511, 513, 1000, 1025}) expect_optimal(p, 8);
}

}  // namespace
}  // namespace tutti
