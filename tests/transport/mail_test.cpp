// SPDX-License-Identifier: BSD-3-Clause
// Tests where send buffers lie when memory is short, when one stays unread, and when their sender
// ends.
#include "transport/shm/mail.hpp"

#include <gtest/gtest.h>
#include <malloc.h>

#include <optional>

namespace tutti::transport::shm {
namespace {

class BuffersOfAPost : public testing::Test {
 protected:
  // Returns a buffer that all its readers have discarded at once.
  Lent read_one(std::uint64_t bytes) {
    const Lent buffer = post->acquire(bytes, 1, 1);
    if (buffer.data != nullptr) post->withdraw(buffer, 1);
    return buffer;
  }
  [[nodiscard]] std::int64_t reserved() const { return mapping.header().reserved_bytes.see(); }

  static constexpr std::uint64_t middle = 60'000;
  const Mapping mapping = Mapping::create({.limit_bytes = std::int64_t{48} << 20});
  const std::int64_t at_first = reserved();
  std::optional<ShmMail> post{std::in_place, mapping, 0};
};

TEST_F(BuffersOfAPost, TheCircleGivesWayAtTheLimit) {
  ASSERT_NE(read_one(middle).data, nullptr);
  post->reclaim(Depth::all);
  const auto left = static_cast<std::uint64_t>(mapping.header().limit_bytes - at_first);
  EXPECT_NE(read_one(left - (std::uint64_t{64} << 10)).data, nullptr) << "the ring is freed for it";
}

TEST_F(BuffersOfAPost, BehindAnUnreadOneTheCircleServesOn) {
  ASSERT_NE(post->acquire(middle, 1, 1).data, nullptr);
  const std::int64_t with_circle = reserved();
  for (int i = 0; i < 1000; ++i) {
    ASSERT_NE(read_one(middle).data, nullptr);
    post->reclaim(Depth::oldest);  // as after sending: looks at the oldest only
  }
  EXPECT_EQ(reserved(), with_circle);
}

TEST_F(BuffersOfAPost, EndsWithoutACircleIfAllAreRead) {
  read_one(middle);
  EXPECT_GT(reserved(), at_first);
  post.reset();
  EXPECT_EQ(reserved(), at_first);
}

TEST_F(BuffersOfAPost, LeavesTheCircleToTheNextIfOneIsUnread) {
  const Lent unread = post->acquire(middle, 1, 1);
  mapping.at<LentHeader>(unread.name)->count_told(1);  // as if it had been sent
  post.reset();
  EXPECT_GT(reserved(), at_first);
  release_block(mapping, unread.name);
  post.emplace(mapping, 0);
  post.reset();
  EXPECT_EQ(reserved(), at_first);
}

// Each process of a job has one, whether or not it ever sends a message.
TEST(Mail, TakesLittleMemoryBeforeTheFirstMessage) {
  constexpr std::size_t most = 40 << 10;  // in a job of 1,024 processes
  const Mapping mapping = Mapping::create({.world_size = 1024});
  const std::size_t before = mallinfo2().uordblks;
  const ShmMail mail(mapping, 0);
  EXPECT_LE(mallinfo2().uordblks - before, most);
}

}  // namespace
}  // namespace tutti::transport::shm
