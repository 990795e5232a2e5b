// SPDX-License-Identifier: BSD-3-Clause
// Writes items, and waits for the timekeeper (stream.hpp).
#include "transport/timed/stream.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <utility>

namespace tutti::timed {
namespace {

// The timekeeper ends every such wait, so nobody's departure makes it vain.
void describe_wait(const TimedBoard& board, transport::WaitInfo& info) {
  info.kind = transport::WaitInfo::For::any;
  info.or_more = true;
  info.words = {[](const void* about, char* text, std::size_t size) {
                  const std::uint32_t wanted = static_cast<const TimedBoard*>(about)->wanted.peek();
                  if (wanted == 0)
                    std::snprintf(text, size, "the timekeeper of the virtual time");
                  else
                    std::snprintf(text, size, "the timekeeper, which waits for rank %u",
                                  wanted - 1);
                },
                &board};
}

}  // namespace

void TimedStream::put(const record::RecordItem& item) {
  if (left_) return;
  if (in_text_) return held_.push_back(item);
  append(item);
}

void TimedStream::append(const record::RecordItem& item) {
  wait_until([this] {
    if (written_ - seen_taken_ < ItemStream::room) return true;
    seen_taken_ = stream_->taken.see();
    return written_ - seen_taken_ < ItemStream::room;
  });
  stream_->items[written_ % ItemStream::room] = item;
  stream_->written.show(++written_);
  wake_timekeeper(*board_, rank_);
}

// Something that goes on may end while this rank waits for room, and is then told behind the text.
void TimedStream::put_text(std::string_view text) {
  if (left_) return;
  in_text_ = true;
  for (; !text.empty(); text.remove_prefix(std::min(text.size(), sizeof(record::RecordItem)))) {
    record::RecordItem piece;
    std::memcpy(static_cast<void*>(&piece), text.data(), std::min(text.size(), sizeof piece));
    append(piece);
  }
  in_text_ = false;
  for (const record::RecordItem& item : std::exchange(held_, {})) put(item);
}

// A function of the program that is called in a wait gets the time that was known before: nothing
// passes until the wait is over.
std::uint64_t TimedStream::time() {
  const bool can_ask = !left_ && waiter_ != nullptr && !waiter_->waits();
  if (can_ask) time_ = ask({.kind = record::ItemKind::clock}, {});
  return time_;
}

bool TimedStream::is_done(std::uint32_t request) {
  return ask({.kind = record::ItemKind::test, .request = request}, {}) != 0;
}

std::size_t TimedStream::first_of(std::span<const std::uint32_t> requests) {
  const std::string_view text(reinterpret_cast<const char*>(requests.data()),
                              requests.size_bytes());
  return ask({.kind = record::ItemKind::first, .bytes = text.size()}, text);
}

std::string TimedStream::advice_on(std::string_view question) {
  return ask({.kind = record::ItemKind::advise, .bytes = question.size()}, question) == 0
             ? stream_->plan
             : std::string();
}

void TimedStream::leave() {
  time_ = time();
  put({.kind = record::ItemKind::end});
  left_ = true;
}

std::uint64_t TimedStream::ask(const record::RecordItem& question, std::string_view text) {
  put(question);
  put_text(text);
  ++asked_;
  wait_until([this] { return stream_->answers.see() == asked_; });
  return stream_->answer.peek();
}

template <class Over>
void TimedStream::wait_until(const Over& over) {
  if (over()) return;
  waiter_->wait_until([&over] { return over() ? transport::Look::done : transport::Look::nothing; },
                      [this](transport::WaitInfo& info) { describe_wait(*board_, info); });
}

}  // namespace tutti::timed
