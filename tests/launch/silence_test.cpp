// SPDX-License-Identifier: BSD-3-Clause
// Checks what the rows of the tuning table say of silent hosts, and that a failure monitor reads
// the same neighbours that a rank has written.
#include "launch/silence.hpp"

#include <gtest/gtest.h>

#include "launch/neighbours.hpp"

namespace tutti::launch {
namespace {

TEST(SilenceTest, ComesFromTheTable) {
  using std::chrono::milliseconds;
  base::TuningSettings settings;
  EXPECT_EQ(silence_of(settings.values())->limit, milliseconds(30'000));
  EXPECT_FALSE(silence_of(settings.values())->ends);
  settings.set_list("silence=2500ms,silence_ends=1", base::TuningSource::environment);
  EXPECT_EQ(silence_of(settings.values())->limit, milliseconds(2500));
  EXPECT_TRUE(silence_of(settings.values())->ends);
  settings.set("silence", "0", base::TuningSource::environment);
  EXPECT_FALSE(silence_of(settings.values()));
}

TEST(NeighboursTest, WordsAreReadAsTheyWereWritten) {
  Neighbours written{.own = 1, .listener = 7, .secret = {12, 34}};
  written.others.push_back({0, "node0", 4000, {0x0100007f, 99}, {0, 1, 5}});
  written.others.push_back({2, "", 0, {}, {9}});
  const auto read = Neighbours::of(written.words());
  ASSERT_TRUE(read);
  EXPECT_EQ(read->own, 1);
  EXPECT_EQ(read->listener, 7);
  EXPECT_EQ(read->secret, written.secret);
  ASSERT_EQ(read->others.size(), 2U);
  EXPECT_EQ(read->others[0].addresses, written.others[0].addresses);
  EXPECT_EQ(read->others[0].ranks, written.others[0].ranks);
  EXPECT_EQ(read->others[1].name, "?");
  EXPECT_EQ(read->others[1].ranks, std::vector<int>{9});
  EXPECT_FALSE(Neighbours::of({}));
  EXPECT_FALSE(Neighbours::of({"0 3 1 2", "0 name x"}));
}

}  // namespace
}  // namespace tutti::launch
