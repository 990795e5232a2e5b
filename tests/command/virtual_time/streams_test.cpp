// SPDX-License-Identifier: BSD-3-Clause
// Tests the streams by which the ranks of a job in virtual time and its timekeeper speak.
#include "transport/timed/stream.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "base/error.hpp"
#include "timekeeper/stream_reader.hpp"
#include "transport/shm/transport.hpp"

namespace tutti::timed {
namespace {

using record::ItemKind;
using record::RecordItem;
using tools::StreamReader;
using transport::shm::Mapping;
using transport::shm::ShmTransport;

constexpr auto a_moment = std::chrono::milliseconds(20);

Mapping mapping_of(int ranks) {
  Mapping mapping = Mapping::create({.world_size = static_cast<std::uint32_t>(ranks)});
  for (int rank = 0; rank < ranks; ++rank)
    mapping.endpoint(rank).presence.publish(transport::shm::Presence::attached);
  return mapping;
}

RecordItem item_with(std::uint64_t bytes, ItemKind kind = ItemKind::spend) {
  return {.kind = kind, .bytes = bytes};
}

// One rank, which acts in a thread of its own, as its process would.
class Rank {
 public:
  Rank(const Mapping& mapping, TimedBoard& board, int rank)
      : transport_(mapping, rank), waiter_(transport_), stream_(board, rank) {
    stream_.wait_by(waiter_);
  }
  ~Rank() { join(); }
  Rank(const Rank&) = delete;
  Rank& operator=(const Rank&) = delete;

  template <class Act>
  void does(const Act& act) {
    thread_ = std::thread([this, act] { act(stream_); });
  }
  void join() {
    if (thread_.joinable()) thread_.join();
  }

 private:
  ShmTransport transport_;
  transport::Waiter waiter_;
  TimedStream stream_;
  std::thread thread_;
};

class Streams : public testing::Test {
 protected:
  // Returns the number in the next item of a rank.
  std::uint64_t next(int rank) {
    RecordItem item;
    if (!reader.next(rank, item)) ADD_FAILURE() << "rank " << rank << " writes nothing more";
    return item.bytes;
  }
  bool ends(int rank) {
    RecordItem item;
    return !reader.next(rank, item);
  }

  Mapping mapping = mapping_of(2);
  TimedBoard& board = make_board(mapping, 2);
  StreamReader reader{mapping, board};
  Rank first{mapping, board, 0}, second{mapping, board, 1};
};

TEST_F(Streams, IsFoundByThoseWhoMapTheSegment) {
  const Mapping again = Mapping::open(mapping.descriptor());
  TimedBoard* const found = find_board(again);
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->ranks, 2U);
  EXPECT_EQ(find_board(mapping_of(2)), nullptr);
}

TEST_F(Streams, KeepsTheOrderOfMoreItemsThanThereIsRoom) {
  constexpr std::uint64_t many = 20 * ItemStream::room + 7;
  const auto write = [](TimedStream& stream) {
    for (std::uint64_t i = 0; i < many; ++i) stream.put(item_with(i));
  };
  first.does(write);
  second.does(write);
  std::mt19937 random(1);
  std::uint64_t taken[2] = {0, 0};
  while (taken[0] < many || taken[1] < many) {
    const int rank = static_cast<int>(random() % 2);
    if (taken[rank] == many) continue;
    ASSERT_EQ(next(rank), taken[rank]) << "rank " << rank;
    ++taken[rank];
  }
}

TEST_F(Streams, WaitsForRoom) {
  std::atomic<std::uint64_t> written{0};
  first.does([&](TimedStream& stream) {
    for (std::uint64_t i = 0; i < 2 * ItemStream::room; ++i) {
      stream.put(item_with(i));
      ++written;
    }
  });
  while (written < ItemStream::room) std::this_thread::yield();
  std::this_thread::sleep_for(a_moment);
  EXPECT_EQ(written, ItemStream::room);
  for (std::uint64_t i = 0; i < ItemStream::room / 4; ++i) EXPECT_EQ(next(0), i);
  while (written < ItemStream::room + ItemStream::room / 4) std::this_thread::yield();
  for (std::uint64_t i = ItemStream::room / 4; i < 2 * ItemStream::room; ++i) EXPECT_EQ(next(0), i);
  first.join();  // before `written` is gone
}

TEST_F(Streams, CarriesTextsOfAnyLength) {
  const std::size_t of_the_ring = ItemStream::room * sizeof(RecordItem);
  for (const std::size_t length :
       {std::size_t{0}, std::size_t{1}, sizeof(RecordItem), sizeof(RecordItem) + 1, of_the_ring,
        of_the_ring + 1, 12 * of_the_ring + 5}) {
    std::string text(length, ' ');
    std::mt19937 random(static_cast<unsigned>(length));
    for (char& letter : text) letter = static_cast<char>(random());
    first.does([&](TimedStream& stream) {
      stream.put(item_with(length, ItemKind::bound));
      stream.put_text(text);
      stream.put(item_with(77));
    });
    EXPECT_EQ(next(0), length);
    EXPECT_EQ(reader.text(0, length), text) << length << " bytes";
    EXPECT_EQ(next(0), 77U);
    first.join();
  }
}

TEST_F(Streams, AnswersQuestions) {
  constexpr std::uint64_t many = 2000;
  std::uint64_t wrong = 0;
  first.does([&](TimedStream& stream) {
    for (std::uint64_t i = 0; i < many; ++i) {
      if (i % 3 == 0) stream.put(item_with(0));
      wrong += stream.time() != 3 * i;
    }
  });
  for (std::uint64_t asked = 0; asked < many;) {
    RecordItem item;
    ASSERT_TRUE(reader.next(0, item));
    if (item.kind != ItemKind::clock) continue;
    reader.answer(0, 3 * asked++);
  }
  first.join();
  EXPECT_EQ(wrong, 0U);
}

TEST_F(Streams, AnswersWithNamesOfPlans) {
  const std::string longest(sizeof ItemStream::plan - 1, 'x');
  std::vector<std::string> plans;
  first.does([&](TimedStream& stream) {
    for (const char* const asked : {"broadcast of 8", "allreduce of 8"})
      plans.push_back(stream.advice_on(asked));
  });
  EXPECT_EQ(reader.text(0, next(0)), "broadcast of 8");
  EXPECT_THROW(reader.answer(0, longest + "x"), base::Error);
  reader.answer(0, longest);
  EXPECT_EQ(reader.text(0, next(0)), "allreduce of 8");
  reader.answer(0, "ring");
  first.join();
  EXPECT_EQ(plans, (std::vector<std::string>{longest, "ring"}));
}

TEST_F(Streams, EndsAfterWhatWasWrittenBeforeTheEnd) {
  first.does([](TimedStream& stream) {
    stream.put(item_with(1));
    stream.put(item_with(1000, ItemKind::bound));
    stream.put_text("the process ends in this text");
  });
  first.join();
  close_stream(board, 0);
  EXPECT_EQ(next(0), 1U);
  EXPECT_EQ(next(0), 1000U);
  EXPECT_LT(reader.text(0, 1000).size(), 1000U);
  EXPECT_TRUE(ends(0));
}

TEST_F(Streams, WakesTheTimekeeperAtTheEndOfAProcess) {
  std::thread ender([this] {
    std::this_thread::sleep_for(a_moment);
    close_stream(board, 1);  // somebody else has ended
    std::this_thread::sleep_for(a_moment);
    close_stream(board, 0);
  });
  EXPECT_TRUE(ends(0));
  EXPECT_TRUE(ends(1));
  ender.join();
}

TEST_F(Streams, WakesTheTimekeeperAtTheEndOfTheJob) {
  std::thread ender([this] {
    std::this_thread::sleep_for(a_moment);
    cut_short(board);
  });
  EXPECT_TRUE(ends(0));
  ender.join();
  EXPECT_TRUE(ends(1));
}

TEST_F(Streams, KeepsTheTimeAtWhichARankHasLeft) {
  std::uint64_t times[2] = {0, 0};
  first.does([&](TimedStream& stream) {
    times[0] = static_cast<std::uint64_t>(stream.has_left());
    stream.leave();
    stream.put(item_with(5));
    times[1] = stream.time();
  });
  RecordItem item;
  ASSERT_TRUE(reader.next(0, item));
  EXPECT_EQ(item.kind, ItemKind::clock);
  reader.answer(0, 41);
  ASSERT_TRUE(reader.next(0, item));
  EXPECT_EQ(item.kind, ItemKind::end);
  first.join();
  close_stream(board, 0);
  EXPECT_TRUE(ends(0));
  EXPECT_EQ(times[0], 0U);
  EXPECT_EQ(times[1], 41U);
}

TEST_F(Streams, LosesNoWakeUp) {
  constexpr std::uint64_t many = 5000;
  first.does([](TimedStream& stream) {
    for (std::uint64_t i = 0; i < many; ++i) {
      if (i % 7 == 0) std::this_thread::yield();
      stream.put(item_with(i));
    }
  });
  for (std::uint64_t i = 0; i < many; ++i) ASSERT_EQ(next(0), i);
}

}  // namespace
}  // namespace tutti::timed
