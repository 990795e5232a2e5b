// SPDX-License-Identifier: BSD-3-Clause
// Matches messages, and waits for them.
#include "services/mailbox.hpp"

#include <algorithm>
#include <exception>

#include "base/error.hpp"

namespace tutti::services {

using transport::Arrival;
using transport::Got;
using transport::Look;
using transport::WaitEnd;
using transport::WaitInfo;

// Takes the next message of a source off its queue, and counts it if messages are recorded.
Got Mailbox::poll(int source, const transport::Expected* expected, Arrival& arrival) {
  const Got got = mail_->poll(source, expected, arrival);
  if (record_ != nullptr && got != Got::nothing && got != Got::other) [[unlikely]]
    arrival.number = record_->next_from(source);
  return got;
}

// Discards a message that the program has taken, or that nobody will take.
void Mailbox::let_go(const Arrival& arrival) {
  mail_->release(arrival);
  room_.give_back(arrival);
}

// Moves all messages that have come from `source` straight into the queue, except those for which a
// receive was posted.
void Mailbox::collect(int source) {
  while (poll(source, nullptr, unexpected_.add()) != Got::nothing) {
    const Arrival& arrival = unexpected_.back();
    if ((!posted_.empty() && claim(arrival)) || discard_if_unposted(arrival))
      unexpected_.drop_last();
  }
  unexpected_.drop_last();
}

bool Mailbox::collect_all() {
  if (virtual_) return virtual_->advance() == Look::progress;
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
        got = poll(source, &expected, in_hand_);
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
    if (poll(match.source, expected, in_hand_) == Got::nothing) return nullptr;
  } while (discard_if_unposted(in_hand_));
  holds_ = true;
  if (match.fits(in_hand_)) return &in_hand_;
  put_aside();
  return fresh(match);
}

std::uint64_t Mailbox::readable_so_far(std::uint64_t beyond) {
  std::uint64_t written = 0;
  waits_for_rest_ = true;
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
    waits_for_rest_ = false;
    drop_found();
    throw;
  }
  waits_for_rest_ = false;
  return written;
}

// Puts the message in hand, which was found and not taken, at the end of the queue. This keeps the
// order, because it is older than all messages that are still to be fetched.
void Mailbox::put_aside() {
  if (waits_for_rest_) {
    base::fail(base::Status::invalid_argument,
               "a function of the program looks at mail while a message is received that is still "
               "being written");
  }
  if (holds_) unexpected_.push_back(in_hand_);
  holds_ = false;
}

const Arrival* Mailbox::look(const Match& match) {
  if (virtual_) [[unlikely]]
    return virtual_->look(match);
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
  if (virtual_) [[unlikely]]
    return virtual_->wait_unless(match, end);
  const bool nothing_waits =
      unexpected_.empty() && !holds_ && posted_.empty() && match.source != any_source;
  const Arrival* arrival = nothing_waits ? next_of(match) : look(match);
  if (arrival != nullptr) return arrival;
  const bool anybody = match.source == any_source;
  WaitInfo shown{.endpoints = {&match.source, anybody ? std::size_t{0} : std::size_t{1}}};
  if (anybody) {
    shown.kind = WaitInfo::For::any;
    shown.operation = transport::wait_from_anybody;
  }
  shown.words = words_for(match);
  if (may_offer(match)) return wait_with_offer(match, shown, end);
  until([&] { return (arrival = unseen_ ? look(match) : fresh(match)) != nullptr; }, shown, end);
  return arrival;
}

// A receive that was posted, or that a function of the program calls while another waits, chooses
// among messages that an offer would hide.
bool Mailbox::may_offer(const Match& match) const {
  return match.to != nullptr && posted_.empty() && !offers_ && match.accept == nullptr &&
         match.set == 0 &&
         match.most >= static_cast<std::uint64_t>(waiter_->tuning().one_copy_from) &&
         !unposted_.may_meet(match);
}

// However the wait ends, a message that was put in its place has come, and before all that the
// receiver finds elsewhere.
const Arrival* Mailbox::wait_with_offer(const Match& match, const WaitInfo& shown,
                                        const WaitEnd& end) {
  const transport::MailOffer offer{match.source, match.wanted, match.mask,
                                   match.to,     match.most,   match.shorter};
  const Arrival* arrival = nullptr;
  Arrival placed;
  const auto is_here = [&] {
    arrival = unseen_ ? look(match) : fresh(match);
    Look look = arrival != nullptr ? Look::done : Look::progress;
    while (look == Look::progress) look = mail_->take_offered(offer, placed);
    if (look == Look::done && arrival == nullptr) arrival = take_in_hand(placed);
    return arrival != nullptr;
  };
  std::exception_ptr failure;
  offers_ = true;
  try {
    until(is_here, shown, end);
  } catch (...) {
    failure = std::current_exception();
  }
  offers_ = false;
  if (mail_->finish_offered(placed)) return take_in_hand(placed);
  if (failure) std::rethrow_exception(failure);
  return arrival;
}

const Arrival* Mailbox::take_in_hand(const Arrival& arrival) {
  put_aside();
  in_hand_ = arrival;
  holds_ = true;
  if (record_ != nullptr) [[unlikely]]
    in_hand_.number = record_->next_from(arrival.source);
  return &in_hand_;
}

void Mailbox::take() {
  if (virtual_) [[unlikely]]
    return virtual_->take();
  if (record_ != nullptr) [[unlikely]] {
    const Arrival& found = holds_ ? in_hand_ : *found_;
    record_->receives(found.source, found.number);
  }
  drop_found();
}

void Mailbox::drop_found() {
  if (holds_) {
    holds_ = false;
    return let_go(in_hand_);
  }
  let_go(*found_);
  unexpected_.erase(found_);
}

void Mailbox::part() {
  if (virtual_) [[unlikely]]
    // Failure is harmless: it says whether something has come.
    return static_cast<void>(virtual_->advance());
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
  if (virtual_) virtual_->close();
  put_aside();
  for (const Arrival& arrival : unexpected_) mail_->release(arrival);
  unexpected_.clear();
  posted_.clear();
  note_posted();
}

// --- posted receives ---

// Gives a message that has come to the first receive that was posted for it. Returns false if there
// is none.
bool Mailbox::claim(const Arrival& arrival) {
  const auto found = std::ranges::find_if(
      posted_, [&](const PostedReceive* receive) { return receive->match.fits(arrival); });
  if (found == posted_.end()) return false;
  PostedReceive& receive = **found;
  posted_.erase(found);
  note_posted();
  receive.end_with(arrival, record_);
  let_go(arrival);
  return true;
}

void Mailbox::post(PostedReceive& receive) {
  if (virtual_) [[unlikely]]
    return virtual_->post(receive);
  receive.done = false;
  if (record_ != nullptr) [[unlikely]]
    receive.recorded = record_->posts();
  if (const Arrival* here = look(receive.match)) {
    receive.end_with(*here, record_);
    return drop_found();
  }
  posted_.push_back(&receive);
  note_posted();
}

bool Mailbox::cancel(PostedReceive& receive) {
  if (virtual_) [[unlikely]]
    return virtual_->cancel(receive);
  const bool there = std::erase(posted_, &receive) > 0;
  note_posted();
  return there;
}

Look Mailbox::advance() {
  const std::size_t wanted = posted_.size();
  const bool more = collect_all();
  return more || posted_.size() != wanted ? Look::progress : Look::nothing;
}

void Mailbox::note_posted() {
  busy() ? waiter_->progress().add(*this) : waiter_->progress().remove(*this);
}

}  // namespace tutti::services
