// SPDX-License-Identifier: BSD-3-Clause
// Tests the memory of unreceived messages: it is bounded, it is given back, and its end is
// reported.
#include <fmt/format.h>

#include "base/error.hpp"
#include "endpoints.hpp"

namespace tutti::services::test {
namespace {

using transport::Depth;

constexpr std::int64_t mebibyte =
    1 << 20;  // buffers of this size return their memory when they are freed
constexpr std::int64_t small_blocks = 64 * 1024;

TEST(MailboxMemory, ThousandsOfSmallMessagesWaitInOrder) {
  const Mapping mapping = make_segment(2);
  Member sender(mapping, 0), receiver(mapping, 1);
  constexpr int count = 5000;
  std::int64_t after_first = 0;
  for (int turn = 0; turn < 3; ++turn) {
    for (int i = 0; i < count; ++i) sender.send({1}, 0, i);
    EXPECT_EQ(sender.outbox.unreceived_text(), "5000 to process 1");
    for (int i = 0; i < count; ++i)
      ASSERT_EQ(receiver.receive(from(i % 2 == 0 ? 0 : any_source)), i);
    EXPECT_EQ(sender.outbox.unreceived_text(), "none");
    // The rings of the first turn are used again in the others.
    if (turn == 0) after_first = reserved(mapping);
    EXPECT_LE(reserved(mapping), after_first + small_blocks);
  }
}

TEST(MailboxMemory, AllButOneBufferIsFreedAndReleaseFreesTheLast) {
  const Mapping mapping = make_segment(2);
  Member sender(mapping, 0), receiver(mapping, 1);
  const std::int64_t start = reserved(mapping);
  for (unsigned i = 0; i < 5; ++i) sender.send_bytes({1}, 0, mebibyte, i);
  EXPECT_GE(reserved(mapping), start + 5 * mebibyte);
  for (unsigned i = 0; i < 5; ++i) receiver.receive_bytes(from(0), mebibyte, i);
  sender.post.reclaim(Depth::all);
  EXPECT_GE(reserved(mapping), start + mebibyte);
  EXPECT_LE(reserved(mapping), start + mebibyte + small_blocks);
  sender.send_bytes({1}, 0, mebibyte, 9);  // takes the idle one
  EXPECT_LE(reserved(mapping), start + mebibyte + small_blocks);
  receiver.receive_bytes(from(0), mebibyte, 9);
  sender.outbox.release();
  EXPECT_LE(reserved(mapping), start + small_blocks);
}

TEST(MailboxMemory, BuffersOutAreThoseThatSomebodyMayStillRead) {
  const Mapping mapping = make_segment(3);
  Member sender(mapping, 0), b(mapping, 1), c(mapping, 2);
  EXPECT_EQ(sender.post.reclaim(Depth::all), 0U);
  sender.send_bytes({1, 2}, 0, 10'000, 1);
  sender.send_bytes({2}, 0, 1'000, 2);
  sender.send({1}, 0, 3);  // in a line: no buffer
  EXPECT_EQ(sender.post.reclaim(Depth::all), 11'000U);
  c.receive_bytes(from(0), 10'000, 1);
  c.receive_bytes(from(0), 1'000, 2);
  EXPECT_EQ(sender.post.reclaim(Depth::oldest), 11'000U) << "the first has one more reader";
  EXPECT_EQ(sender.post.reclaim(Depth::all), 10'000U);
  b.receive_bytes(from(0), 10'000, 1);
  EXPECT_EQ(sender.post.reclaim(Depth::oldest), 0U);
}

TEST(MailboxMemory, SettleKeepsTheLargestBuffer) {
  const Mapping mapping = make_segment(2);
  Member sender(mapping, 0), receiver(mapping, 1);
  const std::int64_t start = reserved(mapping);
  for (const int size : {1, 4, 2})
    sender.send_bytes({1}, 0, static_cast<std::uint64_t>(size * mebibyte), 1);
  for (const int size : {1, 4, 2})
    receiver.receive_bytes(from(0), static_cast<std::uint64_t>(size * mebibyte), 1);
  sender.post.reclaim(Depth::all);
  EXPECT_GE(reserved(mapping), start + 4 * mebibyte);
  EXPECT_LE(reserved(mapping), start + 4 * mebibyte + small_blocks);
  sender.outbox.release();
  EXPECT_LE(reserved(mapping), start + small_blocks);
}

TEST(MailboxMemory, AMulticastBufferExistsOnceUntilItsLastReader) {
  const Mapping mapping = make_segment(4);
  Member sender(mapping, 0), b(mapping, 1), c(mapping, 2), d(mapping, 3);
  const std::int64_t start = reserved(mapping);
  sender.send_bytes({1, 2, 3}, 0, mebibyte, 2);
  for (Member* receiver : {&b, &c, &d}) {
    sender.outbox.release();
    EXPECT_GE(reserved(mapping), start + mebibyte);
    EXPECT_LE(reserved(mapping), start + mebibyte + small_blocks);
    receiver->receive_bytes(from(0), mebibyte, 2);
  }
  sender.outbox.release();
  EXPECT_LE(reserved(mapping), start + small_blocks);
}

std::string text_of_failure(const std::function<void()>& action) {
  try {
    action();
  } catch (const base::Error& error) {
    EXPECT_EQ(error.status(), base::Status::out_of_memory);
    return error.what();
  }
  return "";
}

TEST(MailboxMemory, AFullJobNamesReceiversAndExactCounts) {
  const Mapping mapping = make_segment_with_room(3, 512 * 1024);
  Member sender(mapping, 0, 0.01), b(mapping, 1), c(mapping, 2);
  for (int i = 0; i < 200; ++i) sender.send({1}, 0, i);  // more than a ring
  for (int i = 0; i < 10; ++i) sender.send({2}, 0, i);
  int buffers = 0;
  std::string text;
  while (text.empty() && buffers < 100) {
    text = text_of_failure([&] { sender.send_bytes({2}, 0, 60'000, 1); });
    if (text.empty()) ++buffers;
  }
  EXPECT_GT(buffers, 2);
  EXPECT_NE(text.find(fmt::format(": 200 to process 1, {} to process 2;", 10 + buffers)),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("60000 bytes"), std::string::npos) << text;
  EXPECT_NE(text.find("TUTTI_SHM_LIMIT"), std::string::npos) << text;
  EXPECT_EQ(mapping.endpoint(0).state.waiting.see(), 0U);
  EXPECT_EQ(mapping.endpoint(0).waiter.see(), 0U);

  for (int i = 0; i < 70; ++i) EXPECT_EQ(b.receive(from(0)), i);
  EXPECT_EQ(sender.outbox.unreceived_text(),
            fmt::format("130 to process 1, {} to process 2", 10 + buffers));
  for (int i = 0; i < 10; ++i) EXPECT_EQ(c.receive(from(0)), i);
  c.receive_bytes(from(0), 60'000, 1);
  sender.send_bytes({2}, 0, 60'000, 1);  // goes into the buffer that was received
  EXPECT_EQ(sender.outbox.unreceived_text(),
            fmt::format("130 to process 1, {} to process 2", buffers));
}

// The first receiver has got its message. The buffer must not wait for the second, which was never
// told of it.
TEST(MailboxMemory, AMulticastThatFailsHalfwayLosesNoMemory) {
  const Mapping mapping =
      make_segment_with_room(3, 8192 + 65536 + 4096);  // a queue, a buffer, less than a queue
  Member sender(mapping, 0, 0.01), b(mapping, 1), c(mapping, 2);
  sender.send({1}, 0, 1);
  EXPECT_NE(text_of_failure([&] { sender.send_bytes({1, 2}, 0, 60'000, 1); }), "");
  EXPECT_EQ(c.mailbox.look(from(any_source)), nullptr);
  EXPECT_EQ(b.receive(from(0)), 1);
  for (unsigned seed = 1; seed < 4; ++seed) {
    b.receive_bytes(from(0), 60'000, seed);
    sender.send_bytes({1}, 0, 60'000, seed + 1);
  }
}

TEST(MailboxMemory, AFullJobStopsSmallMessagesToo) {
  const Mapping mapping = make_segment_with_room(2, 64 * 1024);
  Member sender(mapping, 0, 0.01), receiver(mapping, 1);
  std::int64_t sent = 0;
  std::string text;
  while (text.empty() && sent < 100'000) {
    text = text_of_failure([&] { sender.send({1}, 0, sent); });
    if (text.empty()) ++sent;
  }
  EXPECT_GT(sent, 64);
  EXPECT_NE(text.find(fmt::format(": {} to process 1;", sent)), std::string::npos) << text;
  for (std::int64_t i = 0; i < sent; ++i) ASSERT_EQ(receiver.receive(from(0)), i);
  sender.send({1}, 0, 77);
  EXPECT_EQ(receiver.receive(from(0)), 77);
}

}  // namespace
}  // namespace tutti::services::test
