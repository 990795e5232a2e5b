// SPDX-License-Identifier: BSD-3-Clause
// Writes items, and waits for the timekeeper (stream.hpp).
#include "transport/timed/stream.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <utility>

#include "base/error.hpp"

namespace tutti::timed {

using record::ItemKind;

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

void TimedStream::put(record::RecordItem item) {
  if (left_) return;
  if (has_given_up_)
    base::fail(base::Status::invalid_argument,
               "this process has given up a wait before, after which it has no virtual time any "
               "more (tutti run --machine)");
  item.call = call_;
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
  try {
    put_pieces(text);
  } catch (...) {
    give_up();
    throw;
  }
  in_text_ = false;
  for (const record::RecordItem& item : std::exchange(held_, {})) put(item);
}

void TimedStream::put_pieces(std::string_view text) {
  for (; !text.empty(); text.remove_prefix(std::min(text.size(), sizeof(record::RecordItem)))) {
    record::RecordItem piece;
    std::memcpy(static_cast<void*>(&piece), text.data(), std::min(text.size(), sizeof piece));
    append(piece);
  }
}

// A function of the program that is called in a wait gets the time that was known before: nothing
// passes until the wait is over.
std::uint64_t TimedStream::time() {
  const bool can_ask = !left_ && !has_given_up_ && waiter_ != nullptr && !waiter_->waits();
  if (can_ask) time_ = ask({.kind = ItemKind::clock}, {});
  return time_;
}

bool TimedStream::is_done(std::uint32_t request) {
  return ask({.kind = ItemKind::test, .request = request}, {}) != 0;
}

std::optional<std::uint32_t> TimedStream::first_of(std::span<const Awaited> awaited,
                                                   std::uint64_t limit) {
  const std::string_view text(reinterpret_cast<const char*>(awaited.data()), awaited.size_bytes());
  const std::uint64_t place =
      ask({.kind = ItemKind::first, .bytes = text.size(), .ticks = limit}, text);
  if (place == MessageAnswer::none) return std::nullopt;
  return static_cast<std::uint32_t>(place);
}

void TimedStream::set_key(transport::Label key) {
  if (key == key_) return;
  put({.kind = ItemKind::key, .request = key.detail, .bytes = key.tag});
  key_ = key;
}

void TimedStream::select(const Selection& selection) {
  if (selection == selection_) return;
  const std::string_view text(reinterpret_cast<const char*>(&selection), sizeof selection);
  put({.kind = ItemKind::select, .bytes = text.size()});
  put_text(text);
  selection_ = selection;
}

void TimedStream::expect(std::uint32_t request, const Selection& selection, bool asks) {
  select(selection);
  put({.kind = ItemKind::expect, .peer = asks ? 1 : 0, .request = request});
}

MessageName TimedStream::message_of(std::uint32_t request) {
  return MessageAnswer::name_in(
      ask({.kind = ItemKind::which, .request = request, .ticks = for_ever}, {}));
}

std::optional<MessageName> TimedStream::seek(const Selection& selection, std::uint64_t limit,
                                             Wait wait) {
  select(selection);
  const std::uint64_t answer =
      ask({.kind = ItemKind::seek, .peer = static_cast<std::int32_t>(wait), .ticks = limit}, {});
  if (answer == MessageAnswer::none) return std::nullopt;
  return MessageAnswer::name_in(answer);
}

void TimedStream::await_news() {
  // Failure is harmless: the answer says nothing.
  static_cast<void>(ask({.kind = ItemKind::news, .ticks = for_ever}, {}));
}

bool TimedStream::cancel(std::uint32_t request) {
  return ask({.kind = ItemKind::cancel, .request = request}, {}) != 0;
}

void TimedStream::stays(const MessageName& message, transport::Label key) {
  set_key(key);
  put({.kind = ItemKind::stays, .peer = message.from, .bytes = message.number});
}

void TimedStream::discard(const Selection& selection, Fate messages) {
  select(selection);
  put({.kind = ItemKind::discard, .peer = static_cast<std::int32_t>(messages)});
}

std::string TimedStream::advice_on(std::string_view question) {
  return ask({.kind = ItemKind::advise, .bytes = question.size()}, question) == 0 ? stream_->plan
                                                                                  : std::string();
}

void TimedStream::leave() {
  time_ = time();
  if (!has_given_up_) put({.kind = ItemKind::end});
  left_ = true;
}

std::uint64_t TimedStream::ask(const record::RecordItem& question, std::string_view text) {
  if (asks_ || left_)
    base::fail(base::Status::invalid_argument,
               "{} cannot ask for anything that depends on virtual time (tutti run --machine)",
               left_ ? "a process that has left its job"
                     : "a function of the program that is called while its process waits");
  put(question);
  put_text(text);
  asks_ = true;
  ++asked_;
  try {
    wait_until([this] { return stream_->answers.see() == asked_; });
  } catch (...) {
    give_up();
    throw;
  }
  asks_ = false;
  return stream_->answer.peek();
}

void TimedStream::give_up() {
  asks_ = false;
  has_given_up_ = true;
}

template <class Over>
void TimedStream::wait_until(const Over& over) {
  if (over()) return;
  waiter_->wait_until([&over] { return over() ? transport::Look::done : transport::Look::nothing; },
                      [this](transport::WaitInfo& info) { describe_wait(*board_, info); });
}

}  // namespace tutti::timed
