// SPDX-License-Identifier: BSD-3-Clause
// The transport of a job over a wire: shared memory within a host, frames between hosts. Even on a
// single host a waiting process lets MPI work, so that operations that the program has started
// there go on. The engine uses it.
#pragma once

#include <memory>

#include "transport/shm/transport.hpp"
#include "transport/wire/channel.hpp"

namespace tutti::transport::wire {

class RemoteTransport final : public Transport, public Receiver, private Idler {
 public:
  // `memory` and `link` must outlive this object.
  RemoteTransport(shm::ShmTransport& memory, WireLink& link);

  [[nodiscard]] int self() const override { return link_->job().rank(); }
  Channel& channel(int endpoint) override;
  Lent acquire(std::uint32_t bytes, std::uint32_t readers, int first) override {
    return memory_->acquire(bytes, readers, first);
  }
  [[nodiscard]] Idler& idler() override { return *this; }
  [[nodiscard]] const Clock& clock() override { return memory_->clock(); }

  // Returns a packet from another host that this endpoint has not taken. Called when all hosts have
  // said that they leave, because nothing more arrives then.
  [[nodiscard]] std::optional<UnreadPacket> unread();

  // Says whether other processes need this one to let MPI work soon, also while it waits for long.
  void let_mpi_work_often(bool often);

  void deliver(int from, Frame frame) override;

 private:
  [[nodiscard]] RemoteChannel& far(int endpoint);
  [[nodiscard]] int lost_endpoint(const WaitInfo& info) const;

  [[nodiscard]] int spin_turns() const override {
    return link_->job().is_open() ? 1 : memory_->idler().spin_turns();
  }
  // Throws Error(peer_left) when the wait is for a process that has left.
  void idle(int turn, const WaitInfo& info) override;
  void pass() override { memory_->idler().pass(); }
  void awake() override {
    lost_ = -1;
    memory_->idler().awake();
  }

  shm::ShmTransport* memory_;
  WireLink* link_;
  ByNumber<std::unique_ptr<RemoteChannel>> channels_;
  int lost_ = -1;
};

}  // namespace tutti::transport::wire
