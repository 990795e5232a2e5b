// SPDX-License-Identifier: BSD-3-Clause
// Posts receives and starts sends, and advances both.
#include "services/under_way.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "services/mailbox.hpp"

namespace tutti::services {

using transport::Arrival;

// --- posted receives ---

void Mailbox::deliver(PostedReceive& receive, const Arrival& arrival) {
  receive.deliver(receive.user, arrival);
  receive.done = true;
}

// Gives a message that has come to the first receive that was posted for it. Returns false if there
// is none.
bool Mailbox::claim(const Arrival& arrival) {
  const auto found =
      std::find_if(posted_.begin(), posted_.end(),
                   [&](const PostedReceive* receive) { return receive->match.fits(arrival); });
  if (found == posted_.end()) return false;
  PostedReceive& receive = **found;
  posted_.erase(found);
  note_busy();
  deliver(receive, arrival);
  let_go(arrival);
  return true;
}

void Mailbox::post(PostedReceive& receive) {
  receive.done = false;
  if (const Arrival* here = look(receive.match)) {
    deliver(receive, *here);
    return take();
  }
  posted_.push_back(&receive);
  note_busy();
}

bool Mailbox::cancel(PostedReceive& receive) {
  const bool there = std::erase(posted_, &receive) > 0;
  note_busy();
  return there;
}

bool Mailbox::advance_receives() {
  if (!busy_) return false;
  const std::size_t wanted = posted_.size();
  const bool more = collect_all();
  return more || posted_.size() != wanted;
}

// --- started sends ---

bool Mailbox::try_inline(StartedSend& send) {
  std::byte payload[transport::line_payload];
  send.fill(send.user, payload, data::Store::plain, 0, send.bytes);
  for (; send.told < send.to.size(); ++send.told) {
    const auto bytes = static_cast<std::uint32_t>(send.bytes);
    if (!mail_->inject(send.to[send.told], send.key, payload, bytes)) return false;
    charge_if_bounded(send.to[send.told], send.key, bytes);
  }
  return true;
}

bool Mailbox::try_buffer(StartedSend& send) {
  if (send.to.empty()) return true;
  if (send.buffer.data == nullptr) {
    send.buffer = mail_->acquire(send.bytes, static_cast<std::uint32_t>(send.to.size()), send.to[0]);
    if (send.buffer.data == nullptr) return false;
    write(send.buffer, 0, send.bytes,
          [&](std::byte* message, data::Store store, std::uint64_t first, std::uint64_t last) {
            send.fill(send.user, message, store, first, last);
          });
  }
  for (; send.told < send.to.size(); ++send.told) {
    if (!mail_->send(send.to[send.told], send.key, send.bytes, send.buffer, send.bytes))
      return false;
    charge_if_bounded(send.to[send.told], send.key, send.bytes);
  }
  ahead_ = mail_->reclaim(transport::Depth::oldest);
  return true;
}

// Withdraws the buffer for the receivers that have not been told of the message.
void Mailbox::withdraw_untold(const StartedSend& send) {
  if (send.buffer.data != nullptr)
    mail_->withdraw(send.buffer, static_cast<std::uint32_t>(send.to.size() - send.told));
}

// Takes back a send that has not left, or has not been announced to all of its receivers.
void Mailbox::take_back(StartedSend& send) {
  withdraw_untold(send);
  std::erase(started_, &send);
  note_busy();
}

void Mailbox::end_in_failure(StartedSend& send) {
  send.failure = std::current_exception();
  withdraw_untold(send);
  send.done = true;
}

// Returns true if the send is over: the message has left and there is room again, or it cannot be
// sent.
bool Mailbox::try_send(StartedSend& send) {
  try {
    if (!send.left && may_leave(send))
      send.left = send.bytes <= transport::line_payload ? try_inline(send) : try_buffer(send);
    send.done = send.left && has_room(send);
  } catch (...) {
    end_in_failure(send);
  }
  return send.done;
}

// Ends the send if it never fits, or if it has been tried for as long as sends wait for memory. The
// time that the process computes between the start and the next try does not count.
void Mailbox::check_patience(StartedSend& send) {
  try {
    if (send.patience_ends == 0) {
      refuse_if_it_never_fits(send.bytes);
      send.patience_ends = transport::time_in(waiter_->clock(), send_wait_);
    }
    if (waiter_->clock().now() >= send.patience_ends) fail_for_memory(send.bytes);
  } catch (...) {
    end_in_failure(send);
  }
}

bool Mailbox::is_blocked(const StartedSend& send) const {
  return std::any_of(send.to.begin(), send.to.end(), [this](int endpoint) {
    return std::find(blocked_.begin(), blocked_.end(), endpoint) != blocked_.end();
  });
}

// A send stays behind an older one to the same receiver that has not left.
bool Mailbox::advance_sends() {
  blocked_.clear();
  if (started_.empty()) return false;
  ahead_ = mail_->reclaim(transport::Depth::all);
  const std::size_t before = started_.size();
  for (StartedSend* send : started_) {
    if (!is_blocked(*send) && !try_send(*send) && !send->left && may_leave(*send))
      check_patience(*send);
    if (!send->done && !send->left)
      blocked_.insert(blocked_.end(), send->to.begin(), send->to.end());
  }
  std::erase_if(started_, [](const StartedSend* send) { return send->done; });
  note_busy();
  return started_.size() != before;
}

void Mailbox::start(StartedSend& send) {
  send.done = false;
  advance_sends();
  if (!is_blocked(send) && try_send(send)) return;
  if (!send.left) blocked_.insert(blocked_.end(), send.to.begin(), send.to.end());
  started_.push_back(&send);
  note_busy();
}

bool Mailbox::cancel(StartedSend& send) {
  if (send.left && !send.done) {  // only room was waited for
    std::erase(started_, &send);
    note_busy();
    send.done = true;
  }
  if (send.done || send.told > 0) return false;
  take_back(send);
  return true;
}

transport::Look Mailbox::advance() {
  const bool sent = advance_sends();
  return advance_receives() || sent ? transport::Look::progress : transport::Look::nothing;
}

void Mailbox::note_busy() {
  const bool busy = !posted_.empty() || !started_.empty();
  if (busy == busy_) return;
  busy_ = busy;
  if (busy) return waiter_->progress().add(*this);
  waiter_->progress().remove(*this);
}

}  // namespace tutti::services
