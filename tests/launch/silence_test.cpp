// SPDX-License-Identifier: BSD-3-Clause
// Checks which values TUTTI_SILENCE may have, and that a failure monitor reads the same neighbours
// that a rank has written.
#include "launch/silence.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

#include "base/error.hpp"
#include "launch/neighbours.hpp"

namespace tutti::launch {
namespace {

std::optional<Silence> setting(const char* value) {
  ::setenv("TUTTI_SILENCE", value, 1);
  const auto read = silence_setting();
  ::unsetenv("TUTTI_SILENCE");
  return read;
}

TEST(SilenceTest, SettingsAreRead) {
  using std::chrono::milliseconds;
  EXPECT_EQ(silence_setting()->limit, milliseconds(30'000));
  EXPECT_FALSE(silence_setting()->ends);
  EXPECT_EQ(setting("2.5")->limit, milliseconds(2500));
  EXPECT_EQ(setting("60s")->limit, milliseconds(60'000));
  EXPECT_TRUE(setting("60s,end")->ends);
  EXPECT_TRUE(setting("60,end")->ends);
  EXPECT_FALSE(setting("off"));
}

TEST(SilenceTest, OtherValuesAreRefused) {
  for (const char* value : {"0", "-3", "30m", "30s,ende", "30,", "end", "nan", "inf", "1e9", "s"})
    EXPECT_THROW(static_cast<void>(setting(value)), base::Error) << value;
  ::unsetenv("TUTTI_SILENCE");
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
