// SPDX-License-Identifier: BSD-3-Clause
// Matches messages, and waits for them and for memory.
#include "services/mailbox.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"

namespace tutti::services {

using transport::Arrival;
using transport::Got;
using transport::Look;
using transport::Lent;
using transport::WaitEnd;
using transport::WaitInfo;

namespace {

// A wait for messages or room of these endpoints; of any endpoint if there are none.
WaitInfo wait_for(std::span<const int> endpoints) {
  WaitInfo info{.endpoints = endpoints};
  if (endpoints.empty()) info.kind = WaitInfo::For::any;
  return info;
}

}  // namespace

// Before a look that may be the last one before this process sleeps, it frees what it shares with
// departed processes, so that their last messages are found.
template <class Attempt>
bool Mailbox::until(const Attempt& attempt, const WaitInfo& shown, const WaitEnd& end) {
  return waiter_->wait_until(
      [&] {
        if (waiter_->looks_thoroughly()) part();
        return attempt() ? Look::done : Look::nothing;
      },
      [&](WaitInfo& info) {
        const bool in_time = info.until == WaitInfo::Until::given_up;
        info = shown;
        if (in_time) info.until = WaitInfo::Until::given_up;
      },
      end);
}

template <class Attempt>
void Mailbox::until_memory(const Attempt& attempt, std::uint64_t bytes) {
  if (attempt()) return;
  refuse_if_it_never_fits(bytes);
  WaitInfo shown;
  describe(shown);
  shown.until = WaitInfo::Until::given_up;  // nobody tells this process of memory
  const bool sent = until([&] { return mail_->reclaim(transport::Depth::all), attempt(); }, shown,
                          {.deadline = transport::time_in(waiter_->clock(), send_wait_)});
  if (!sent) fail_for_memory(bytes);
}

void Mailbox::refuse_if_it_never_fits(std::uint64_t bytes) const {
  const transport::Shortage shortage = mail_->shortage(bytes);
  if (!shortage.lasting) return;
  base::fail(base::Status::out_of_memory,
             "a message of {} bytes is longer than this job can have shared memory: {}; or send it "
             "in several messages, or by a collective, which moves its data piece by piece",
             bytes, shortage.remedy);
}

void Mailbox::fail_for_memory(std::uint64_t bytes) {
  base::fail(base::Status::out_of_memory,
             "no memory for a message of {} bytes after {} s: unreceived messages of this process: "
             "{}; receive them, or {}",
             bytes, send_wait_, unreceived_text(), mail_->shortage(bytes).remedy);
}

std::string Mailbox::unreceived_text() {
  std::string text;
  for (const auto& [receiver, messages, at_most] : mail_->unreceived())
    text += fmt::format("{}{}{} to {}", text.empty() ? "" : ", ", at_most ? "up to " : "", messages,
                        receiver);
  return text.empty() ? "none" : text;
}

std::int64_t Mailbox::owed(int to) {
  const auto account = charged_.find(to);
  if (account == charged_.end()) return 0;
  if (const auto credited = mail_->credited(to))
    return static_cast<std::int64_t>(account->second - *credited);
  charged_.erase(account);
  return 0;
}

void Mailbox::wait_behind(StartedSend& send) {
  start(send);
  WaitInfo shown = wait_for(send.to);
  if (bounded_.fits(send.key)) shown.operation = transport::wait_for_room;
  try {
    until([&] { return send.done || (advance(), send.done); }, shown);
  } catch (...) {
    if (!send.done) take_back(send);
    throw;
  }
  if (send.failure) std::rethrow_exception(send.failure);
}

// Waits until all receivers have room. Messages that come meanwhile are given to receives that were
// posted, or discarded. So two processes that send to each other and have posted receives go on.
void Mailbox::await_room(std::span<const int> to) {
  for (const int& endpoint : to) {
    if (has_room(endpoint)) [[likely]]
      continue;
    WaitInfo shown = wait_for({&endpoint, 1});
    shown.operation = transport::wait_for_room;
    until([&] { return static_cast<void>(collect_all()), has_room(endpoint); }, shown);
  }
}

// Discards a message that the program has taken, or that nobody will take.
void Mailbox::let_go(const Arrival& arrival) {
  mail_->release(arrival);
  if (bounded_.fits(arrival.key)) [[unlikely]]
    mail_->credit(arrival.source, arrival.bytes + Bounded::envelope_bytes);
}

transport::Cutting Mailbox::cut_of(std::uint64_t bytes, std::size_t receivers) const {
  const auto beside = receivers == 1 ? transport::Beside::nothing : transport::Beside::sends;
  return transport::cut({.bytes = bytes, .lane = transport::Lane::mailbox, .beside = beside},
                        limits_, waiter_->idler().processors());
}

// A sender that is too far ahead lets its receivers run first.
Lent Mailbox::acquire(std::uint64_t bytes, std::span<const int> to,
                            std::uint64_t most_ahead) {
  if (ahead_ >= most_ahead) waiter_->yield_once();
  Lent buffer;
  until_memory(
      [&] {
        buffer = mail_->acquire(bytes, static_cast<std::uint32_t>(to.size()), to[0]);
        return buffer.data != nullptr;
      },
      bytes);
  return buffer;
}

void Mailbox::send_inline(std::span<const int> to, transport::Label key, const std::byte* payload,
                          std::uint32_t bytes) {
  for (const int endpoint : to) {
    if (!mail_->inject(endpoint, key, payload, bytes)) [[unlikely]]
      until_memory([&] { return mail_->inject(endpoint, key, payload, bytes); }, bytes);
    charge_if_bounded(endpoint, key, bytes);
  }
}

void Mailbox::send_buffer(std::span<const int> to, transport::Label key, std::uint64_t bytes,
                          const Lent& buffer) {
  std::uint32_t unsent = static_cast<std::uint32_t>(to.size());
  try {
    for (const int endpoint : to) {
      until_memory([&] { return mail_->send(endpoint, key, bytes, buffer, bytes); }, bytes);
      --unsent;
      charge_if_bounded(endpoint, key, bytes);
    }
  } catch (...) {
    mail_->withdraw(buffer, unsent);
    throw;
  }
}

// Announces a message before it is written. Returns false if that is not possible now.
bool Mailbox::announce(int to, transport::Label key, std::uint64_t bytes,
                       const Lent& buffer) {
  try {
    if (!mail_->send(to, key, bytes, buffer, 0)) return false;
    charge_if_bounded(to, key, bytes);
    return true;
  } catch (...) {
    mail_->withdraw(buffer, 1);
    throw;
  }
}

// Moves all messages that have come from `source` straight into the queue, except those for which a
// receive was posted.
void Mailbox::collect(int source) {
  while (mail_->poll(source, nullptr, unexpected_.add()) != Got::nothing) {
    const Arrival& arrival = unexpected_.back();
    if ((!posted_.empty() && claim(arrival)) || discard_if_unposted(arrival))
      unexpected_.drop_last();
  }
  unexpected_.drop_last();
}

// Moves all messages that have come into the queue. Returns true if there were any.
bool Mailbox::collect_all() {
  if (holds_ && in_hand_.ready != nullptr) return false;  // that message must stay in hand
  part();
  const std::size_t known = unexpected_.size();
  mail_->for_each_sender(
      [](void* user, int source) { static_cast<Mailbox*>(user)->collect(source); }, this);
  const bool more = unexpected_.size() != known;
  unseen_ = unseen_ || more;
  return more;
}

// Polls for a short message for an eighth of the usual spin. The caller waits in the usual way
// after that.
bool Mailbox::spin_for(int source, const transport::Expected& expected) {
  Got got = Got::nothing;
  waiter_->spin_until(
      [&] {
        got = mail_->poll(source, &expected, in_hand_);
        return got != Got::nothing;
      },
      source, waiter_->tuning().spin_mail);
  return got == Got::taken;
}

bool Mailbox::discard_if_unposted(const Arrival& arrival) {
  if (!unposted_.fits(arrival)) [[likely]]
    return false;
  let_go(arrival);
  unposted_.discarded(unposted_.user, arrival);
  return true;
}

// Takes the next message of its source into the hand while no receive is posted and the queue is
// empty.
const Arrival* Mailbox::next_of(const Match& match) {
  const transport::Expected unwritten{match.wanted, match.unwritten_bytes};
  const auto* const expected = match.unwritten_bytes > 0 ? &unwritten : nullptr;
  do {
    if (mail_->poll(match.source, expected, in_hand_) == Got::nothing) return nullptr;
  } while (discard_if_unposted(in_hand_));
  holds_ = true;
  if (match.fits(in_hand_)) return &in_hand_;
  put_aside();
  return fresh(match);
}

std::uint64_t Mailbox::readable_so_far(std::uint64_t beyond) {
  std::uint64_t written = 0;
  try {
    waiter_->wait_until(
        [&] {
          written = in_hand_.ready->see();
          return written > beyond ? Look::done : Look::nothing;
        },
        [&](WaitInfo& info) {
          info.endpoints = {&in_hand_.source, 1};
        });
  } catch (...) {  // nobody will write the rest of the message
    take();
    throw;
  }
  return written;
}

// Puts the message in hand, which was found and not taken, at the end of the queue. This keeps the
// order, because it is older than all messages that are still to be fetched.
void Mailbox::put_aside() {
  if (holds_) unexpected_.push_back(in_hand_);
  holds_ = false;
}

const Arrival* Mailbox::look(const Match& match) {
  put_aside();
  unseen_ = false;
  found_ = std::find_if(unexpected_.begin(), unexpected_.end(),
                        [&match](const Arrival& arrival) { return match.fits(arrival); });
  return found_ != unexpected_.end() ? &*found_ : fresh(match);
}

// Looks for a match among the messages that have come since the last call.
const Arrival* Mailbox::fresh(const Match& match) {
  if (unexpected_.empty() && posted_.empty() && match.source != any_source) return next_of(match);
  const auto known = static_cast<std::ptrdiff_t>(unexpected_.size());
  if (match.source != any_source) {
    collect(match.source);
  } else {
    mail_->for_each_sender(
        [](void* user, int source) { static_cast<Mailbox*>(user)->collect(source); }, this);
  }
  found_ = std::find_if(unexpected_.begin() + known, unexpected_.end(),
                        [&match](const Arrival& arrival) { return match.fits(arrival); });
  return found_ == unexpected_.end() ? nullptr : &*found_;
}

const Arrival& Mailbox::wait(const Match& match) {
  return *wait_unless(match, {});
}

const Arrival* Mailbox::wait_unless(const Match& match, const WaitEnd& end) {
  const bool nothing_waits =
      unexpected_.empty() && !holds_ && posted_.empty() && match.source != any_source;
  const Arrival* arrival = nothing_waits ? next_of(match) : look(match);
  if (arrival != nullptr) return arrival;
  const bool anybody = match.source == any_source;
  WaitInfo shown = wait_for({&match.source, anybody ? std::size_t{0} : std::size_t{1}});
  if (anybody) shown.operation = transport::wait_from_anybody;
  shown.words = words_for(match);
  until([&] { return (arrival = unseen_ ? look(match) : fresh(match)) != nullptr; }, shown, end);
  return arrival;
}

void Mailbox::take() {
  if (holds_) {
    holds_ = false;
    return let_go(in_hand_);
  }
  let_go(*found_);
  unexpected_.erase(found_);
}

void Mailbox::release() {
  ahead_ = mail_->reclaim(transport::Depth::idle);
}

void Mailbox::drain() {
  const auto all_received = [this] { return started_.empty() && mail_->unreceived().empty(); };
  if (all_received()) return;
  WaitInfo shown{.drains = true};
  describe(shown);
  until(
      [&] {
        if (!started_.empty()) advance();
        return all_received();
      },
      shown);
}

void Mailbox::part() {
  put_aside();
  mail_->part(
      [](void* user, int source) {
        auto& self = *static_cast<Mailbox*>(user);
        self.collect(source);
        self.unseen_ = true;
      },
      this);
}

void Mailbox::close() {
  put_aside();
  for (const Arrival& arrival : unexpected_) mail_->release(arrival);
  unexpected_.clear();
  posted_.clear();
  started_.clear();
  note_busy();
}

}  // namespace tutti::services
