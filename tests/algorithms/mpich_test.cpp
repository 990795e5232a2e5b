// SPDX-License-Identifier: BSD-3-Clause
// Proves the allreduces of MPICH in examples/generators, which are compiled into this test, in both
// placements and as they are executed. All ranks must add in the same order.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "algorithms/registered.hpp"
#include "algorithms/registry.hpp"
#include "schedule/verifier.hpp"
#include "tutti/tutti_generator.h"

namespace tutti {
namespace {

const std::initializer_list<const char*> names{
    "mpich_recursive_doubling",      "mpich_reduce_scatter_allgather",
    "mpich_recursive_multiplying_2", "mpich_recursive_multiplying_3",
    "mpich_recursive_multiplying_4", "mpich_recursive_multiplying_8"};

void register_all() {
  static const bool done = [] {
    tutti_registrar registrar{nullptr,
                              [](tutti_registrar* /*registrar*/, const tutti_generator* generator) {
                                algorithms::register_generator(*generator);
                              }};
    tutti_generators(&registrar);
    return true;
  }();
  static_cast<void>(done);
}

void expect_right(const char* name, int first, int last) {
  register_all();
  const schedule::Generator* generator = algorithms::find(schedule::Operation::allreduce, name);
  ASSERT_NE(generator, nullptr) << name;
  for (int p = first; p <= last; ++p) {
    // The schedule is proved, in both placements, before its first round can be had.
    const schedule::Verdict verdict = schedule::verify(*generator, {.p = p});
    ASSERT_TRUE(verdict.correct()) << name << ", p = " << p << ": " << verdict.problem;
    ASSERT_TRUE(verdict.same_tree) << name << ", p = " << p;
  }
}

class Mpich : public testing::TestWithParam<const char*> {};
TEST_P(Mpich, IsRightTo64) {
  expect_right(GetParam(), 1, 64);
}
INSTANTIATE_TEST_SUITE_P(Small, Mpich, testing::ValuesIn(names));

class MpichTo2000 : public testing::TestWithParam<const char*> {};
TEST_P(MpichTo2000, IsRight) {
  expect_right(GetParam(), 65, 2000);
}
INSTANTIATE_TEST_SUITE_P(Large, MpichTo2000, testing::ValuesIn(names));

// Without commutativity, doubling keeps the order of the ranks and multiplying does so for powers.
TEST(MpichOrder, FollowsTheRanks) {
  register_all();
  const auto keeps = [](const char* name, int p) {
    return schedule::verify(*algorithms::find(schedule::Operation::allreduce, name), {.p = p})
        .rank_order;
  };
  for (int p = 2; p <= 33; ++p) EXPECT_TRUE(keeps("mpich_recursive_doubling", p)) << p;
  EXPECT_TRUE(keeps("mpich_recursive_multiplying_3", 27));
  EXPECT_FALSE(keeps("mpich_recursive_multiplying_3", 28));
  EXPECT_FALSE(keeps("mpich_reduce_scatter_allgather", 8));
}

}  // namespace
}  // namespace tutti
