// SPDX-License-Identifier: BSD-3-Clause
// Tests the words of the report, and the tags of output lines.
#include "launch/report.hpp"

#include <gtest/gtest.h>

#include <string>

namespace tutti::launch {
namespace {

using transport::shm::Presence;

std::string_view operation_name(std::uint32_t) {
  return "broadcast";
}

RankView present(int rank) {
  RankView view;
  view.rank = rank;
  view.presence = Presence::attached;
  return view;
}

TEST(Report, ListsRanksBriefly) {
  EXPECT_EQ(list_ranks({3}), "rank 3");
  EXPECT_EQ(list_ranks({0, 1}), "ranks 0, 1");
  EXPECT_EQ(list_ranks({0, 1, 2, 5, 7, 8, 9}), "ranks 0-2, 5, 7-9");
}

TEST(Report, HasOneLineForRanksThatDoTheSame) {
  std::vector<RankView> world{present(0), present(1), present(2), present(3), present(4)};
  for (RankView& view : world) view.world_size = 5;
  world[0].presence = Presence::finalized;
  world[1].presence = world[2].presence = Presence::finalized;
  EXPECT_EQ(describe_world(world, 0, nullptr),
            "  ranks 1, 2: have finished\n  ranks 3, 4: computing\n");
  world[2].presence = Presence::left;
  world[3].presence = world[4].presence = Presence::expected;
  EXPECT_EQ(describe_world(world, 0, nullptr),
            "  rank 1: has finished\n  rank 2: has left\n"
            "  ranks 3, 4: running, have not joined the job (yet)\n");
}

TEST(Report, SaysHowOthersHaveEnded) {
  RankView view = present(1);
  view.ended = "was killed by signal 9 (Killed)";
  EXPECT_EQ(describe(view, nullptr), view.ended);
  view.presence = Presence::dead;
  EXPECT_EQ(describe(view, nullptr), view.ended);
  view.presence = Presence::finalized;
  EXPECT_EQ(describe(view, nullptr), "has finished");
}

TEST(Report, SaysWhatARankDoes) {
  RankView view = present(1);
  EXPECT_EQ(describe(view, nullptr), "computing");
  view.call = "dgebs2d";
  EXPECT_EQ(describe(view, nullptr), "in dgebs2d");
  view.waiting = WaitState::for_all;
  view.operation = 2;
  view.sequence = 12;
  view.group_size = 4;
  view.round = 1;
  view.wait_for = {2};
  view.wait_count = 1;
  EXPECT_EQ(describe(view, operation_name),
            "waiting in dgebs2d (broadcast #12, 4 ranks, round 2) for rank 2");
  view.waiting = WaitState::for_any;
  view.operation = 0;
  view.wait_for = {2, 0};
  view.wait_count = 3;
  EXPECT_EQ(describe(view, operation_name),
            "waiting in dgebs2d (a message) for any of ranks 0, 2 and others (3 in all)");
}

TEST(Report, HasTheWordsOfAFrontEnd) {
  RankView view = present(1);
  view.call = "crecv";
  view.waiting = WaitState::for_any;
  view.words = "a message of type 8";
  EXPECT_EQ(describe(view, operation_name), "waiting in crecv (a message of type 8)");
  view.operation = 2;
  view.sequence = 12;
  view.group_size = 4;
  EXPECT_EQ(describe(view, operation_name), "waiting in crecv (broadcast #12, 4 ranks, round 1)");
}

TEST(Report, SaysThatAnybodyMaySend) {
  RankView view = present(1);
  view.call = "dgera2d";
  view.waiting = WaitState::for_any;
  view.operation = transport::wait_from_anybody;
  EXPECT_EQ(describe(view, nullptr), "waiting in dgera2d (a message) from anybody");
  view.operation = 0;  // a wait for memory, or for what no message tells
  EXPECT_EQ(describe(view, nullptr), "waiting in dgera2d (a message)");
}

TEST(Report, SaysForWhomASendWaits) {
  RankView view = present(1);
  view.call = "csend";
  view.waiting = WaitState::for_all;
  view.operation = transport::wait_for_room;
  view.wait_for = {2};
  view.wait_count = 1;
  EXPECT_EQ(describe(view, operation_name), "waiting in csend until rank 2 has room for a message");
  view.wait_for = {0, 2};
  view.wait_count = 2;
  EXPECT_EQ(describe(view, operation_name),
            "waiting in csend until ranks 0, 2 have room for a message");
  EXPECT_TRUE(view.waits_for_room());
  view.operation = 0;
  EXPECT_FALSE(view.waits_for_room());
}

TEST(Report, SaysThatMoreMayEndAWait) {
  RankView view = present(1);
  view.call = "gsync";
  view.waiting = WaitState::for_all;
  view.or_more = true;
  view.operation = 2;
  view.group_size = 4;
  view.wait_for = {2};
  view.wait_count = 1;
  EXPECT_EQ(describe(view, operation_name),
            "waiting in gsync (broadcast #0, 4 ranks, round 1) for rank 2, or for another message");
  view.operation = transport::wait_for_room;
  EXPECT_EQ(describe(view, operation_name),
            "waiting in gsync until rank 2 has room for a message, or for another message");
  EXPECT_TRUE(view.waits_for_room());
}

TEST(Report, AddsWhatAFrontEndSays) {
  RankView view = present(1);
  view.about = "process {0,1} sums";
  EXPECT_EQ(describe(view, nullptr), "computing");
  view.call = "dgsum2d";
  EXPECT_EQ(describe(view, nullptr), "in dgsum2d: process {0,1} sums");
  view.waiting = WaitState::for_all;
  view.wait_for = {2};
  view.wait_count = 1;
  EXPECT_EQ(describe(view, nullptr),
            "waiting in dgsum2d (a message) for rank 2: process {0,1} sums");
}

TEST(Report, EqualLinesAreOne) {
  std::vector<RankView> world{present(0), present(1), present(2), present(3)};
  world[1].call = "pdgetrf";
  EXPECT_EQ(describe_world(world, 3, nullptr), "  ranks 0, 2: computing\n  rank 1: in pdgetrf\n");
}

TEST(Report, IsReadFromTheSegment) {
  const auto mapping = transport::shm::Mapping::create({.world_size = 2, .limit_bytes = {}});
  auto& state = mapping.endpoint(1).state;
  state.waiting.publish(2 + 8);
  state.wait_count.publish(2000);
  const RankView view = view_of(mapping, 1);
  EXPECT_EQ(view.presence, Presence::expected);
  EXPECT_EQ(view.wait_for.size(), 8U);
  EXPECT_FALSE(view.waits());
  EXPECT_TRUE(view.or_more);
  EXPECT_FALSE(view.may_give_up);
}

}  // namespace
}  // namespace tutti::launch
