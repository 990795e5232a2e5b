// SPDX-License-Identifier: BSD-3-Clause
// Tests the search for cycles through waits for all and waits for any, and for waits for processes
// that have departed.
#include "launch/wait_graph.hpp"

#include <gtest/gtest.h>

namespace tutti::launch {
namespace {

using transport::shm::Presence;

RankView waiting(int rank, WaitState kind, std::vector<int> targets) {
  RankView view;
  view.rank = rank;
  view.presence = Presence::attached;
  view.waiting = kind;
  view.wait_count = static_cast<std::uint32_t>(targets.size());
  view.wait_for = std::move(targets);
  return view;
}

RankView busy(int rank) {
  return waiting(rank, WaitState::no, {});
}

RankView gone(int rank) {
  RankView view = busy(rank);
  view.presence = Presence::finalized;
  return view;
}

TEST(WaitGraph, TwoThatWaitForEachOther) {
  EXPECT_EQ(find_cycle({waiting(0, WaitState::for_all, {1}), waiting(1, WaitState::for_all, {0}),
                        busy(2)}),
            "rank 0 -> rank 1 -> rank 0");
}

TEST(WaitGraph, TheWayIntoTheCycleIsLeftOut) {
  EXPECT_EQ(find_cycle({waiting(0, WaitState::for_all, {1}), waiting(1, WaitState::for_all, {2}),
                        waiting(2, WaitState::for_all, {1})}),
            "rank 1 -> rank 2 -> rank 1");
}

TEST(WaitGraph, AChainToSomebodyBusyIsNoCycle) {
  EXPECT_EQ(find_cycle({waiting(0, WaitState::for_all, {1}), waiting(1, WaitState::for_all, {2}),
                        busy(2)}),
            "");
}

TEST(WaitGraph, AnyIsStuckOnlyWithoutHope) {
  EXPECT_EQ(find_cycle({waiting(0, WaitState::for_any, {1, 2}), waiting(1, WaitState::for_all, {0}),
                        busy(2)}),
            "");
  EXPECT_EQ(find_cycle({waiting(0, WaitState::for_any, {1, 2}), waiting(1, WaitState::for_all, {0}),
                        waiting(2, WaitState::for_all, {0})}),
            "rank 0 -> rank 1 -> rank 0");
}

TEST(WaitGraph, AnyWithMoreTargetsThanShownMayHope) {
  auto first = waiting(0, WaitState::for_any, {1});
  first.wait_count = 9;
  EXPECT_EQ(find_cycle({first, waiting(1, WaitState::for_all, {0})}), "");
}

TEST(WaitGraph, AWaitForMoreThanIsShownMayHope) {
  auto first = waiting(0, WaitState::for_all, {1});
  first.or_more = true;
  EXPECT_EQ(find_cycle({first, waiting(1, WaitState::for_all, {0})}), "");
}

TEST(WaitGraph, AChainMayEndAtSomebodyWhoLeft) {
  EXPECT_EQ(find_cycle({waiting(0, WaitState::for_all, {1}), waiting(1, WaitState::for_all, {2}),
                        gone(2)}),
            "rank 0 -> rank 1 -> rank 2 (which has left)");
}

std::vector<RankView> ring_of_waits() {
  return {waiting(0, WaitState::for_all, {1}), waiting(1, WaitState::for_all, {0})};
}
void poll(std::vector<RankView>& world, std::uint32_t times) {
  for (RankView& view : world) view.looks += times;
}

TEST(Standstill, NeedsTwoLooksOfEachInOneWait) {
  StandstillWatch watch;
  auto world = ring_of_waits();
  EXPECT_FALSE(watch.look(world));
  poll(world, 1);
  EXPECT_FALSE(watch.look(world));
  poll(world, 1);
  world[1].wait_number = 1;  // it got its message and waits for the next
  EXPECT_FALSE(watch.look(world));
  poll(world, 2);
  EXPECT_TRUE(watch.look(world));
}

TEST(Standstill, IsNoneWhileAnybodyMayMove) {
  StandstillWatch watch;
  auto world = ring_of_waits();
  world.push_back(busy(2));
  for (int i = 0; i < 5; ++i, poll(world, 2)) EXPECT_FALSE(watch.look(world));
  world = ring_of_waits();
  world[1].may_give_up = true;
  for (int i = 0; i < 5; ++i, poll(world, 2)) EXPECT_FALSE(watch.look(world));
}

TEST(Standstill, WaitsForAnybodyEndForNobodyEither) {
  StandstillWatch watch;
  auto world = ring_of_waits();
  world.push_back(waiting(2, WaitState::for_any, {}));
  EXPECT_FALSE(watch.look(world));
  poll(world, 2);
  EXPECT_TRUE(watch.look(world));
}

TEST(Standstill, DoesNotNeedThoseThatHaveLeft) {
  StandstillWatch watch;
  std::vector<RankView> world{waiting(0, WaitState::for_all, {1}), gone(1)};
  EXPECT_FALSE(watch.look(world));
  poll(world, 2);
  EXPECT_TRUE(watch.look(world));
}

TEST(Departures, NeedTwoLooksInTheSameWait) {
  DepartureWatch watch;
  std::vector<RankView> world{waiting(0, WaitState::for_all, {1}), gone(1)};
  world[0].looks = 5;
  EXPECT_FALSE(watch.look(world));
  world[0].looks = 6;
  EXPECT_FALSE(watch.look(world));
  world[0].wait_number = 1;  // it went on after all
  world[0].looks = 7;
  EXPECT_FALSE(watch.look(world));
  world[0].looks = 9;
  const auto lost = watch.look(world);
  ASSERT_TRUE(lost);
  EXPECT_EQ(lost->waiter, 0);
  EXPECT_EQ(lost->departed, 1);
}

TEST(Departures, AnyNeedsAllToHaveLeft) {
  DepartureWatch watch;
  std::vector<RankView> world{waiting(0, WaitState::for_any, {1, 2}), gone(1), busy(2)};
  for (world[0].looks = 0; world[0].looks < 10; ++world[0].looks) EXPECT_FALSE(watch.look(world));
  world[2] = gone(2);
  EXPECT_FALSE(watch.look(world));
  world[0].looks += 2;
  EXPECT_TRUE(watch.look(world));
}

}  // namespace
}  // namespace tutti::launch
