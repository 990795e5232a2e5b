// SPDX-License-Identifier: BSD-3-Clause
// Processes that nobody has started for the job: they come in by its door, and are tasks without a
// parent from then on.
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "base/error.hpp"
#include "launch/judge.hpp"
#include "transport/shm/slots.hpp"

namespace tutti::launch {

using transport::shm::slot_of;
using transport::shm::Slots;

// The folder of the door lets in nobody else, too.
void Judge::on_door() {
  Descriptor visitor(::accept4(options_.door, nullptr, nullptr, SOCK_CLOEXEC));
  if (!visitor.valid() || !is_of_this_user(visitor)) return;
  watch(visitor.get(), Source::visitor, visitor.get());
  visitors_.push_back(std::move(visitor));
}

// One that only looks whether somebody is here goes without a word.
void Judge::on_visitor(int descriptor) {
  const auto found =
      std::find_if(visitors_.begin(), visitors_.end(),
                   [descriptor](const Descriptor& one) { return one.get() == descriptor; });
  if (found == visitors_.end()) return;
  Descriptor visitor = std::move(*found);
  visitors_.erase(found);
  forget(descriptor);
  auto received = receive_message(visitor.get());
  if (received && options_.pool) return enlist(std::move(*received), std::move(visitor));
  if (!received || received->message.kind != MessageKind::knock) return;
  guests_.push_back({std::move(visitor), std::move(received->payload)});
}

void Judge::admit_guests() {
  for (Guest& guest : std::exchange(guests_, {})) {
    if (verdict_) return;
    try {
      admit(guest);
    } catch (const base::Error& error) {
      static_cast<void>(send_message(guest.socket.get(), {MessageKind::refused, -1, ::getpid()}, -1,
                                     error.what()));
    }
  }
}

void Judge::admit(Guest& guest) {
  vacate_slots();
  Slots free_slots(mapping_);
  free_slots.require_room(1);
  const int id = free_slots.take(0);
  const auto slot = static_cast<std::size_t>(slot_of(id));
  if (ranks_.size() <= slot) ranks_.resize(slot + 1);
  ranks_[slot] = {};
  Watched& watched = ranks_[slot];
  watched.kin = std::make_shared<Kin>(Kin{-1, {id}});
  watched.task_program = std::move(guest.program);
  watched.control = std::move(guest.socket);
  watched.invited = true;
  watch(watched.control.get(), Source::control, slot_of(id));
  ++started_;
  static_cast<void>(send_message(watched.control.get(), {MessageKind::welcome, id, ::getpid()},
                                 mapping_.descriptor()));
}

// It has gone before it took its endpoint: the slot is free again.
void Judge::lose_guest(int rank) {
  at(rank).invited = false;
  --started_;
  Slots(mapping_).put_back(rank);
}

}  // namespace tutti::launch
