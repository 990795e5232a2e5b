// SPDX-License-Identifier: BSD-3-Clause
// Tests the statement of paper 000, 5.4.1: if combining is faster than communicating, one branch
// per node is the best fan-in for the receiver of the result (T_D). Times are those that the
// verifier counts, with T_c and T_o of the paper's machines.
#include <gtest/gtest.h>

#include <cmath>

#include "algorithms/registry.hpp"
#include "machine/profile.hpp"
#include "schedule/verifier.hpp"

namespace tutti {
namespace {

using schedule::Operation;

schedule::Time destination_time(int p, int branches) {
  const schedule::Shape shape{.p = p, .branches = branches};
  return schedule::verify(*algorithms::find(Operation::reduce, "tree"), shape).counts.root;
}

double in_microseconds(schedule::Time t, double complete, double operation) {
  return t.complete * complete + t.operation * operation;
}

// The paper's formula for a complete tree is H (N_b T_c + T_o).
TEST(FanIn, CountedTimeIsThePapersForCompleteTrees) {
  for (int branches = 1; branches <= 9; ++branches) {
    int p = 1;
    for (int height = 1; height <= 3; ++height) {
      p *= branches + 1;
      EXPECT_EQ(destination_time(p, branches), (schedule::Time{height * branches, height, 0}));
    }
  }
}

TEST(FanIn, OneBranchMinimisesDestinationTimeForPowersOfTwo) {
  for (const char* name : {"ipsc860-nx", "paragon-nx", "cm5", "sp1"}) {
    const machine::Profile machine = machine::load(name);
    for (const double elements : {1e2, 1e3, 1e4, 5e4}) {
      const double complete = machine.alpha.value + machine.beta.value * 8 * elements;
      const double operation = machine.gamma.value * 8 * elements;
      if (operation >= complete) continue;  // the other case of the paper's argument
      for (int p = 2; p <= 1024; p *= 2) {
        const double one = in_microseconds(destination_time(p, 1), complete, operation);
        for (int branches = 2; branches <= 9; ++branches)
          EXPECT_LT(one, in_microseconds(destination_time(p, branches), complete, operation) +
                             (p == 2 ? 1e-6 : 0))
              << name << " p=" << p << " branches=" << branches;
      }
    }
  }
}

// The paper says "usually": with other p two branches can be better, since a tree of one branch is
// then not full.
TEST(FanIn, OneBranchIsNotTheBestForEveryP) {
  EXPECT_EQ(destination_time(3, 1), (schedule::Time{2, 2, 0}));
  EXPECT_EQ(destination_time(3, 2), (schedule::Time{2, 1, 0}));
  EXPECT_EQ(destination_time(9, 1), (schedule::Time{4, 4, 0}));
  EXPECT_EQ(destination_time(9, 2), (schedule::Time{4, 2, 0}));
}

// The derivative that the paper prints is that of log_{N_b+1}(p) (N_b T_c + T_o), and positive from
// N_b = 2 on if T_o < T_c.
TEST(FanIn, DerivativeOfThePaper) {
  const double p = 32, complete = 1;
  for (const double operation : {.05, .5, .99}) {
    const auto time = [&](double n) {
      return std::log(p) / std::log(n + 1) * (n * complete + operation);
    };
    for (double n = 2; n <= 9; n += .5) {
      const double l = std::log(n + 1);
      const double printed =
          std::log(p) * (((n + 1) * l - n) * complete - operation) / ((n + 1) * l * l);
      EXPECT_NEAR((time(n + 1e-5) - time(n - 1e-5)) / 2e-5, printed, 1e-6);
      EXPECT_GT(printed, 0);
    }
  }
}

}  // namespace
}  // namespace tutti
