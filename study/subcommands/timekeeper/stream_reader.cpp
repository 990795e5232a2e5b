// SPDX-License-Identifier: BSD-3-Clause
// Takes items, and sleeps for those that are to come (stream_reader.hpp).
#include "timekeeper/stream_reader.hpp"

#include <algorithm>
#include <cstring>

#include "base/error.hpp"
#include "transport/shm/wake.hpp"

namespace tutti::tools {
namespace {

using record::RecordItem;
using timed::ItemStream;

// A rank that waits for room is told of it when a quarter of its stream is free, so that it is not
// woken for each item.
constexpr std::uint64_t items_between_news = ItemStream::room / 4;

}  // namespace

bool StreamReader::next(int rank, RecordItem& item) {
  const ItemStream& stream = board_.stream(rank);
  std::uint64_t& taken = taken_[static_cast<std::size_t>(rank)];
  while (stream.written.see() == taken) {
    if (board_.cut_short.check() != 0) return false;
    // All that the process has written before its end is seen after that.
    if (stream.closed.check() != 0 && stream.written.check() == taken) return false;
    timed::sleep_until_more(board_, rank, taken);
  }
  item = stream.items[taken++ % ItemStream::room];
  if (taken % items_between_news == 0) tell_taken(rank);
  return true;
}

std::string StreamReader::text(int rank, std::uint64_t bytes) {
  std::string text;
  RecordItem piece;
  while (text.size() < bytes && next(rank, piece))
    text.append(reinterpret_cast<const char*>(&piece),
                std::min<std::size_t>(sizeof piece, bytes - text.size()));
  return text;
}

void StreamReader::answer(int rank, std::uint64_t value) {
  ItemStream& stream = board_.stream(rank);
  stream.answer.put(value);
  stream.answers.publish(stream.answers.peek() + 1);
  wake_if_asleep(mapping_.header(), mapping_.endpoint(rank));
}

void StreamReader::answer(int rank, const std::string& plan) {
  ItemStream& stream = board_.stream(rank);
  if (plan.size() >= sizeof stream.plan)
    base::fail(base::Status::invalid_argument, "the name of the plan {} is too long", plan);
  std::memcpy(stream.plan, plan.c_str(), plan.size() + 1);
  answer(rank, 0);
}

void StreamReader::tell_taken(int rank) {
  board_.stream(rank).taken.publish(taken_[static_cast<std::size_t>(rank)]);
  wake_if_asleep(mapping_.header(), mapping_.endpoint(rank));
}

}  // namespace tutti::tools
