// SPDX-License-Identifier: BSD-3-Clause
// Asks the timekeeper which messages receives get, and fetches them (virtual_mail.hpp).
#include "services/virtual_mail.hpp"

#include <algorithm>
#include <cstring>
#include <exception>

#include "base/error.hpp"

namespace tutti::services {

using timed::MessageName;
using timed::Selection;
using timed::TimedStream;
using transport::Arrival;
using transport::Look;
using transport::WaitInfo;

namespace {

Selection selection_of(const Match& match) {
  return {.tag = match.wanted.tag,
          .tags = match.mask.tag,
          .detail = match.wanted.detail,
          .details = match.mask.detail,
          .from = match.source == any_source ? Selection::anybody : match.source,
          .set = match.set};
}

bool select_the_same(const Match& a, const Match& b) {
  return selection_of(a) == selection_of(b);
}

}  // namespace

std::uint64_t virtual_limit(const transport::WaitEnd& end) {
  if (end.give_up.now()) return 0;
  return end.in_time() ? end.deadline : TimedStream::for_ever;
}

VirtualMail::VirtualMail(transport::Waiter& waiter, transport::Mail& mail,
                         record::RunRecorder& record)
    : waiter_(&waiter), mail_(&mail), record_(&record) {
  waiter_->progress().add(*this);
}

// --- messages that have come ---

void VirtualMail::collect(int source) {
  for (Letter letter; mail_->poll(source, nullptr, letter.arrival) != transport::Got::nothing;) {
    Arrival& arrival = letter.arrival;
    arrival.number = record_->next_from(source);
    if (arrival.handle != 0) {
      letter.bytes = std::make_unique_for_overwrite<std::byte[]>(arrival.bytes);
      std::memcpy(letter.bytes.get(), arrival.payload(), arrival.bytes);
      mail_->release(arrival);
      arrival.handle = Arrival::placed;
      arrival.buffer = letter.bytes.get();
      arrival.record = nullptr;
    }
    letters_[source].push_back(std::move(letter));
    letter = Letter();
    ++collected_;
  }
}

Look VirtualMail::advance() {
  const std::size_t known = collected_;
  const auto visit = [](void* self, int source) {
    static_cast<VirtualMail*>(self)->collect(source);
  };
  mail_->part(visit, this);
  mail_->for_each_sender(visit, this);
  return collected_ != known ? Look::progress : Look::nothing;
}

// Everything that comes is collected by advance(), because this object waits for it, too. A sender
// that has left and has not sent the message will not send it.
template <class Find>
VirtualMail::Letters::iterator VirtualMail::wait_for(int source, const Match* match,
                                                     const Find& find) {
  Letters& letters = letters_[source];
  Letters::iterator found;
  const auto is_here = [&] {
    found = std::find_if(letters.begin(), letters.end(),
                         [&](const Letter& letter) { return find(letter.arrival); });
    return found != letters.end();
  };
  const auto is_here_or_never = [&] {
    std::exception_ptr gone;
    try {
      mail_->require_reachable(source);
    } catch (...) {
      gone = std::current_exception();
      static_cast<void>(advance());  // failure is harmless: the next line looks itself
    }
    if (is_here()) return true;
    if (gone) std::rethrow_exception(gone);
    return false;
  };
  static_cast<void>(advance());  // failure is harmless: the next line looks itself
  if (is_here()) return found;
  try {
    waiter_->wait_for_others(is_here_or_never, [&](WaitInfo& info) {
      info.endpoints = {&source, 1};
      if (match != nullptr) info.words = {describe_, match};
    });
  } catch (...) {
    stream().give_up();
    throw;
  }
  return found;
}

VirtualMail::Letters::iterator VirtualMail::fetch(const MessageName& name) {
  return wait_for(name.from, nullptr, [&name](const Arrival& arrival) {
    return arrival.source == name.from && arrival.number == name.number;
  });
}

VirtualMail::Letters::iterator VirtualMail::fetch_first(const Match& match) {
  return wait_for(match.source, &match,
                  [&match](const Arrival& arrival) { return match.fits(arrival); });
}

// --- receives that wait ---

// Returns true if the order in which the sender sends decides alone. A receive that was posted
// before may get the message otherwise, and one that comes before its receive may be lost.
bool VirtualMail::is_named(const Match& match) const {
  const auto asks = [](const PostedReceive* receive) { return receive->asks; };
  return match.accept == nullptr && selection_of(match).is_named() && !unposted_.may_meet(match) &&
         std::none_of(posted_.begin(), posted_.end(), asks);
}

const Arrival* VirtualMail::wait_unless(const Match& match, const transport::WaitEnd& end) {
  const std::uint64_t limit = virtual_limit(end);
  const bool is_posted = match.takes && match.accept == nullptr && limit == TimedStream::for_ever;
  return is_posted ? receive(match) : seek(match, limit);
}

// The timekeeper knows the receive as a posted one.
const Arrival* VirtualMail::receive(const Match& match) {
  note_left();
  const std::uint32_t request = record_->new_request();
  const bool named = is_named(match);
  stream().expect(request, selection_of(match), !named);
  if (named) {
    stream().put({.kind = record::ItemKind::wait, .request = request});
    claim(match, nullptr);
    found_ = fetch_first(match);
  } else {
    found_ = fetch(stream().message_of(request));
  }
  is_told_ = true;
  return &found_->arrival;
}

const Arrival* VirtualMail::look(const Match& match) {
  end_done();
  return seek(match, 0);
}

// A receive with a limit is a look, so that it has got no message when the limit comes. A function
// of the program that chooses among messages is asked here, about one after the other.
const Arrival* VirtualMail::seek(const Match& match, std::uint64_t limit) {
  note_left();
  for (auto wait = TimedStream::Wait::begins;; wait = TimedStream::Wait::goes_on) {
    const auto name = stream().seek(selection_of(match), limit, wait);
    if (!name) break;
    const Letters::iterator letter = fetch(*name);
    if (name->lost) {
      unposted_.discarded(unposted_.user, letter->arrival);
      drop(letter);
    } else if (match.fits(letter->arrival)) {
      found_ = letter;
      return &found_->arrival;
    } else {
      // A wait with a limit is recorded by its limit.
      if (limit == TimedStream::for_ever)
        record_->sees(letter->arrival.source, letter->arrival.number);
    }
  }
  record_->waited_in_vain(limit);
  return nullptr;
}

void VirtualMail::take() {
  using Told = record::RunRecorder::Told;
  record_->receives(found_->arrival.source, found_->arrival.number,
                    is_told_ ? Told::yes : Told::no);
  is_told_ = false;
  drop(found_);
}

// A message that a receive has got, and that was not taken because of an error, stays.
void VirtualMail::note_left() {
  if (!std::exchange(is_told_, false)) return;
  const Arrival& arrival = found_->arrival;
  stream().stays({arrival.source, arrival.number}, arrival.key);
}

void VirtualMail::leave_found() {
  record_->sees(found_->arrival.source, found_->arrival.number);
  note_left();
}

// --- posted receives ---

void VirtualMail::post(PostedReceive& receive) {
  note_left();
  if (receive.match.accept != nullptr)
    base::fail(base::Status::invalid_argument,
               "a posted receive that chooses its message by a function has no virtual time (tutti "
               "run --machine)");
  receive.done = false;
  receive.asks = !is_named(receive.match);
  receive.recorded = record_->posts();
  stream().expect(receive.recorded, selection_of(receive.match), receive.asks);
  posted_.push_back(&receive);
}

void VirtualMail::end(PostedReceive& receive, Letters::iterator letter) {
  std::erase(posted_, &receive);
  receive.end_with(letter->arrival, record_);
  drop(letter);
}

// Gives messages to named receives that were posted for the same ones, in their order, up to the
// last. They get them in this order in virtual time, too.
void VirtualMail::claim(const Match& match, const PostedReceive* last) {
  const auto same = [&match](const PostedReceive* receive) {
    return !receive->asks && select_the_same(receive->match, match);
  };
  for (bool goes_on = true; goes_on;) {
    const auto next = std::find_if(posted_.begin(), posted_.end(), same);
    if (next == posted_.end()) return;
    PostedReceive& receive = **next;
    goes_on = &receive != last;
    end(receive, fetch_first(receive.match));
  }
}

void VirtualMail::settle(PostedReceive& receive) {
  using Told = record::RunRecorder::Told;
  note_left();
  if (!receive.waited) {
    receive.waited = true;
    record_->waited_for(receive.recorded, receive.asks ? Told::yes : Told::no);
  }
  if (receive.done) return;
  if (!receive.asks) return claim(receive.match, &receive);
  end(receive, fetch(stream().message_of(receive.recorded)));
}

// Ends posted receives that are done by now. A program may look at their memory.
void VirtualMail::end_done() {
  while (!posted_.empty()) {
    std::vector<TimedStream::Awaited> awaited;
    for (const PostedReceive* receive : posted_)
      awaited.push_back({receive->recorded, static_cast<std::uint32_t>(awaited.size())});
    const auto first = stream().first_of(awaited, 0);
    if (!first) return;
    settle(*posted_[*first]);
  }
}

bool VirtualMail::cancel(PostedReceive& receive) {
  note_left();
  if (receive.done || !stream().cancel(receive.recorded)) return false;
  forget(receive);
  return true;
}

void VirtualMail::forget(PostedReceive& receive) {
  std::erase(posted_, &receive);
}

void VirtualMail::discard_unposted(const Unposted& kind) {
  unposted_ = kind;
  Match match;
  match.wanted = kind.wanted;
  match.mask = kind.mask;
  stream().discard(selection_of(match), kind.discarded == nullptr ? TimedStream::Fate::stay
                                                                  : TimedStream::Fate::are_lost);
}

void VirtualMail::close() {
  is_told_ = false;
  posted_.clear();
  letters_.clear();
}

}  // namespace tutti::services
