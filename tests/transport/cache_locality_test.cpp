// SPDX-License-Identifier: BSD-3-Clause
// Tests the estimate of how far readers are. The estimate for other
// processors depends on the machine. This processor's own lines must not be "far".
#include "transport/shm/cache_locality.hpp"

#include <gtest/gtest.h>

namespace tutti::transport::shm {
namespace {

constexpr base::Tuning defaults;

TEST(CacheLocality, GivesTheNumberWhetherOrNotItLooksAtTheClock) {
  CacheLocality distance(defaults);
  Shared<std::uint32_t> number;
  for (std::uint32_t i = 0; i < 50; ++i) {
    number.put(i % 3);
    EXPECT_EQ(distance.load(number, [](std::uint32_t found) { return found == 2; }), i % 3);
  }
}

TEST(CacheLocality, OwnLinesAreNear) {
  CacheLocality distance(defaults);
  const Shared<std::uint32_t> number;
  EXPECT_FALSE(distance.is_far());
  for (int i = 0; i < 10000; ++i)
    EXPECT_EQ(distance.load(number, [](std::uint32_t) { return true; }), 0U);
  EXPECT_FALSE(distance.is_far());
}

}  // namespace
}  // namespace tutti::transport::shm
