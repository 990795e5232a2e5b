// SPDX-License-Identifier: BSD-3-Clause
// Tests policies: the texts from which they are read, errors in other texts, and that unequal
// policies have unequal texts.
#include "selection/policy.hpp"

#include <gtest/gtest.h>

#include <set>

#include "base/error.hpp"
#include "schedule/printer.hpp"
#include "selection/alternatives.hpp"

namespace tutti {
namespace {

using schedule::Operation;

std::string message_of(const char* forced) {
  try {
    (void)selection::parse_policy(forced);
  } catch (const base::Error& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Policy, IsReadByAnyName) {
  selection::Policy policy = selection::parse_policy("gdsum=mst,bcast=tree:branches=2");
  policy.reproducible = true;
  ASSERT_TRUE(policy.forced_for(Operation::allreduce));
  EXPECT_STREQ(policy.forced_for(Operation::allreduce)->generator->name, "mst");
  EXPECT_EQ(policy.forced_for(Operation::broadcast)->settings.branches, 2);
  EXPECT_FALSE(policy.forced_for(Operation::reduce));
  EXPECT_EQ(to_text(policy), "broadcast=tree:branches=2,allreduce=mst,reproducible");
  EXPECT_EQ(to_text(selection::parse_policy("")), "");
}

TEST(Policy, SaysWhatIsWrong) {
  EXPECT_EQ(message_of("allreduce"), "'allreduce' is not of the form operation=algorithm");
  EXPECT_EQ(message_of("broadcast=mst,bcast=tree"), "broadcast is given twice");
  EXPECT_EQ(message_of("bcast=tree:branches=0"),
            "branches is '0' but must be a whole number, 1 or more");
  EXPECT_EQ(message_of("bcast=tree:leaves=2"),
            "there is no setting 'leaves'; there are: branches, rings, segments, factors, cut, and "
            "names of strategies");
  EXPECT_TRUE(message_of("alltoal=direct")
                  .starts_with("there is no operation 'alltoal'; did you mean 'alltoall'?"));
  EXPECT_TRUE(message_of("bcast=fastest")
                  .starts_with("there is no algorithm 'fastest' for broadcast; there are: mst"));
}

// Processes compare these texts when they join a job.
TEST(Policy, TextTellsPoliciesApart) {
  EXPECT_EQ(to_text(selection::parse_policy("bcast=mst,sum=tree")),
            to_text(selection::parse_policy("combine_to_all=tree,broadcast=mst")));
  std::set<std::string> texts;
  for (const char* forced :
       {"", "bcast=mst", "bcast=tree", "bcast=tree:branches=2", "reduce=mst", "bcast=tree:rings=2"})
    for (const bool reproducible : {false, true}) {
      selection::Policy policy = selection::parse_policy(forced);
      policy.reproducible = reproducible;
      EXPECT_TRUE(texts.insert(to_text(policy)).second) << forced;
    }
}

// There is one printer and one parser. The names of all priced plans, on lines and on meshes, must
// be read as the same plans.
TEST(Policy, NamesOfPlansAreReadBack) {
  for (const std::vector<int>& mesh : {std::vector<int>{}, {4, 3}, {2, 8}}) {
    selection::Question question;
    question.p = mesh.empty() ? 12 : mesh[0] * mesh[1];
    question.mesh = mesh;
    for (int i = 0; i < schedule::operation_kinds; ++i) {
      question.operation = static_cast<Operation>(i);
      for (const selection::Alternative& a : selection::alternatives(question, {})) {
        const selection::Forced plan = selection::parse_plan(question.operation, a.name);
        EXPECT_EQ(plan.generator, a.generator) << a.name;
        EXPECT_EQ(plan.settings, a.settings) << a.name;
        EXPECT_EQ(selection::plan_name(*plan.generator, plan.settings), a.name);
      }
    }
  }
}

TEST(Settings, GoToTextAndBack) {
  selection::Settings settings;
  EXPECT_EQ(to_text(settings), "");
  settings = {.branches = 3, .segments = 8, .factors = {4, 16, 8}, .cut = 2};
  EXPECT_EQ(to_text(settings), "branches=3:segments=8:cut=2:factors=4x16x8");
  EXPECT_EQ(selection::parse_settings(to_text(settings)), settings);
  EXPECT_EQ(settings.shape(512, 7).factors.size(), 3U);
  EXPECT_THROW((void)selection::parse_settings("factors=4y2"), base::Error);
  EXPECT_EQ(selection::parse_settings("4x8.2").cut, 2);
  EXPECT_EQ(selection::parse_settings("4x8.2").factors.size(), 3U);
}

TEST(Names, OfOperations) {
  for (int i = 0; i < schedule::operation_kinds; ++i) {
    const auto operation = static_cast<Operation>(i);
    EXPECT_EQ(selection::operation_named(schedule::to_text(operation)), operation);
  }
  EXPECT_EQ(selection::operation_named("collect"), Operation::allgather);
  EXPECT_THROW((void)selection::operation_named(""), base::Error);
}

TEST(Policy, SettingsHaveALimit) {
  EXPECT_EQ(message_of("broadcast=chain:segments=1048576"), "accepted");
  EXPECT_EQ(message_of("broadcast=tree:branches=2147483647:rings=2147483647"), "accepted");
  for (const char* setting : {"segments", "factors", "cut"}) {
    const std::string text = fmt::format("broadcast=chain:{}=1048577", setting);
    EXPECT_EQ(message_of(text.c_str()),
              fmt::format("{} is 1048577 but must be at most 1048576, so that the schedule fits "
                          "into memory",
                          setting));
  }
}

}  // namespace
}  // namespace tutti
