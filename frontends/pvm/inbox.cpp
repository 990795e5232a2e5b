// SPDX-License-Identifier: BSD-3-Clause
// Finds messages, waits for them, and gives them to handlers.
#include "inbox.hpp"

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include "core.hpp"
#include "machine.hpp"
#include "state.hpp"

namespace tutti::pvm {
namespace {

constexpr std::uint64_t tag_bits = 0xffffffffU;

tutti_match match_of(const MessagePattern& wanted) {
  const int source = wanted.tid == any ? TUTTI_ANY : tutti_pvm_endpoint(wanted.tid);
  const bool any_tag = wanted.tag == any;
  return {sizeof(tutti_match),
          source,
          key_of(wanted.context, any_tag ? 0 : wanted.tag),
          any_tag ? ~tag_bits : ~std::uint64_t{0},
          nullptr,
          nullptr};
}

// Matches the message of this envelope, which is the first from its sender with its key.
tutti_match match_of(const tutti_envelope& envelope) {
  return {sizeof(tutti_match), envelope.source, envelope.key, ~std::uint64_t{0}, nullptr, nullptr};
}

Origin origin_of(const tutti_envelope& envelope) {
  return {tutti_pvm_tid(envelope.source), static_cast<int>(envelope.key & tag_bits),
          static_cast<int>(envelope.key >> 32)};
}

}  // namespace

int Handlers::add(int tid, int tag, int context, Function function) {
  const auto same = [&](const Handler& one) {
    return one.tid == tid && one.tag == tag && one.context == context;
  };
  if (std::any_of(all_.begin(), all_.end(), same)) return PvmExists;
  all_.push_back({next_, tid, tag, context, function});
  return next_++;
}

int Handlers::remove(int number) {
  return std::erase_if(all_, [&](const Handler& one) { return one.number == number; }) > 0
             ? PvmOk
             : PvmNotFound;
}

bool Handlers::take(MessageBuffers& buffers, int number) const {
  const Origin origin = buffers.find(number)->origin;
  const auto found = std::find_if(all_.begin(), all_.end(), [&](const Handler& one) {
    return (one.tid == -1 || one.tid == origin.tid) && (one.tag == -1 || one.tag == origin.tag) &&
           (one.context == -1 || one.context == origin.context);
  });
  if (found == all_.end()) return false;
  const int sending = buffers.set_sending(0), receiving = buffers.set_receiving(number);
  found->function(number);  // the function may add and remove handlers
  buffers.free(number);
  buffers.set_sending(sending);
  buffers.set_receiving(receiving);
  return true;
}

int Inbox::take(int number) {
  here_.remove(number);
  return number;
}

int Inbox::find(const MessagePattern& wanted) {
  if (match_ != nullptr) return find_by_function(wanted);
  const auto found = std::find_if(here_.begin(), here_.end(), [&](int number) {
    return wanted.fits(buffers_->find(number)->origin);
  });
  return found == here_.end() ? 0 : *found;
}

// The function sees all messages of this context in the order of arrival.
int Inbox::find_by_function(const MessagePattern& wanted) {
  int best = 0, highest = 1;
  for (const int number : std::vector<int>(here_.begin(), here_.end())) {
    if (buffers_->find(number)->origin.context != wanted.context) continue;
    const int rank = match_(number, wanted.tid, wanted.tag);
    if (rank < 0) return rank;
    if (rank == 1) return number;
    if (rank > highest) {
      highest = rank;
      best = number;
    }
  }
  return best;
}

int Inbox::fetch(const Place& place) {
  const tutti_envelope& envelope = place.envelope;
  MessageBuffer* buffer = buffers_->make(PvmDataDefault);
  buffer->origin = origin_of(envelope);
  const auto size = static_cast<std::size_t>(envelope.bytes);
  Bytes& spare = buffers_->spare();
  // A short message does not get all of a long memory.
  constexpr std::size_t share = 4;
  const bool moves = place.holds_it && size >= spare.room() / share;
  if (moves) buffer->swap_memory(spare);
  std::byte* to = buffer->receive(size);
  if (to == nullptr) {
    buffers_->free(buffer->number());
    return PvmNoMem;
  }
  if (place.holds_it) {
    if (!moves && size > 0) std::memcpy(to, spare.data(), size);
    return buffer->number();
  }
  const tutti_match match = match_of(envelope);
  const tutti_status status = tutti_mail_receive(&match, to, envelope.bytes, nullptr);
  return status == TUTTI_OK ? buffer->number() : code_of(status);
}

// Moves all messages in the mailbox to the end of here_, except those that a handler takes.
void Inbox::fetch_all(int source) {
  const tutti_match match = {sizeof(tutti_match), source, 0, other_interfaces, nullptr, nullptr};
  Place in_mailbox;
  while (tutti_mail_probe(&match, 0, &in_mailbox.envelope) == TUTTI_OK) {
    const int number = fetch(in_mailbox);
    if (number < 0) return;
    if (!handlers_.take(*buffers_, number)) here_.push_back(number);
  }
}

// A message that is too long for the place stays in the mailbox.
int Inbox::wait(const MessagePattern& wanted, Deadline deadline, Place& place) {
  const MessagePattern everything{any, any, 0};
  tutti_match match = match_of(wanted);
  if (looks_at_all()) {
    match = match_of(everything);
    match.mask = other_interfaces;
  }
  double seconds = for_ever;
  if (deadline) {
    const std::uint64_t now = tutti_nanoseconds();
    seconds = now < *deadline ? static_cast<double>(*deadline - now) * 1e-9 : 0;
  }
  const auto give_up = [](void* self) {
    state().output.look();
    return static_cast<const Inbox*>(self)->somebody_left() ? 1 : 0;
  };
  void* const data = place.space > 0 ? place.data : buffers_->spare().data();
  const std::size_t space = place.space > 0 ? place.space : buffers_->spare().room();
  const bool takes = space > 0 && !looks_at_all();
  const tutti_status status =
      takes ? tutti_mail_receive_unless(&match, data, static_cast<std::int64_t>(space), seconds,
                                        give_up, this, &place.envelope)
            : tutti_mail_await(&match, seconds, give_up, this, &place.envelope);
  place.holds_it = status == TUTTI_OK && takes;
  if (status == TUTTI_TRUNCATED) return PvmOk;
  if (status != TUTTI_WOULD_WAIT) return code_of(status);
  return deadline && tutti_nanoseconds() >= *deadline ? PvmNoData : PvmOk;
}

// Returns the number of a buffer if the message is in here_. Returns 0 if it is in its place or in
// the mailbox, with `bytes` >= 0 in the envelope, or if there is none, with `bytes` < 0.
int Inbox::wait_and_find(const MessagePattern& wanted, Deadline deadline, Place& place) {
  for (;;) {
    if (somebody_left()) tell_departures();
    if (looks_at_all()) fetch_all(TUTTI_ANY);
    if (!here_.empty()) {
      const int number = find(wanted);
      if (number != 0) return number;
    }
    place.envelope.bytes = -1;
    const int status = wait(wanted, deadline, place);
    if (status == PvmNoData) return 0;
    if (status != PvmOk) return status;
    if (place.envelope.bytes >= 0 && !looks_at_all()) return 0;
  }
}

int Inbox::receive(const MessagePattern& wanted, double seconds) {
  constexpr double longest = 1e9;  // in seconds: 30 years, which the number of ns holds
  Deadline deadline;
  if (seconds >= 0)
    deadline = tutti_nanoseconds() + static_cast<std::uint64_t>(std::min(seconds, longest) * 1e9);
  Place place;
  const int number = wait_and_find(wanted, deadline, place);
  if (number > 0) return take(number);
  if (number < 0 || place.envelope.bytes < 0) return number;
  return fetch(place);
}

int Inbox::probe(const MessagePattern& wanted) {
  if (somebody_left()) tell_departures();
  fetch_all(TUTTI_ANY);
  return find(wanted);
}

int Inbox::receive_into(const MessagePattern& wanted, void* data, std::size_t space, Origin& origin,
                        std::size_t& bytes) {
  Place place{data, data == nullptr ? 0 : space};
  int number = wait_and_find(wanted, {}, place);
  if (number < 0) return number;
  if (place.holds_it && place.space > 0) {
    origin = origin_of(place.envelope);
    bytes = static_cast<std::size_t>(place.envelope.bytes);
    return PvmOk;
  }
  number = number > 0 ? take(number) : fetch(place);
  if (number < 0) return number;
  const MessageBuffer& buffer = *buffers_->find(number);
  origin = buffer.origin;
  bytes = buffer.size();
  if (std::min(space, bytes) > 0) std::memcpy(data, buffer.data(), std::min(space, bytes));
  buffers_->free(number);
  return PvmOk;
}

Inbox::Match Inbox::set_match(Match match) {
  return std::exchange(match_, match);
}

void Inbox::watch(int tid, int tag, int context) {
  const Watch wanted{tid, tag, context};
  if (tutti_present(tutti_pvm_endpoint(tid)) == 0) return tell(wanted);
  if (watches_.empty()) departures_ = -1;  // the task may have left since the look above
  watches_.push_back(wanted);
}

void Inbox::cancel_watch(int tid, int tag, int context) {
  const Watch wanted{tid, tag, context};
  const auto found = std::find(watches_.begin(), watches_.end(), wanted);
  if (found == watches_.end()) return;
  watches_.erase(found);
  tell(wanted);
}

void Inbox::tell_departures() {
  departures_ = tutti_departures();
  const auto gone = std::stable_partition(watches_.begin(), watches_.end(), [](const Watch& one) {
    return tutti_present(tutti_pvm_endpoint(one.tid)) != 0;
  });
  const std::vector<Watch> ended(gone, watches_.end());
  watches_.erase(gone, watches_.end());
  for (const Watch& one : ended) tell(one);
}

// Messages that the task sent before it ended must be received before the notice of its end.
void Inbox::tell(const Watch& watch) {
  fetch_all(tutti_pvm_endpoint(watch.tid));
  MessageBuffer& message = *buffers_->make(PvmDataDefault);
  // Failure is harmless: a number always fits into a new buffer.
  static_cast<void>(message.pack(&watch.tid, sizeof watch.tid, 1, 1));
  message.origin = {tid_of_host(host_of_tid(watch.tid)), watch.tag, watch.context};
  if (!handlers_.take(*buffers_, message.number())) here_.push_back(message.number());
}

}  // namespace tutti::pvm
