// SPDX-License-Identifier: BSD-3-Clause
// Effects of the rows about windows that take turns, which BSPlib has for its streams.
#include "effects.hpp"
#include "services/windows.hpp"

namespace tutti::test {
namespace {

const Tuning at_once = with(&Tuning::block_ring_after, 0);
constexpr std::int64_t header = sizeof(transport::shm::LentHeader);

// Returns how many windows of so many bytes have room at once.
int in_turn(const Tuning& tuning, std::int64_t bytes) {
  const Mapping mapping = segment_of(1, tuning);
  services::Windows windows(mapping, 0);
  int count = 0;
  while (windows.in_turn(bytes) != nullptr) ++count;
  return count;
}

TUNING_EFFECT(block_ring) {
  EXPECT_EQ(in_turn(with(&Tuning::block_ring, 64 << 10, at_once), 60'000), 1);
  EXPECT_EQ(in_turn(with(&Tuning::block_ring, 256 << 10, at_once), 60'000), 4);
}

TUNING_EFFECT(block_ring_after) {
  const Mapping mapping = segment_of(1, with(&Tuning::block_ring_after, 20'000));
  services::Windows windows(mapping, 0);
  EXPECT_EQ(windows.in_turn(10'000), nullptr);
  EXPECT_EQ(windows.in_turn(10'000), nullptr);
  EXPECT_NE(windows.in_turn(10'000), nullptr);
}

TUNING_EFFECT(block_from) {
  const Tuning tuning = with(&Tuning::block_from, 100 + header, at_once);
  EXPECT_EQ(in_turn(tuning, 99), 0);
  EXPECT_GT(in_turn(tuning, 100), 0);
}

TUNING_EFFECT(block_to) {
  const Tuning tuning = with(&Tuning::block_to, 5000 + header, at_once);
  EXPECT_GT(in_turn(tuning, 5000), 0);
  EXPECT_EQ(in_turn(tuning, 5001), 0);
}

}  // namespace
}  // namespace tutti::test
