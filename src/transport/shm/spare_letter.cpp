// SPDX-License-Identifier: BSD-3-Clause
// The block kept serves every letter for which it is large enough.
#include "transport/shm/spare_letter.hpp"

#include <utility>

namespace tutti::transport::shm {

SpareLetter::SpareLetter(const Mapping& mapping, int self)
    : mapping_(&mapping), record_(&mapping.endpoint(self).spare_letter), heap_(mapping) {
  const std::uint64_t offset = record_->load(std::memory_order_relaxed);
  if (offset != 0) block_ = {offset, mapping.at<LetterHeader>(offset)->bytes};
}

LetterBlock SpareLetter::take(std::uint64_t bytes) {
  const LetterBlock kept = take_kept();
  if (kept.bytes >= bytes) return kept;
  free(kept);
  const auto offset = heap_.allocate(sizeof(LetterHeader) + bytes);
  if (!offset) return {};
  auto* header = mapping_->at<LetterHeader>(*offset);
  header->bytes = bytes;
  header->in_circle = 0;
  return {*offset, bytes};
}

LetterBlock SpareLetter::take_kept() {
  record_->store(0, std::memory_order_relaxed);
  return std::exchange(block_, {});
}

void SpareLetter::keep(const LetterBlock& block) {
  if (block.bytes <= block_.bytes) return free(block);
  record_->store(block.offset, std::memory_order_relaxed);
  free(std::exchange(block_, block));
}

void SpareLetter::release() {
  free(take_kept());
}

void SpareLetter::free(const LetterBlock& block) {
  if (block.offset != 0) heap_.free(block.offset, sizeof(LetterHeader) + block.bytes);
}

}  // namespace tutti::transport::shm
