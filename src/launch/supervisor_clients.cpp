// SPDX-License-Identifier: BSD-3-Clause
// The supervisor's part for processes that nobody has started for the job. They join by the job
// socket, and are then tasks without a parent.
#include <sys/socket.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "base/descriptor.hpp"
#include "base/error.hpp"
#include "launch/supervisor.hpp"
#include "transport/shm/slots.hpp"

namespace tutti::launch {

using transport::shm::slot_of;
using transport::shm::Slots;

// Accepts only processes of this user. The folder of a named job socket excludes others already,
// but an unnamed socket has no folder.
void Supervisor::on_job_socket() {
  Descriptor client(base::raised(::accept4(options_.job_socket, nullptr, nullptr, SOCK_CLOEXEC)));
  if (!client.valid()) {
    const bool gone = errno == EINTR || errno == EAGAIN || errno == ECONNABORTED;
    if (gone) return;
    base::fail_errno("a process that asks to join cannot be heard");
  }
  if (!is_of_this_user(client)) return;
  watch(client.get(), Source::connection, client.get());
  connections_.push_back(std::move(client));
}

// Reads the first message of a connection. A client that only checks whether the job exists closes
// its connection without a message.
void Supervisor::on_connection(int descriptor) {
  const auto found =
      std::find_if(connections_.begin(), connections_.end(),
                   [descriptor](const Descriptor& one) { return one.get() == descriptor; });
  if (found == connections_.end()) return;
  Descriptor client = std::move(*found);
  connections_.erase(found);
  forget(descriptor);
  auto received = receive_message(client.get());
  if (received && options_.pool) return enlist(std::move(*received), std::move(client));
  if (!received || received->message.kind != ControlKind::request_to_join) return;
  pending_clients_.push_back({std::move(client), std::move(received->payload)});
}

void Supervisor::admit_clients() {
  for (PendingClient& client : std::exchange(pending_clients_, {})) {
    if (decision_) return;
    try {
      admit(client);
    } catch (const base::Error& error) {
      tell(client.socket, {ControlKind::refused, -1}, -1, error.what());
    }
  }
}

void Supervisor::admit(PendingClient& client) {
  vacate_slots();
  Slots free_slots(mapping_);
  free_slots.require_room(1);
  const int id = free_slots.take(0);
  const auto slot = static_cast<std::size_t>(slot_of(id));
  try {
    watch(client.socket.get(), Source::control, slot_of(id));
  } catch (const base::Error&) {
    free_slots.put_back(slot_of(id));
    throw;
  }
  if (ranks_.size() <= slot) ranks_.resize(slot + 1);
  ranks_[slot] = {};
  Watched& watched = ranks_[slot];
  watched.spawn_group = std::make_shared<SpawnGroup>(SpawnGroup{-1, {id}});
  watched.task_program = std::move(client.program);
  watched.control = std::move(client.socket);
  watched.admitted = true;
  ++started_;
  tell(watched.control, {ControlKind::welcome, id}, segment());
}

// Frees the slot of a client that has ended before it took its endpoint.
void Supervisor::lose_client(int rank) {
  at(rank).admitted = false;
  --started_;
  Slots(mapping_).put_back(rank);
}

}  // namespace tutti::launch
