// SPDX-License-Identifier: BSD-3-Clause
// Tests what a job begins with on processors of each maker, and that this processor is known.
#include "base/processor_tuning.hpp"

#include <gtest/gtest.h>

namespace tutti::base {
namespace {

constexpr std::int64_t kibi = 1024, mebi = 1024 * kibi;

Tuning values_on(const Processor& processor) {
  TuningSettings settings;
  suit(settings, processor);
  return settings.values();
}

TEST(ProcessorTuning, RingsHoldTwiceTheSecondLevelCache) {
  EXPECT_EQ(values_on({Maker::amd, 512 * kibi}).fragment_ring, 2 * mebi);
  EXPECT_EQ(values_on({Maker::amd, mebi}).fragment_ring, 2 * mebi);
  EXPECT_EQ(values_on({Maker::other, 2 * mebi}).fragment_ring, 4 * mebi);
  EXPECT_EQ(values_on({Maker::other, 16 * mebi}).fragment_ring, 4 * mebi);
  EXPECT_EQ(values_on({}).fragment_ring, 2 * mebi) << "a cache of unknown size";
  EXPECT_EQ(values_on({Maker::amd, mebi}).mail_ring, mebi * 3 / 2);
}

TEST(ProcessorTuning, FarDataGoesThroughTheCachesOnIntelOnly) {
  EXPECT_EQ(values_on({Maker::intel, mebi}).far_past_caches, 0);
  EXPECT_EQ(values_on({Maker::amd, mebi}).far_past_caches, 1);
}

TEST(ProcessorTuning, ALargeCacheHoldsTheFragments) {
  const Tuning large = values_on({Maker::intel, 2 * mebi}), small = values_on({Maker::intel, mebi});
  EXPECT_EQ(large.fragment_window, mebi);
  EXPECT_EQ(large.fragment_ring, 2 * mebi);
  EXPECT_EQ(small.fragment_window, 0);
  EXPECT_GT(large.fragment, small.fragment);
}

TEST(ProcessorTuning, UsersComeAfterTheProcessor) {
  TuningSettings settings;
  suit(settings, {Maker::intel, 2 * mebi});
  settings.set_list("fragment_window=512K", TuningSource::environment);
  EXPECT_EQ(settings.values().fragment_window, 512 * kibi);
}

TEST(ProcessorTuning, ThisProcessorGetsValuesThatAreAllowed) {
  const Tuning values = values_on(this_processor());
  for (const TuningRow& row : tuning_rows()) {
    EXPECT_GE(value_in(values, row.name), row.least) << row.name;
    EXPECT_LE(value_in(values, row.name), row.most) << row.name;
  }
}

}  // namespace
}  // namespace tutti::base
