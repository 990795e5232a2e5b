// SPDX-License-Identifier: BSD-3-Clause
// Implements the slots of tasks. A slot gets a new process only when the memory that its last
// process shared is freed, so no message, ring or buffer of one generation is seen by the next. A
// living peer frees its part at its next wait for mail or spawn (ShmMail::part). A ring of
// collectives in which packets are left is freed when both sides have gone.
#include "transport/shm/slots.hpp"

#include <fmt/format.h>

#include <cstring>
#include <optional>

#include "base/error.hpp"
#include "transport/shm/handover.hpp"
#include "transport/shm/lent_book.hpp"
#include "transport/shm/ring.hpp"

namespace tutti::transport::shm {
namespace {

bool in_use(const Mapping& mapping, int slot) {
  return slot < static_cast<int>(mapping.header().slots.see());
}

bool was_ever(const Mapping& mapping, int id) {
  return id >= 0 && in_use(mapping, slot_of(id)) &&
         generation_of(id) <= mapping.endpoint(slot_of(id)).generation.see();
}

bool present(Presence presence) {
  return presence == Presence::expected || presence == Presence::attached;
}

// Returns the presence of `id`, or nothing if its slot has another process by now. The generation
// is looked at last: if it is still that of `id`, what was seen before was about `id`, too.
std::optional<Presence> presence_of(const Mapping& mapping, int id) {
  if (id < 0 || !in_use(mapping, slot_of(id))) return std::nullopt;
  const Endpoint& endpoint = mapping.endpoint(slot_of(id));
  const Presence presence = endpoint.presence.check();
  if (endpoint.generation.see() != generation_of(id)) return std::nullopt;
  return presence;
}

// Returns the end of a process that has departed.
ProcessEnd end_of(const Endpoint& endpoint) {
  const std::uint32_t ending = endpoint.ending.see();
  if (endpoint.presence.see() != Presence::dead) return {ProcessEnd::How::left, 0};
  const auto value = static_cast<int>(ending & 0xffU);
  if ((ending & ending_killed) != 0) return {ProcessEnd::How::killed, value};
  if ((ending & ending_exited) != 0) return {ProcessEnd::How::exited, value};
  return {ProcessEnd::How::failed, 0};
}

// Returns true if a waiter should give up waiting for `id` because its process has departed. Used
// in jobs in which no supervisor ends waits in vain (header().unsupervised). A dead task does not
// count where deaths end the job, because the tasks' supervisor may be about to end it.
bool seen_lost(const Mapping& mapping, int id) {
  const Presence presence = mapping.endpoint(slot_of(id)).presence.see();
  const bool ends_job = presence == Presence::dead && !in_world(mapping, slot_of(id)) &&
                        mapping.header().policy == DeathPolicy::together;
  return departed(presence) && !ends_job;
}

}  // namespace

bool in_world(const Mapping& mapping, int slot) {
  return slot < static_cast<int>(mapping.header().world_size);
}

bool is_there(const Mapping& mapping, int id) {
  const auto presence = presence_of(mapping, id);
  return presence && present(*presence);
}

bool reachable(const Mapping& mapping, int id) {
  const auto presence = presence_of(mapping, id);
  if (!presence) return false;
  return present(*presence) || (departed(*presence) && in_world(mapping, slot_of(id)) &&
                                mapping.header().policy == DeathPolicy::together);
}

void require_reachable(const Mapping& mapping, int id) {
  if (reachable(mapping, id)) return;
  if (!was_ever(mapping, id))
    base::fail(base::Status::invalid_argument, "there is no process at endpoint {}", id);
  fail_departed(mapping, id);
}

void fail_departed(const Mapping& mapping, int id) {
  throw DepartedError(id, describe_departed(mapping, id));
}

std::string describe_departed(const Mapping& mapping, int id) {
  if (!was_ever(mapping, id)) return fmt::format("there is no process at endpoint {}", id);
  const Endpoint& endpoint = mapping.endpoint(slot_of(id));
  const int pid = endpoint.pid.see();
  if (endpoint.generation.see() != generation_of(id))
    return fmt::format("the process at endpoint {} has ended", id);
  const std::string how = text_of(end_of(endpoint));
  if (pid != 0 && in_world(mapping, id))
    return fmt::format("rank {} (process {}) {}", id, pid, how);
  if (pid == 0) return fmt::format("the process at endpoint {} {}", id, how);
  return fmt::format("process {} at endpoint {} {}", pid, id, how);
}

ProcessEnd end_of(const Mapping& mapping, int id) {
  if (!was_ever(mapping, id)) return {};
  const auto presence = presence_of(mapping, id);
  if (!presence) return {ProcessEnd::How::replaced, 0};
  return departed(*presence) ? end_of(mapping.endpoint(slot_of(id))) : ProcessEnd{};
}

std::string text_of(const ProcessEnd& end) {
  switch (end.how) {
    case ProcessEnd::How::none:
      return "";
    case ProcessEnd::How::left:
      return "has left the job";
    case ProcessEnd::How::killed:
      return fmt::format("was killed by signal {} ({})", end.value, ::strsignal(end.value));
    case ProcessEnd::How::exited:
      return fmt::format("has exited with code {}", end.value);
    case ProcessEnd::How::failed:
      return "was killed or has failed";
    case ProcessEnd::How::replaced:
      break;
  }
  return "has ended";
}

bool lost(const Mapping& mapping, int id) {
  const bool known = was_ever(mapping, id);
  const Endpoint& endpoint = mapping.endpoint(slot_of(id));
  const bool same = known && endpoint.generation.see() == generation_of(id);
  if (same && mapping.header().unsupervised != 0) return seen_lost(mapping, id);
  if (reachable(mapping, id)) return false;
  return !same || endpoint.presence.see() == Presence::empty ||
         mapping.header().policy == DeathPolicy::tolerant;
}

void note_departure(const Mapping& mapping, int slot) {
  SegmentHeader& header = mapping.header();
  const bool seen_by_waiters = header.policy == DeathPolicy::tolerant || header.unsupervised != 0;
  if (!in_world(mapping, slot) || seen_by_waiters) header.departures.add(1);
}

// Adds a slot and reserves its pages, which happens at the first use of an endpoint beyond the
// world's.
int Slots::grow() {
  SegmentHeader& header = mapping_->header();
  const auto slot = static_cast<int>(header.slots.see());
  const auto wanted = static_cast<std::int64_t>(sizeof(Endpoint));
  if (header.reserved_bytes.add(wanted) + wanted > header.limit_bytes) {
    header.reserved_bytes.subtract(wanted);
    base::fail(base::Status::out_of_memory,
               "no shared memory for endpoint {}: raise TUTTI_SHM_LIMIT", slot);
  }
  header.slots.publish(static_cast<std::uint32_t>(slot) + 1);
  return slot;
}

void Slots::require_room(int count) const {
  const SegmentHeader& header = mapping_->header();
  const auto slots = static_cast<int>(header.slots.see());
  int room = capacity - slots, held = 0;
  for (auto slot = static_cast<int>(header.world_size); slot < slots; ++slot) {
    const Presence presence = mapping_->endpoint(slot).presence.see();
    if (presence == Presence::empty) ++room;
    if (departed(presence)) ++held;
  }
  if (count <= room) return;
  base::fail(
      base::Status::no_slot,
      "{} tasks are asked for but the job has room for {}, of {} processes in all{}", count, room,
      capacity,
      held == 0 ? ""
                : fmt::format(" ({} have ended but are known to some that have made no call since)",
                              held));
}

int Slots::take(int world_rank) {
  const SegmentHeader& header = mapping_->header();
  auto slot = static_cast<int>(header.world_size);
  while (in_use(*mapping_, slot) && mapping_->endpoint(slot).presence.see() != Presence::empty)
    ++slot;
  if (!in_use(*mapping_, slot)) slot = grow();
  Endpoint& endpoint = mapping_->endpoint(slot);
  endpoint.pid.put(0);
  endpoint.exit_note.put(0);
  endpoint.ending.put(0);
  endpoint.draining.put(0);
  endpoint.kept_at_end.put(0);
  endpoint.reaches.put(0);
  endpoint.number_at.put(0);
  forget_offers(endpoint.mail);
  endpoint.waiter.put(0);
  endpoint.runs_on.put(0);
  for (auto& word : endpoint.state.call) word.put(0);
  for (auto& word : endpoint.state.about) word.put(0);
  endpoint.state.waiting.put(0);
  endpoint.world_rank.put(world_rank);
  const std::uint32_t generation = endpoint.generation.peek() + 1;
  endpoint.generation.publish(generation);
  endpoint.presence.publish(Presence::expected);
  return endpoint_id(slot, generation);
}

// Frees what the two slots share if `other` has gone too. Returns true when they share nothing any
// more.
bool Slots::part(int slot, int other) {
  const Presence presence = mapping_->endpoint(other).presence.see();
  const bool gone = departed(presence) || presence == Presence::empty;
  bool parted = true;
  for (const auto& [reader, writer] : {std::pair{slot, other}, std::pair{other, slot}}) {
    if (gone) {
      drop_ring<Lane::mailbox>(*mapping_, reader, writer);
      drop_ring<Lane::collective>(*mapping_, reader, writer);
    }
    for (const auto& entries : mapping_->endpoint(reader).inbound)
      parted = entries[writer].check() == 0 && parted;
  }
  return parted;
}

bool Slots::vacate(int slot) {
  Endpoint& endpoint = mapping_->endpoint(slot);
  if (endpoint.generation.see() == most_generations) return false;
  bool parted = true;
  for (int other = 0; in_use(*mapping_, other); ++other) parted = part(slot, other) && parted;
  if (!parted) return false;
  free_blocks(*mapping_, slot);
  endpoint.presence.publish(Presence::empty);
  return true;
}

}  // namespace tutti::transport::shm
