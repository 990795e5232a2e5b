// SPDX-License-Identifier: BSD-3-Clause
// The bytes of the blocks of one operation, which is divided as the engine divides vectors.
#pragma once

#include <cstdint>
#include <vector>

#include "simulate/job.hpp"

namespace tutti::simulate {

class Sizes {
 public:
  Sizes(const JobOperation& operation, const schedule::Buffers& buffers);

  [[nodiscard]] std::int64_t bytes(const schedule::Blocks& blocks, int rank) const {
    std::int64_t sum = 0;
    for (const schedule::Block& block : blocks)
      sum += equal_ >= 0 ? whole(block) : cut(block, rank);
    return sum;
  }

 private:
  [[nodiscard]] std::int64_t whole(const schedule::Block& block) const {
    return equal_ * block.count * block.times;
  }
  [[nodiscard]] std::int64_t cut(const schedule::Block& block, int rank) const;

  schedule::Buffers buffers_;
  std::int64_t element_;
  std::int64_t equal_ = -1;  // bytes of every block if all are equal, which needs no table; else -1
  std::int64_t own_ = 1;     // parts of each rank
  std::vector<std::int64_t> cuts_;
};

}  // namespace tutti::simulate
