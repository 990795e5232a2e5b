// SPDX-License-Identifier: BSD-3-Clause
// TUNING_EFFECT(row) begins the test that a row of base/tuning.def does what it says: that a job
// with another value does something else. tests/house/effects.py demands one for each row.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>

#include "base/tuning.hpp"
#include "transport/shm/transport.hpp"

#define TUNING_EFFECT(row)                                   \
  static_assert(sizeof(tutti::base::Tuning{}.row) != 0, ""); \
  TEST(TuningEffects, row)

namespace tutti::test {

using base::Tuning;
using transport::shm::Mapping;
using transport::shm::ShmTransport;

// Returns the table with another value of one row.
inline Tuning with(std::int64_t Tuning::*row, std::int64_t value, Tuning tuning = {}) {
  tuning.*row = value;
  return tuning;
}

enum class Processors { enough, too_few };

inline Mapping segment_of(int ranks, const Tuning& tuning,
                          Processors processors = Processors::enough) {
  Mapping mapping = Mapping::create({.world_size = static_cast<std::uint32_t>(ranks),
                                     .unsupervised = true,
                                     .limit_bytes = std::int64_t{256} << 20,
                                     .tuning = tuning});
  mapping.header().cpus.put(processors == Processors::enough ? static_cast<std::uint32_t>(ranks)
                                                             : 1);
  return mapping;
}

inline std::int64_t reserved(const Mapping& mapping) {
  return mapping.header().reserved_bytes.see();
}

}  // namespace tutti::test
