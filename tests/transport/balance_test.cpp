// SPDX-License-Identifier: BSD-3-Clause
// Tests that processes move to another processor when they should, and only then.
#include "transport/shm/balance.hpp"

#include <gtest/gtest.h>
#include <sched.h>

#include <algorithm>
#include <vector>

namespace tutti::transport::shm {
namespace {

// Slot 0 is this process. It is bound to one processor while it checks, and may use two.
class Turns : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(sched_getaffinity(0, sizeof before_, &before_), 0);
    for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
      if (CPU_ISSET(cpu, &before_)) processors_.push_back(cpu);
    }
    if (processors_.size() < 2)
      GTEST_SKIP() << "this process may use one processor only: there is no other to move to";
    here_ = sched_getcpu();
    other_ = processors_[0] == here_ ? processors_[1] : processors_[0];
    CPU_ZERO(&two_);
    CPU_SET(here_, &two_);
    CPU_SET(other_, &two_);
    stands(0, here_);
  }
  void TearDown() override { sched_setaffinity(0, sizeof before_, &before_); }

  void stands(int slot, int cpu, Presence presence = Presence::attached) {
    Endpoint& endpoint = mapping_.endpoint(slot);
    endpoint.presence.store(presence);
    endpoint.stands_on.store(static_cast<std::uint32_t>(cpu) + 1);
    mapping_.header().slots.store(std::max<std::uint32_t>(mapping_.header().slots.load(),
                                                          static_cast<std::uint32_t>(slot) + 1));
  }
  void stay_here() {
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(here_, &one);
    ASSERT_EQ(sched_setaffinity(0, sizeof one, &one), 0);
    ASSERT_EQ(sched_setaffinity(0, sizeof two_, &two_), 0);
  }
  // The kernel may move this process while it checks, so the wanted answer must come in one of
  // several attempts.
  [[nodiscard]] bool moves(int waits = 128) {
    for (int attempt = 0; attempt < 20; ++attempt) {
      stay_here();
      mapping_.endpoint(0).stands_on.store(static_cast<std::uint32_t>(here_) + 1);
      Balance balance(mapping_, 0);
      for (int i = 0; i < waits; ++i) balance.waited(1, false);
      if (mapping_.endpoint(0).stands_on.load() == static_cast<std::uint32_t>(other_) + 1)
        return true;
    }
    return false;
  }

  const Mapping mapping_ = Mapping::create({.world_size = 4});
  cpu_set_t before_, two_;
  std::vector<int> processors_;
  int here_ = 0, other_ = 0;
};

TEST_F(Turns, ThreeAndOneBecomeTwoAndTwo) {
  stands(1, here_);
  stands(2, here_);
  stands(3, other_);
  EXPECT_TRUE(moves());
  cpu_set_t now;
  ASSERT_EQ(sched_getaffinity(0, sizeof now, &now), 0);
  EXPECT_TRUE(CPU_EQUAL(&now, &two_)) << "it may go on running anywhere";
}

TEST_F(Turns, TwoAndNoneBecomeOneAndOne) {
  stands(1, here_);
  EXPECT_TRUE(moves());
}

TEST_F(Turns, TwoAndOneStay) {
  stands(1, here_);
  stands(2, other_);
  EXPECT_FALSE(moves());
}

TEST_F(Turns, ThoseWhoSleepOrHaveLeftDoNotCount) {
  stands(1, here_, Presence::dead);
  stands(2, here_, Presence::finalized);
  mapping_.endpoint(3).presence.store(Presence::attached);
  mapping_.endpoint(3).stands_on.store(0);
  EXPECT_FALSE(moves());
}

TEST_F(Turns, FewWaitsSayNothing) {
  stands(1, here_);
  stands(2, here_);
  EXPECT_FALSE(moves(127));
}

TEST_F(Turns, LongWaitsAndSleepBeginTheCountAnew) {
  stands(1, here_);
  stands(2, here_);
  stay_here();
  Balance balance(mapping_, 0);
  for (int i = 0; i < 1000; ++i) balance.waited(i % 100 == 0 ? 50 : 1, false);
  for (int i = 0; i < 1000; ++i) balance.waited(1, i % 100 == 0);
  EXPECT_EQ(mapping_.endpoint(0).stands_on.load(), static_cast<std::uint32_t>(here_) + 1);
}

TEST_F(Turns, WhoIsBoundStays) {
  stands(1, here_);
  stands(2, here_);
  CPU_ZERO(&two_);
  CPU_SET(here_, &two_);
  EXPECT_FALSE(moves());
}

}  // namespace
}  // namespace tutti::transport::shm
