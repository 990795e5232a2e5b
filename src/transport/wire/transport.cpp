// SPDX-License-Identifier: BSD-3-Clause
// Chooses the way of a message. A process that waits for MPI asks again and again, for MPI wakes
// nobody.
#include "transport/wire/transport.hpp"

#include "base/error.hpp"

namespace tutti::transport::wire {
namespace {

// Between hosts a wait goes to sleep late and briefly; within one, messages wake the waiter and
// only what the program itself does with MPI has to wait for the end of a nap.
constexpr shm::Naps between_hosts{
    .yields = 2000, .first_nanoseconds = 100'000, .longest_nanoseconds = 100'000, .woken = false},
    within_host{2000, 200'000, 1'000'000};

}  // namespace

RemoteTransport::RemoteTransport(shm::ShmTransport& memory, WireLink& link)
    : memory_(&memory), link_(&link), channels_(link.job()) {
  memory.set_naps(link.job().apart() ? between_hosts : within_host);
}

Channel& RemoteTransport::channel(int endpoint) {
  if (!link_->job().far(endpoint)) return memory_->channel(endpoint);
  return far(endpoint);
}

RemoteChannel& RemoteTransport::far(int endpoint) {
  auto& channel = channels_[endpoint];
  if (!channel) {
    link_->watch(endpoint);
    channel = std::make_unique<RemoteChannel>(*link_, endpoint);
  }
  return *channel;
}

void RemoteTransport::deliver(int from, Frame frame) {
  far(from).deliver(frame);
}

// Waiting for all: one that is gone is enough; for any: all have to be.
int RemoteTransport::lost_endpoint(const Waiting& waiting) const {
  int first = -1;
  for (const int endpoint : waiting.endpoints) {
    const bool gone = link_->job().far(endpoint) && link_->gone(endpoint);
    if (gone && first < 0) first = endpoint;
    if (gone != (waiting.kind == Waiting::For::any)) return gone ? endpoint : -1;
  }
  return first;
}

// The look for those that have ended may bring frames in, too, and who sleeps is woken only by what
// comes later: so the look for frames is the last.
void RemoteTransport::idle(int turn, const Waiting& waiting) {
  static_cast<void>(link_->departures());
  if (link_->advance()) return;
  if (lost_ >= 0) link_->reject_gone(lost_);
  if (!link_->sleep()) memory_->idle(turn, waiting);
  lost_ = lost_endpoint(waiting);  // the next look may still find messages that it had sent before
}

}  // namespace tutti::transport::wire
