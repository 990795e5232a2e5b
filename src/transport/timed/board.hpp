// SPDX-License-Identifier: BSD-3-Clause
// The memory by which the ranks of a job in virtual time and its timekeeper speak with each other
// (`tutti run --machine`). Each rank has a stream, in which it writes what it does, item by item
// (transport/record/item.hpp). The data of messages move as in any other job, at once. The
// timekeeper reads all streams and simulates what they say. A rank waits for it only if it asks
// something that depends on time, such as a clock, or if its stream is full.
//
// A rank that waits really has said before that it waits in virtual time, and nobody waits really
// for room. So nobody waits for ever: if the timekeeper waits for the next item of a rank, all that
// this rank needs has been sent. docs/internals/virtual-time.md has the whole argument.
#pragma once

#include <cstdint>

#include "transport/record/item.hpp"
#include "transport/shared.hpp"
#include "transport/shm/line_bytes.hpp"
#include "transport/shm/mapping.hpp"

namespace tutti::timed {

struct alignas(transport::shm::line_bytes) ItemStream {
  static constexpr std::uint32_t room = 256;  // items

  // Number of items that the rank has written. It shows it and then checks TimedBoard::wanted. The
  // timekeeper shows that and then checks this.
  transport::Shared<std::uint64_t> written;
  // 1 when the process has ended. The supervisor shows it after that.
  transport::Shared<std::uint32_t> closed;
  // Number of items that the timekeeper has taken. It publishes some at a time, and the rank sees
  // it.
  alignas(transport::shm::line_bytes) transport::Shared<std::uint64_t> taken;
  // Number of questions that are answered, and the last answer. The timekeeper publishes the first
  // one, and the rank sees it.
  transport::Shared<std::uint64_t> answers;
  transport::Shared<std::uint64_t> answer;
  // The name of a plan, with a final 0. The timekeeper writes it before it publishes `answers`.
  char plan[256];
  record::RecordItem items[room];
};

struct alignas(transport::shm::line_bytes) TimedBoard {
  // 1 + the rank for whose next item the timekeeper sleeps; 0: it does not sleep. It is a futex
  // word; a process that replaces it by 0 wakes the timekeeper.
  transport::Shared<std::uint32_t> wanted;
  // 1 when the job ends before its ranks have. The supervisor shows it.
  transport::Shared<std::uint32_t> cut_short;
  // One of these two before the timekeeper ends by itself. It publishes it.
  static constexpr std::uint32_t has_reported = 1, has_failed = 2;  // it has said why
  transport::Shared<std::uint32_t> reported;
  std::uint32_t ranks;

  [[nodiscard]] ItemStream& stream(int rank) {
    return reinterpret_cast<ItemStream*>(this + 1)[rank];
  }
};

// Makes the board of a job before its ranks start. Throws Error(out_of_memory).
TimedBoard& make_board(const transport::shm::Mapping& mapping, int ranks);
// Returns nullptr if the job runs in the time of this machine.
[[nodiscard]] TimedBoard* find_board(const transport::shm::Mapping& mapping);

// Lets the timekeeper sleep until the rank has written more than so many items, or has ended, or
// the job ends. It may return before that.
void sleep_until_more(TimedBoard& board, int rank, std::uint64_t items);
// Wakes the timekeeper if it sleeps for an item of this rank.
void wake_timekeeper(TimedBoard& board, int rank);
// Say that a process, or the whole job, has ended, and wake the timekeeper.
void close_stream(TimedBoard& board, int rank);
void cut_short(TimedBoard& board);

}  // namespace tutti::timed
