// SPDX-License-Identifier: BSD-3-Clause
// A path shows something only under conditions, and some looks and results stop a proof.
#include <gtest/gtest.h>

#include "path.hpp"
#include "statement.hpp"

namespace tutti::prove {
namespace {

bool always(const Shape&) {
  return true;
}

Generator some_generator() {
  return {"some", Operation::allgather,    nullptr, nullptr, nullptr,
          always, schedule::Operators::any};
}

std::string reason_to_stop(const std::function<void()>& statement) {
  return explore(statement).unsupported;
}

TEST(path, shows_nothing_if_z3_cannot_say_whether_it_is_possible) {
  const Report report = explore([] {
    const Int x = path().unknown("x"), y = path().unknown("y");
    path().assume(2 <= x);
    // z3 gives up at once where an exponent is unknown.
    path().assume(truth_of(true, z3::pw(expression_of(x), expression_of(y)) == 3));
    path().require(x + 1 >= 3, "the next number is 3 or more");
  });
  EXPECT_EQ(report.undecided, 1);
  EXPECT_EQ(report.obligations, 0);
  EXPECT_EQ(report.stages.size(), 0U);
}

TEST(path, counts_if_it_may_have_many_ranks) {
  const auto explored = [](int least, int most) {
    return explore([&] {
      const Shape shape = some_shape(some_generator());
      path().assume(least <= shape.p);
      path().assume(shape.p <= most);
      path().require(shape.p >= 1, "there are ranks");
    });
  };
  const Report any = explored(1, 1000), few = explored(1, 64), many = explored(65, 65);
  EXPECT_EQ(any.paths, 2);
  EXPECT_EQ(any.stages.at(0).paths, 1);
  EXPECT_EQ(few.obligations, 2);
  EXPECT_EQ(few.stages.size(), 0U);
  EXPECT_EQ(many.stages.at(0).paths, 1);
}

TEST(path, obligations_of_operators_are_not_those_of_the_statement) {
  const Report report = explore([] {
    const Int x = path().unknown("x");
    path().assume(0 <= x);
    static_cast<void>(1 << x);
  });
  EXPECT_TRUE(report.proved());
  EXPECT_EQ(report.obligations, 1);
  EXPECT_EQ(report.stages.at(0).paths, 1);
  EXPECT_EQ(report.stages.at(0).obligations, 0);
}

TEST(proof, stops_where_a_setting_is_looked_at) {
  EXPECT_EQ(reason_to_stop([] { static_cast<void>(some_shape(some_generator()).p + 1); }), "");
  const auto look_at = [](Int Shape::*setting) {
    return reason_to_stop([=] {
      if (some_shape(some_generator()).*setting >= 3) path().require(true, "it is large");
    });
  };
  for (const auto setting : {&Shape::branches, &Shape::rings, &Shape::segments, &Shape::cut})
    EXPECT_NE(look_at(setting), "");
  EXPECT_NE(reason_to_stop([] {
              for (const int factor : some_shape(some_generator()).factors)
                path().require(factor > 0, "factors are above 0");
            }),
            "");
  EXPECT_NE(reason_to_stop([] {
              if (some_shape(some_generator()).factors.size() > 1) path().require(true, "several");
            }),
            "");
}

TEST(proof, stops_where_the_result_of_numbers_has_no_meaning) {
  EXPECT_EQ(reason_to_stop([] { static_cast<void>(Int(1) << Int(30)); }), "");
  EXPECT_NE(reason_to_stop([] { static_cast<void>(Int(1) << Int(-1)); }), "");
  EXPECT_NE(reason_to_stop([] { static_cast<void>(Int(1) << Int(40)); }), "");
  EXPECT_EQ(reason_to_stop([] { static_cast<void>(schedule::bit_floor(1)); }), "");
  EXPECT_NE(reason_to_stop([] { static_cast<void>(schedule::bit_floor(0)); }), "");
}

}  // namespace
}  // namespace tutti::prove
