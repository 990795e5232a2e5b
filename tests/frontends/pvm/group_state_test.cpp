// SPDX-License-Identifier: BSD-3-Clause
// Tests the state of a group that tasks store at the pvmd: instance numbers, epochs, the members
// that operations use, and the encoding.
#include <gtest/gtest.h>
#include <tutti-pvm/pvm3.h>

#include <vector>

#include "group_state.hpp"

namespace tutti::pvm {
namespace {

GroupState of_members(const std::vector<int>& tids) {
  GroupState group = GroupState::founded();
  for (const int tid : tids) group.join(tid);
  return group;
}

TEST(GroupState, GivesTheLowestFreeInstance) {
  GroupState group = of_members({11, 12, 13});
  EXPECT_EQ(group.join(12), PvmDupGroup);
  EXPECT_TRUE(group.leave(12));
  EXPECT_FALSE(group.leave(12));
  EXPECT_EQ(group.size(), 2);
  EXPECT_EQ(group.join(14), 1);
  EXPECT_TRUE(group.leave(13));
  EXPECT_EQ(group.tids, (std::vector<int>{11, 14}));
}

TEST(GroupState, AFrozenOneTakesNobodyAndBreaks) {
  GroupState group = of_members({11, 12});
  group.state = GroupRegistry::frozen;
  EXPECT_EQ(group.join(13), PvmNotInGroup);
  group.leave(11);
  EXPECT_EQ(group.state, GroupRegistry::broken);
}

TEST(GroupState, OperationsGoByTheEpochInWhichTheyBegan) {
  GroupState group = of_members({11, 12});
  const std::uint32_t two = group.epoch;
  group.pin(0);
  group.pin(1);
  group.join(13);
  group.pin(2);
  EXPECT_EQ(group.epoch_of(0), two);
  EXPECT_EQ(group.epoch_of(1), two);
  EXPECT_EQ(group.epoch_of(2), two + 1);
  EXPECT_EQ(group.epoch_of(3), std::nullopt);
  const auto before = group.membership_at(two);
  ASSERT_TRUE(before);
  EXPECT_EQ(before->tids, (std::vector<int>{11, 12}));
  EXPECT_EQ(before->size, 2);
  EXPECT_EQ(group.membership_at(two - 5), std::nullopt);
}

TEST(GroupState, ForgetsWhatIsLongAgo) {
  GroupState group = of_members({11});
  const std::uint32_t one = group.epoch;
  for (std::uint32_t i = 0; i < 200; ++i) {
    group.pin(i);
    group.join(12);
    group.leave(12);
  }
  EXPECT_EQ(group.epoch_of(0), std::nullopt);
  EXPECT_EQ(group.epoch_of(199), one + 398);
  EXPECT_EQ(group.membership_at(one), std::nullopt);
  EXPECT_LT(group.pack().size(), 1000U);
}

TEST(GroupState, TheDeadLeaveBarriersToo) {
  GroupState group = of_members({11, 12, 13});
  group.meetings[0].arrived = {12, 13};
  group.bury({12, 99});
  EXPECT_EQ(group.deaths, 1U);
  EXPECT_EQ(group.meetings[0].arrived, (std::vector<int>{13}));
  EXPECT_EQ(group.tids, (std::vector<int>{11, 0, 13}));
}

TEST(GroupState, IsTheSameAfterTheWay) {
  GroupState group = of_members({11, 12, 13});
  group.leave(12);
  group.pin(0);
  group.note_failure(0);
  group.meetings[1] = {77, 3, {11, 13}};
  const std::vector<int> words = group.pack();
  const auto copy = GroupState::unpack(words);
  ASSERT_TRUE(copy);
  EXPECT_EQ(copy->pack(), words);
  EXPECT_EQ(copy->tids, group.tids);
  EXPECT_EQ(copy->meetings[1].arrived, (std::vector<int>{11, 13}));
  EXPECT_EQ(copy->membership_at(group.epoch - 1)->tids, (std::vector<int>{11, 12, 13}));
}

TEST(GroupState, WhatIsCutOrOfAnotherVersionIsRefused) {
  std::vector<int> words = of_members({11, 12}).pack();
  for (auto end = words.begin(); end != words.end(); ++end) {
    EXPECT_FALSE(GroupState::unpack({words.begin(), end})) << end - words.begin();
  }
  ++words[0];
  EXPECT_FALSE(GroupState::unpack(words));
}

}  // namespace
}  // namespace tutti::pvm
