// SPDX-License-Identifier: BSD-3-Clause
// Chooses between shared memory and the wire for each peer, and waits for MPI by polling, because
// MPI wakes no process.
#include "transport/wire/transport.hpp"

#include "base/error.hpp"

namespace tutti::transport::wire {
namespace {

// Between hosts a waiter sleeps late and briefly, because no message wakes it. Within a host
// messages wake it, and only what the program itself does with MPI has to wait for the end of a
// nap. Other processes may need this one for accesses to a window, which take less time than a nap.
// Then it polls on for about half a second, as the MPI does. After that it takes short naps, before
// each of which others can see that it waits. Where processors are short it naps at once, because
// those others need the processor.
shm::Naps between_hosts(const base::Tuning& tuning) {
  return {.yields = tuning.yields,
          .first_nanoseconds = tuning.nap_between_hosts,
          .longest_nanoseconds = tuning.nap_between_hosts,
          .woken = false};
}
shm::Naps within_host(const base::Tuning& tuning) {
  return {tuning.yields, tuning.nap_beside_mpi, tuning.nap_beside_mpi_longest};
}
shm::Naps within_host_often(const base::Tuning& tuning) {
  return {tuning.yields_with_windows, tuning.nap_with_windows, tuning.nap_with_windows};
}

// Between hosts one more frame costs more than smaller packets would save.
CutLimits limits_of(const shm::ShmTransport& memory, const WireJob& job) {
  CutLimits limits = memory.limits();
  if (job.hosts().apart()) limits.overlap = limits.overlap_long = limits.fragment;
  return limits;
}

}  // namespace

RemoteTransport::RemoteTransport(shm::ShmTransport& memory, WireLink& link)
    : Transport(memory.tuning(), limits_of(memory, link.job())),
      memory_(&memory),
      link_(&link),
      channels_(link.job()) {
  memory.set_naps(link.job().hosts().apart() ? between_hosts(tuning()) : within_host(tuning()));
}

void RemoteTransport::let_mpi_work_often(bool often) {
  if (!link_->job().hosts().apart())
    memory_->set_naps(often ? within_host_often(tuning()) : within_host(tuning()));
}

Channel& RemoteTransport::channel(int endpoint) {
  if (!link_->job().hosts().far(endpoint)) return memory_->channel(endpoint);
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

std::optional<UnreadPacket> RemoteTransport::unread() {
  std::optional<UnreadPacket> found;
  channels_.for_each([&](int peer, const std::unique_ptr<RemoteChannel>& channel) {
    if (found || !channel) return;
    if (const Packet* const packet = channel->peek()) found = {peer, self(), packet->label};
  });
  return found;
}

// Returns an endpoint that makes the wait vain, or -1. One that has left is enough if all are
// awaited; if any is awaited, all must have left.
int RemoteTransport::lost_endpoint(const WaitInfo& info) const {
  if (info.or_more) return -1;
  int first = -1;
  for (const int endpoint : info.endpoints) {
    const bool gone = link_->job().hosts().far(endpoint) && link_->gone(endpoint);
    if (gone && first < 0) first = endpoint;
    if (gone != (info.kind == WaitInfo::For::any)) return gone ? endpoint : -1;
  }
  return first;
}

// Polls for frames after noting departures, because noting them may bring frames in, and only what
// comes later wakes this process.
void RemoteTransport::idle(int turn, const WaitInfo& info) {
  static_cast<void>(link_->departures());
  if (link_->advance()) return;
  // Fewer endpoints may be awaited now than before the last poll (ShmIdler::idle).
  if (lost_ >= 0 && lost_endpoint(info) == lost_) link_->reject_gone(lost_);
  if (!info.is_woken || !link_->sleep()) memory_->idler().idle(turn, info);
  // The error is raised only after one more poll, which may still find what the endpoint had sent.
  lost_ = lost_endpoint(info);
}

}  // namespace tutti::transport::wire
