// SPDX-License-Identifier: BSD-3-Clause
// Implements size classes, reservation against the limit, and the shared stacks of free blocks.
#include "transport/shm/heap.hpp"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <bit>

namespace tutti::transport::shm {
namespace {

// 4 KiB on x86-64, up to 64 KiB elsewhere. madvise() refuses addresses within a page. No variable
// has this value, because a supervisor runs before the variables of the library have been set.
std::size_t page_bytes() {
  return static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

// Class k holds blocks of line_bytes << k bytes.
int class_of(std::size_t bytes) {
  const std::size_t units = (bytes + line_bytes - 1) / line_bytes;
  return units <= 1 ? 0 : static_cast<int>(std::bit_width(units - 1));
}
std::size_t bytes_of(int size_class) {
  return line_bytes << size_class;
}

// Bytes that a block counts against the limit: its whole class if it is small, only its used pages
// if it is large.
std::size_t footprint(std::size_t bytes) {
  if (class_of(bytes) >= Heap::large_class)
    return (bytes + page_bytes() - 1) / page_bytes() * page_bytes();
  return bytes_of(class_of(bytes));
}

// The head of a stack of free blocks: the first block's offset in lines (0 = empty) in the low
// half, a counter in the high half. The counter makes a compare-and-swap fail if the block was
// popped and pushed meanwhile.
constexpr std::uint64_t index_mask = 0xffffffffU;
std::uint64_t next_head(std::uint64_t old_head, std::uint64_t index) {
  return ((old_head & ~index_mask) + (index_mask + 1)) | index;
}

// Reads the link in a free block, which others may have popped and overwritten meanwhile. Then the
// head has changed, and the value read here is discarded. ThreadSanitizer cannot know that, so it
// does not check this function.
__attribute__((no_sanitize("thread"))) std::uint64_t link_of(const std::uint64_t* block) {
  return __atomic_load_n(block, __ATOMIC_RELAXED) & index_mask;
}

}  // namespace

bool Heap::reserve(std::size_t bytes) {
  // The sum never exceeds the limit, not even for a moment, because a refused request would then
  // make others fail.
  SegmentHeader& header = mapping_->header();
  const auto wanted = static_cast<std::int64_t>(bytes);
  std::int64_t seen = header.reserved_bytes.peek();
  while (wanted <= header.limit_bytes - seen) {
    if (header.reserved_bytes.replace(seen, seen + wanted)) return true;
  }
  return false;
}

void Heap::unreserve(std::size_t bytes) {
  mapping_->header().reserved_bytes.subtract(static_cast<std::int64_t>(bytes));
}

std::uint64_t Heap::pop(int size_class) {
  auto& head = mapping_->header().heap_free[size_class];
  std::uint64_t seen = head.see();
  while ((seen & index_mask) != 0) {
    const std::uint64_t offset = (seen & index_mask) * line_bytes;
    const std::uint64_t next = link_of(mapping_->at<std::uint64_t>(offset));
    if (head.replace(seen, next_head(seen, next))) return offset;
  }
  return 0;
}

void Heap::push(int size_class, std::uint64_t offset) {
  auto& head = mapping_->header().heap_free[size_class];
  auto* link = mapping_->at<Shared<std::uint64_t>>(offset);
  std::uint64_t seen = head.see();
  do {
    link->put(seen & index_mask);
  } while (!head.replace(seen, next_head(seen, offset / line_bytes)));
}

// Hands out a block that nobody has had yet.
std::optional<std::uint64_t> Heap::extend(std::size_t block) {
  SegmentHeader& header = mapping_->header();
  const std::size_t alignment = block < page_bytes() ? line_bytes : page_bytes();
  std::uint64_t top = header.heap_top.peek();
  std::uint64_t start = 0;
  do {
    start = (top + alignment - 1) / alignment * alignment;
    if (start + block > end()) return std::nullopt;
  } while (!header.heap_top.show_instead(top, start + block));
  // A process that joins and cannot reach the end says so and then looks at heap_top. So either it
  // or this process sees what the other has changed.
  if (start + block > end()) return std::nullopt;
  return start;
}

std::uint64_t Heap::end() const {
  const SegmentHeader& header = mapping_->header();
  return header.segment_bytes - header.unreachable_bytes.check();
}

// Blocks of a class stay in their class, so the addresses may be used up before the limit is
// reached.
Shortage Heap::shortage(std::size_t bytes) const {
  const SegmentHeader& header = mapping_->header();
  const auto wanted = static_cast<std::int64_t>(footprint(bytes));
  const std::int64_t most = header.limit_bytes - header_bytes(header.world_size);
  if (wanted > most) {
    return {
        .lasting = true,
        .remedy = fmt::format("raise TUTTI_SHM_LIMIT, which leaves {} bytes for everything", most)};
  }
  const std::size_t block = bytes_of(class_of(bytes));
  const bool lasting = block > end() - sizeof(SegmentHeader);
  if (!lasting && wanted > header.limit_bytes - header.reserved_bytes.peek())
    return {.lasting = false, .remedy = "raise TUTTI_SHM_LIMIT"};
  return {lasting,
          fmt::format("the job has addresses for {} MiB of blocks whose sizes are powers of "
                      "two, which TUTTI_SHM_LIMIT does not change: use smaller pieces",
                      end() >> 20)};
}

std::optional<std::uint64_t> Heap::allocate(std::size_t bytes) {
  if (bytes > mapping_->header().segment_bytes) return std::nullopt;
  const int size_class = class_of(bytes);
  const bool is_large = size_class >= large_class;
  if (!is_large) {
    if (const std::uint64_t offset = pop(size_class)) return offset;
  }
  if (!reserve(footprint(bytes))) return std::nullopt;

  std::uint64_t offset = is_large ? pop(size_class) : 0;
  if (offset == 0) {
    const auto fresh = extend(bytes_of(size_class));
    if (!fresh) {
      unreserve(footprint(bytes));
      return std::nullopt;
    }
    offset = *fresh;
  }
  if (is_large)
    // Failure is harmless: the pages come when they are touched.
    (void)madvise(mapping_->at<std::byte>(offset), footprint(bytes), MADV_POPULATE_WRITE);
  return offset;
}

void Heap::free(std::uint64_t offset, std::size_t bytes) {
  if (class_of(bytes) >= large_class) {
    // Failure is harmless: the pages then stay in memory, and their next user gets them.
    (void)madvise(mapping_->at<std::byte>(offset), footprint(bytes), MADV_REMOVE);
    unreserve(footprint(bytes));
  }
  push(class_of(bytes), offset);
}

}  // namespace tutti::transport::shm
