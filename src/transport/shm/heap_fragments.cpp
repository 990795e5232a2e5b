// SPDX-License-Identifier: BSD-3-Clause
// Decides when the arena is stuck, and takes fragments from the heap then.
#include "transport/shm/heap_fragments.hpp"

#include "transport/shm/heap.hpp"

namespace tutti::transport::shm {
namespace {

// A caller that polls never waits, but asks again and again: one refusal in so many looks at the
// clock.
constexpr std::uint32_t refusals_between_looks = 64;

}  // namespace

void HeapFragments::look_at_clock() {
  const std::uint64_t now = clock_->now();
  if (arena_->tail() != tail_ || since_ == 0) {
    tail_ = arena_->tail();
    since_ = now;
  }
  opened_ = now - since_ > static_cast<std::uint64_t>(mapping_->tuning().overflow_after);
}

Fragment HeapFragments::acquire(std::uint32_t wanted) {
  refused_ = true;
  if (++refusals_ % refusals_between_looks == 0) look_at_clock();
  if (!opened_ || arena_->tail() != tail_) return {};
  reclaim();
  const auto offset = Heap(*mapping_).allocate(wanted);
  if (!offset) return {};
  fragments_.push_back({*offset, wanted, {}});
  return {mapping_->at<std::byte>(*offset), *offset};
}

void HeapFragments::reclaim() {
  std::erase_if(fragments_, [this](Taken& fragment) {
    std::erase_if(fragment.posts, [](const PostedFragment& delivery) {
      return delivery.ring->taken(delivery.packets);
    });
    if (!fragment.posts.empty()) return false;
    Heap(*mapping_).free(fragment.offset, fragment.bytes);
    return true;
  });
}

}  // namespace tutti::transport::shm
