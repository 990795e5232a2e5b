// SPDX-License-Identifier: BSD-3-Clause
// Sends messages, and waits for memory and room. One function, tell(), serves sends that wait here
// and those that were started.
#include "services/outbox.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"

namespace tutti::services {

using transport::Beside;
using transport::Cutting;
using transport::Depth;
using transport::HandedOver;
using transport::Look;
using transport::WaitInfo;

// --- one message ---

// Says how a message is written and told. One that fits a line is just sent.
Cutting Outbox::cut_of(const Letter& message) const {
  if (message.fits_line()) return {};
  const Beside beside = message.to.size() == 1 ? Beside::nothing : Beside::sends;
  return transport::cut(
      {.bytes = message.bytes, .lane = transport::Lane::mailbox, .beside = beside}, limits_,
      waiter_->idler().processors());
}

// A receiver that waits and has offered to take the message gets it without a buffer. This process
// copies its part meanwhile.
void Outbox::hand_over(Letter& message) {
  if (message.flat == nullptr || message.to.size() != 1 || mailbox_->in_virtual_time() ||
      message.bytes < static_cast<std::uint64_t>(waiter_->tuning().one_copy_from))
    return;
  HandedOver answer = HandedOver::no;
  waiter_->look_for(
      [&] {
        answer = mail_->hand_over(message.to[0], message.key, message.flat, message.bytes);
        return answer != HandedOver::soon;
      },
      message.to[0], waiter_->tuning().offer_looks);
  if (answer != HandedOver::yes) return;
  std::exception_ptr failure;
  try {
    waiter_->wait_until([this] { return mail_->help(); },
                        [&message](WaitInfo& info) { info.endpoints = message.to; });
  } catch (...) {
    failure = std::current_exception();
  }
  if (mail_->take_back()) {
    if (failure) std::rethrow_exception(failure);
    return;
  }
  message.told = 1;
  mailbox_->room().use(message.to[0], message.key, message.bytes);
}

// Tells all receivers of a message. Returns false if there is no memory now; message.told says how
// many have been told by then.
bool Outbox::tell(Letter& message) {
  std::byte payload[transport::line_payload];
  const bool in_line = message.fits_line();
  if (in_line) {
    message.fill(message.user, payload, data::Store::plain, 0, message.bytes);
  } else if (message.untold() == 0) {
    return true;
  } else if (message.buffer.data == nullptr && !fill(message)) {
    return false;
  }
  for (; message.untold() > 0; ++message.told) {
    const int to = message.to[message.told];
    const bool sent =
        in_line ? mail_->inject(to, message.key, payload, static_cast<std::uint32_t>(message.bytes))
                : mail_->send(to, message.key, message.bytes, message.buffer, message.bytes);
    if (!sent) return false;
    mailbox_->room().use(to, message.key, message.bytes);
  }
  // After the send, so that the receivers do not wait for it.
  if (!in_line) ahead_ = mail_->reclaim(Depth::oldest);
  return true;
}

void Outbox::write(const Letter& message, std::uint64_t first, std::uint64_t last) {
  const bool past_caches = message.buffer.non_temporal;
  message.fill(message.user, message.buffer.data,
               past_caches ? data::Store::non_temporal : data::Store::plain, first, last);
  if (past_caches) data::store_fence();
}

// Writes a message to memory that its receivers can read. If it is told in parts, the receiver
// learns of it before the first is written, unless that is not possible now.
bool Outbox::fill(Letter& message) {
  const auto readers = static_cast<std::uint32_t>(message.to.size());
  const transport::Lent buffer = message.buffer =
      mail_->acquire(message.bytes, readers, message.to[0]);
  if (buffer.data == nullptr) return false;
  const int to = message.to[0];
  std::uint64_t part = message.bytes;
  if (!message.cut.whole && mail_->send(to, message.key, message.bytes, buffer, 0)) {
    part = message.cut.told_after;
    ++message.told;
    mailbox_->room().use(to, message.key, message.bytes);
  }
  for (std::uint64_t first = 0, last = 0; first < message.bytes; first = last) {
    last = std::min(first + part, message.bytes);
    write(message, first, last);
    if (message.told > 0) mail_->extend(to, buffer, last);
  }
  return true;
}

// Withdraws the buffer for the receivers that have not been told of the message.
void Outbox::withdraw(const Letter& message) {
  if (message.buffer.data != nullptr && message.untold() > 0)
    mail_->withdraw(message.buffer, message.untold());
}

// A message that has to wait for memory, for room or for older messages waits as one that was
// started. In virtual time it is told before it can be there (timed/board.hpp), and a record does
// not have one that has failed.
void Outbox::send(Letter message) {
  if (record_ == nullptr) [[likely]]
    return deliver(message);
  const auto tell = [&] {
    for (const int to : message.to) record_->sends(to, message.key, message.bytes);
  };
  if (mailbox_->in_virtual_time() == nullptr) {
    deliver(message);
    return tell();
  }
  require_memory(message.bytes);
  tell();
  deliver(message);
}

void Outbox::deliver(Letter message) {
  if (started_.empty() && mailbox_->room().is_at_all(message.to, message.key)) [[likely]] {
    message.cut = cut_of(message);
    if (ahead_ >= message.cut.most_ahead) waiter_->yield_once();  // its receivers run first
    try {
      hand_over(message);
      if (tell(message) && mailbox_->room().is_at_all(message.to, message.key)) [[likely]]
        return;
    } catch (...) {
      withdraw(message);
      throw;
    }
  }
  StartedSend later;
  later.receivers.assign(message.to.begin(), message.to.end());
  later.message = message;
  begin(later);
  WaitInfo shown;
  const auto is_over = [&] {
    if (later.done || (advance(), later.done)) return true;
    shown = wait_of(later);
    return false;
  };
  try {
    mailbox_->until(is_over, shown);
  } catch (...) {
    if (!later.done) withdraw(later.message);
    forget(later);
    throw;
  }
  if (later.failure) std::rethrow_exception(later.failure);
}

// Nobody tells this process of memory.
WaitInfo Outbox::wait_of(const StartedSend& send) {
  const auto& to = send.receivers;
  const auto full =
      mailbox_->room().bounds(send.message.key)
          ? std::ranges::find_if(to, [&](int one) { return !mailbox_->room().is_at(one); })
          : to.end();
  if (full != to.end())
    return {.operation = transport::wait_for_room, .endpoints = {full, full + 1}};
  if (started_.front() != &send && !to.empty()) return {.endpoints = to};
  return {.kind = WaitInfo::For::any, .until = WaitInfo::Until::given_up};
}

std::string Outbox::unreceived_text() {
  std::string text;
  for (const auto& [receiver, messages, at_most] : mail_->unreceived())
    text += fmt::format("{}{}{} to {}", text.empty() ? "" : ", ", at_most ? "up to " : "", messages,
                        receiver);
  return text.empty() ? "none" : text;
}

void Outbox::drain() {
  const auto all_left = [&] { return started_.empty() || (advance(), started_.empty()); };
  // In virtual time, nobody knows here when messages are received there.
  const bool waits_for_receivers = mailbox_->in_virtual_time() == nullptr;
  const auto is_over = [&] {
    return all_left() && (!waits_for_receivers || mail_->unreceived().empty());
  };
  mailbox_->until(is_over, {.kind = WaitInfo::For::any, .drains = true});
}

// --- sends that were started ---

// A message that one receiver has been told of goes to the others, too, without a wait for room.
bool Outbox::may_leave(const StartedSend& send) {
  return send.message.told > 0 || mailbox_->room().is_at_all(send.message.to, send.message.key);
}

// Returns true if the send is over: the message has left and there is room again, or it cannot be
// sent.
bool Outbox::try_send(StartedSend& send) {
  try {
    if (!send.left && may_leave(send)) send.left = tell(send.message);
    send.done = send.left && mailbox_->room().is_at_all(send.message.to, send.message.key);
  } catch (...) {
    end_in_failure(send);
  }
  return send.done;
}

void Outbox::end_in_failure(StartedSend& send) {
  send.failure = std::current_exception();
  withdraw(send.message);
  forget_record(send);
  send.done = true;
}

// Throws Error if a message never fits.
void Outbox::require_memory(std::uint64_t bytes) const {
  if (bytes <= transport::line_payload) return;
  const transport::Shortage shortage = mail_->shortage(bytes);
  if (!shortage.lasting) return;
  base::fail(base::Status::out_of_memory,
             "a message of {} bytes is longer than this job can have shared memory: {}; or send "
             "it in several messages, or by a collective, which moves its data piece by piece",
             bytes, shortage.remedy);
}

// Ends the send if it never fits, or if it has been tried for as long as sends wait for memory. The
// time that the process computes between the start and the next try does not count.
void Outbox::check_patience(StartedSend& send) try {
  const bool first = send.patience_ends == 0;
  if (first) send.patience_ends = transport::time_in(waiter_->clock(), send_wait_);
  const bool over = waiter_->clock().now() >= send.patience_ends;
  if (!first && !over) return;
  const std::uint64_t bytes = send.message.bytes;
  require_memory(bytes);
  if (over)
    base::fail(base::Status::out_of_memory,
               "no memory for a message of {} bytes after {} s: unreceived messages of this "
               "process: {}; receive them, or {}",
               bytes, send_wait_, unreceived_text(), mail_->shortage(bytes).remedy);
} catch (...) {
  end_in_failure(send);
}

bool Outbox::is_blocked(const StartedSend& send) const {
  return std::ranges::any_of(send.receivers, [this](int endpoint) {
    return std::ranges::find(blocked_, endpoint) != blocked_.end();
  });
}

// A send stays behind an older one to the same receiver that has not left.
bool Outbox::advance_sends() {
  blocked_.clear();
  if (started_.empty()) return false;
  ahead_ = mail_->reclaim(Depth::all);
  const std::size_t before = started_.size();
  for (StartedSend* send : started_) {
    if (!is_blocked(*send) && !try_send(*send) && !send->left && may_leave(*send))
      check_patience(*send);
    if (!send->done && !send->left)
      blocked_.insert(blocked_.end(), send->receivers.begin(), send->receivers.end());
  }
  std::erase_if(started_, [](const StartedSend* send) { return send->done; });
  note_started();
  return started_.size() != before;
}

void Outbox::start(StartedSend& send) {
  if (mailbox_->in_virtual_time() != nullptr) require_memory(send.message.bytes);
  if (record_ != nullptr) [[unlikely]]
    for (const int to : send.receivers)
      send.recorded.push_back(record_->starts_to_send(to, send.message.key, send.message.bytes));
  begin(send);
}

void Outbox::begin(StartedSend& send) {
  send.done = false;
  send.message.to = send.receivers;
  send.message.cut = cut_of(send.message);
  advance_sends();
  if (!is_blocked(send) && try_send(send)) return;
  if (!send.left) blocked_.insert(blocked_.end(), send.receivers.begin(), send.receivers.end());
  started_.push_back(&send);
  note_started();
}

bool Outbox::cancel(StartedSend& send) {
  if (mailbox_->in_virtual_time() != nullptr) return false;  // it has been told
  if (send.left && !send.done) {                             // only room was waited for
    forget(send);
    send.done = true;
  }
  if (send.done || send.message.told > 0) return false;
  withdraw(send.message);
  forget_record(send);
  forget(send);
  return true;
}

void Outbox::forget_record(StartedSend& send) {
  if (record_ == nullptr || send.message.told > 0) return;
  for (const std::uint32_t request : send.recorded) record_->withdraws(request);
  send.recorded.clear();
}

void Outbox::forget(const StartedSend& send) {
  std::erase(started_, &send);
  note_started();
}

// Messages that come meanwhile are collected, because they may be discarded and so make room for
// others. The mailbox sees to it itself while receives are posted.
Look Outbox::advance() {
  const bool sent = advance_sends();
  const bool came = !started_.empty() && !mailbox_->busy() && mailbox_->collect_all();
  return sent || came ? Look::progress : Look::nothing;
}

void Outbox::note_started() {
  waits() ? waiter_->progress().add(*this) : waiter_->progress().remove(*this);
}

void Outbox::close() {
  started_.clear();
  note_started();
}

}  // namespace tutti::services
