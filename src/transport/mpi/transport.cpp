// SPDX-License-Identifier: BSD-3-Clause
// Which way a message goes, and how a process waits for MPI, which wakes nobody: it is asked again and again.
#include "transport/mpi/transport.hpp"

#include "base/error.hpp"

namespace tutti::transport::mpi {
namespace {

// Between hosts a wait goes to sleep late and briefly; within one, messages wake the sleeper and only what the program
// itself does with MPI has to wait for the end of a nap.
constexpr shm::Naps between_hosts{2000, 100'000, 100'000, false}, within_host{64, 200'000, 1'000'000};

}  // namespace

FarTransport::FarTransport(shm::ShmTransport& memory, Link& link)
    : memory_(&memory), link_(&link), channels_(static_cast<std::size_t>(link.job().size())) {
  memory.set_naps(link.job().host_count() > 1 ? between_hosts : within_host);
}

Channel& FarTransport::channel(int endpoint) {
  const bool in_world = endpoint >= 0 && endpoint < link_->job().size();
  if (!in_world || link_->job().here(endpoint)) return memory_->channel(endpoint);
  return far(endpoint);
}

FarChannel& FarTransport::far(int endpoint) {
  auto& channel = channels_[static_cast<std::size_t>(endpoint)];
  if (!channel) channel = std::make_unique<FarChannel>(*link_, *memory_, endpoint);
  return *channel;
}

void FarTransport::deliver(int from, Frame frame) {
  far(from).deliver(frame);
}

// Waiting for all: one that is gone is enough; for any: all have to be.
int FarTransport::lost_endpoint(const Waiting& waiting) const {
  int first = -1;
  for (const int endpoint : waiting.endpoints) {
    const bool gone = !link_->job().here(endpoint) && link_->gone(endpoint);
    if (gone && first < 0) first = endpoint;
    if (gone != (waiting.kind == Waiting::For::any)) return gone ? endpoint : -1;
  }
  return first;
}

void FarTransport::idle(int turn, const Waiting& waiting) {
  if (link_->advance()) return;
  if (lost_ >= 0) base::fail(base::Status::peer_left, "rank {} has left the job", lost_);
  memory_->idle(turn, waiting);
  lost_ = lost_endpoint(waiting);  // what it had sent before may still be found by the next look
}

}  // namespace tutti::transport::mpi
