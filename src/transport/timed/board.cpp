// SPDX-License-Identifier: BSD-3-Clause
// Makes the board, and wakes the timekeeper (board.hpp).
#include "transport/timed/board.hpp"

#include "transport/shm/records.hpp"
#include "transport/shm/wake.hpp"

namespace tutti::timed {
namespace {

constexpr std::string_view name_of_board = "tutti.timed";

TimedBoard& board_in(const transport::shm::Record& record) {
  static_assert(sizeof(transport::shm::Record) % alignof(TimedBoard) == 0);
  // A record may be changed by all who find it.
  return *reinterpret_cast<TimedBoard*>(const_cast<transport::shm::Record*>(&record) + 1);
}

}  // namespace

TimedBoard& make_board(const transport::shm::Mapping& mapping, int ranks) {
  const std::size_t bytes =
      sizeof(TimedBoard) + static_cast<std::size_t>(ranks) * sizeof(ItemStream);
  TimedBoard& board = board_in(
      *transport::shm::publish(mapping, name_of_board, 0, "", static_cast<std::int64_t>(bytes))
           .record);
  board.ranks = static_cast<std::uint32_t>(ranks);
  return board;
}

TimedBoard* find_board(const transport::shm::Mapping& mapping) {
  const auto* const record = transport::shm::find_record(mapping, name_of_board);
  return record == nullptr ? nullptr : &board_in(*record);
}

// The process that writes the item sees `wanted`, or its item is seen here.
void sleep_until_more(TimedBoard& board, int rank, std::uint64_t items) {
  const ItemStream& stream = board.stream(rank);
  const std::uint32_t wanted = static_cast<std::uint32_t>(rank) + 1;
  board.wanted.show(wanted);
  if (stream.written.check() == items && stream.closed.check() == 0 && board.cut_short.check() == 0)
    transport::shm::sleep_on(board.wanted, wanted);
  board.wanted.show(0);
}

void wake_timekeeper(TimedBoard& board, int rank) {
  std::uint32_t mine = static_cast<std::uint32_t>(rank) + 1;
  if (board.wanted.check() == mine && board.wanted.replace(mine, 0))
    transport::shm::wake_on(board.wanted);
}

void close_stream(TimedBoard& board, int rank) {
  board.stream(rank).closed.show(1);
  wake_timekeeper(board, rank);
}

void cut_short(TimedBoard& board) {
  board.cut_short.show(1);
  if (board.wanted.exchange(0) != 0) transport::shm::wake_on(board.wanted);
}

}  // namespace tutti::timed
