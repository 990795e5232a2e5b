// SPDX-License-Identifier: BSD-3-Clause
// Matching and waiting of the mailbox.
#include "services/mailbox.hpp"

#include <algorithm>
#include <chrono>

#include "base/error.hpp"
#include "transport/relax.hpp"

namespace tutti::services {

using transport::Arrival;
using transport::Letter;

// Repeats `attempt` until it holds, waiting as the transport does.
template <class Attempt>
void Mailbox::until(const Attempt& attempt, std::span<const int> endpoints) {
  int turn = 0;
  bool slept = false;
  while (!attempt()) {
    if (turn < transport_->spin_turns()) {
      transport::relax();
      ++turn;
      continue;
    }
    slept = true;
    const auto kind = endpoints.empty() ? transport::Waiting::For::any : transport::Waiting::For::all;
    transport_->idle(turn++, {kind, 0, 0, 0, 0, endpoints});
  }
  if (slept) transport_->awake();
}

template <class Attempt>
void Mailbox::until_memory(const Attempt& attempt, std::uint64_t bytes) {
  using Clock = std::chrono::steady_clock;
  if (attempt()) return;
  const auto deadline = Clock::now() + std::chrono::duration<double>(send_wait_);
  until(
      [&] {
        post_->settle_all();
        if (attempt()) return true;
        if (Clock::now() < deadline) return false;
        transport_->awake();
        base::fail(base::Status::out_of_memory,
                   "no memory for a message of {} bytes after {} s: unreceived messages of this process: {}; raise "
                   "TUTTI_SHM_LIMIT or receive them",
                   bytes, send_wait_, post_->unreceived_text());
      },
      {});
}

Letter Mailbox::acquire(std::uint64_t bytes, std::uint32_t readers) {
  Letter letter;
  until_memory(
      [&] {
        letter = post_->acquire(bytes, readers);
        return letter.data != nullptr;
      },
      bytes);
  return letter;
}

void Mailbox::send_inline(std::span<const int> to, std::uint64_t key, const std::byte* payload, std::uint32_t bytes) {
  for (const int endpoint : to) {
    if (post_->send_inline(endpoint, key, payload, bytes)) [[likely]]
      continue;
    until_memory([&] { return post_->send_inline(endpoint, key, payload, bytes); }, bytes);
  }
}

void Mailbox::send_letter(std::span<const int> to, std::uint64_t key, std::uint64_t bytes, const Letter& letter) {
  for (const int endpoint : to) {
    until_memory([&] { return post_->send(endpoint, key, bytes, letter); }, bytes);
  }
  post_->settle();  // after the send has started: the receivers do not wait for book-keeping
}

// Everything that has come from `source`, straight into the queue.
void Mailbox::collect(int source) {
  while (post_->fetch(source, unexpected_.add())) {
  }
  unexpected_.drop_last();
}

const Arrival* Mailbox::next_of(const Match& match) {
  if (!post_->fetch(match.source, in_hand_)) return nullptr;
  holds_ = true;
  return match.fits(in_hand_) ? &in_hand_ : look(match);
}

const Arrival* Mailbox::look(const Match& match) {
  if (holds_) {  // was not taken last time
    unexpected_.push_back(in_hand_);
    holds_ = false;
  }
  if (unexpected_.empty() && match.source != any_source) return next_of(match);
  const auto fits = [&match](const Arrival& arrival) { return match.fits(arrival); };
  found_ = std::find_if(unexpected_.begin(), unexpected_.end(), fits);
  if (found_ != unexpected_.end()) return &*found_;
  const auto known = static_cast<std::ptrdiff_t>(unexpected_.size());
  if (match.source != any_source) {
    collect(match.source);
  } else {
    post_->contacts([](void* user, int source) { static_cast<Mailbox*>(user)->collect(source); }, this);
  }
  found_ = std::find_if(unexpected_.begin() + known, unexpected_.end(), fits);
  return found_ == unexpected_.end() ? nullptr : &*found_;
}

const Arrival& Mailbox::wait(const Match& match) {
  const Arrival* arrival = nullptr;
  const std::span<const int> endpoints(&match.source, match.source == any_source ? 0 : 1);
  until([&] { return (arrival = look(match)) != nullptr; }, endpoints);
  return *arrival;
}

void Mailbox::take() {
  if (holds_) {
    holds_ = false;
    return post_->discard(in_hand_);
  }
  post_->discard(*found_);
  unexpected_.erase(found_);
}

void Mailbox::release() {
  post_->settle_all();
  post_->release();
}

void Mailbox::drain() {
  until([this] { return post_->unreceived() == 0; }, {});
}

}  // namespace tutti::services
