// SPDX-License-Identifier: BSD-3-Clause
// Tests the heap of a segment where pages have 64 KiB, as on some ARM machines. The program has a
// sysconf() of its own, which says so.
#include <gtest/gtest.h>
#include <unistd.h>

#include "transport/shm/heap.hpp"

extern "C" long __sysconf(int name);

extern "C" long sysconf(int name) noexcept {
  constexpr long large_page = 64 * 1024;
  return name == _SC_PAGESIZE ? large_page : __sysconf(name);
}

namespace tutti::transport::shm {
namespace {

TEST(LargePages, BlocksBeginAtAPageAndCountWholePages) {
  const auto page = static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  const Mapping mapping = Mapping::create({.limit_bytes = std::int64_t{256} << 20});
  Heap heap(mapping);
  const auto reserved = [&] { return mapping.header().reserved_bytes.see(); };
  ASSERT_TRUE(heap.allocate(5000).has_value());
  const std::int64_t before = reserved();
  const std::size_t bytes = 3 * page + 1;
  const auto large = heap.allocate(bytes);
  ASSERT_TRUE(large.has_value());
  EXPECT_EQ(*large % page, 0U);
  EXPECT_EQ(reserved() - before, static_cast<std::int64_t>(4 * page));
  heap.free(*large, bytes);
  EXPECT_EQ(reserved(), before);
}

}  // namespace
}  // namespace tutti::transport::shm
