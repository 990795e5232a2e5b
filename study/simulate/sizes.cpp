// SPDX-License-Identifier: BSD-3-Clause
// Divides the vector of an operation into blocks (sizes.hpp).
#include "simulate/sizes.hpp"

#include <algorithm>

#include "schedule/partition.hpp"

namespace tutti::simulate {

Sizes::Sizes(const JobOperation& operation, const schedule::Buffers& buffers)
    : buffers_(buffers), element_(operation.element) {
  const int parts = std::max(buffers.parts, 1), p = operation.shape.p;
  const std::int64_t elements = operation.bytes / element_;
  own_ = parts / p;
  if (operation.counts.empty() && elements % parts == 0) {
    equal_ = elements / parts * element_;
    return;
  }
  cuts_.resize(static_cast<std::size_t>(parts) + 1);
  if (!operation.counts.empty()) {
    schedule::cut_for_ranks(cuts_, p, [&](int rank) {
      return operation.counts[static_cast<std::size_t>(rank)] / element_;
    });
  } else if (operation.generator != nullptr &&
             schedule::cut_by_rank(operation.generator->operation, buffers)) {
    schedule::cut_for_ranks(cuts_, p, [&](int) { return elements / p; });
  } else {
    schedule::cut_evenly(cuts_, elements);
  }
}

std::int64_t Sizes::cut(const schedule::Block& block, int rank) const {
  const bool own = (block.buffer == schedule::Buffer::input && buffers_.input_own_part) ||
                   (block.buffer == schedule::Buffer::output && buffers_.output_own_part);
  const int first_own = static_cast<int>(own_) * rank;
  const auto offset = [&](int index) {
    return own ? schedule::own_block_offset(cuts_, first_own, index)
               : schedule::block_offset(cuts_, index);
  };
  std::int64_t elements = 0;
  for (int j = 0; j < block.times; ++j) {
    const int first = block.first + j * block.stride;
    elements += offset(first + block.count) - offset(first);
  }
  return elements * element_;
}

}  // namespace tutti::simulate
