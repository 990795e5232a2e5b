// SPDX-License-Identifier: BSD-3-Clause
// Sends and takes mailbox messages in shared memory, and parts from processes that have ended.
#include "transport/shm/mail.hpp"

#include <fmt/format.h>

#include <bit>
#include <cstring>

#include "base/copy.hpp"
#include "transport/shm/slots.hpp"
#include "transport/shm/wake.hpp"

namespace tutti::transport::shm {
ShmMail::ShmMail(const Mapping& mapping, int self, ShmTransport* collectives)
    : mapping_(&mapping),
      collectives_(collectives),
      self_(self),
      peers_(capacity),
      lent_(LentMemory::of_messages(mapping, self, steady_clock())),
      book_(mapping, self),
      placed_(mapping, self) {}

ShmMail::~ShmMail() {
  lent_.reclaim(Depth::idle);
  abandon(*mapping_, self_);
}

// --- memory ---

Lent ShmMail::acquire(std::uint64_t bytes, std::uint32_t readers, int first) {
  return lent_.acquire(bytes, readers, peer_at(first).out.distance());
}

void ShmMail::withdraw(const Lent& buffer, std::uint32_t unsent) {
  mapping_->at<LentHeader>(buffer.name)->withdraw(unsent);
}

// --- sending ---

// Returns a writer with a ring, or nullptr if there is no memory for one. The slot may have had
// another process before.
ShmMail::Writer* ShmMail::writer_to(int to) {
  Writer& out = peer_at(to).out;
  if (out.peer() == to) [[likely]]
    return &out;
  Writer ring(*mapping_, self_, to);
  return ring.connect() ? &(out = ring) : nullptr;
}

bool ShmMail::send(int to, Label key, std::uint64_t bytes, const Lent& buffer,
                   std::uint64_t ready) {
  require_reachable(to);
  Writer* const ring = writer_to(to);
  Line* const line = ring == nullptr ? nullptr : ring->room();
  if (line == nullptr) return false;
  line->set_label(key);
  line->total = bytes;
  line->outside = {buffer.name, 0, ready < bytes ? kind_unwritten : kind_buffer, 0};
  auto* const header = mapping_->at<LentHeader>(buffer.name);
  if (ready < bytes) header->written.put(ready);
  header->count_told(1);
  ring->publish(*line);
  return true;
}

// Wakes the receiver, which may have read all that was ready, or have found the message incomplete,
// and fallen asleep.
void ShmMail::extend(int to, const Lent& buffer, std::uint64_t ready) {
  mapping_->at<LentHeader>(buffer.name)->written.publish(ready);
  wake_if_asleep(mapping_->header(), mapping_->endpoint(slot_of(to)));
}

bool ShmMail::inject(int to, Label key, const void* payload, std::uint32_t bytes) {
  Writer* const ring = writer_to(to);
  Line* const line = ring == nullptr ? nullptr : ring->room();
  if (line == nullptr) return false;
  line->set_label(key);
  line->total = bytes;
  base::copy_bytes(line->payload, payload, bytes);
  ring->publish(*line);
  return true;
}

void ShmMail::require_reachable(int to) const {
  shm::require_reachable(*mapping_, to);
}

std::vector<Unreceived> ShmMail::unreceived() {
  std::vector<Unreceived> found;
  for (const auto& peer : peers_) {
    if (peer && reachable(*mapping_, peer->out.peer()) && peer->out.pending() > 0)
      found.push_back({fmt::format("process {}", peer->out.peer()), peer->out.pending()});
  }
  return found;
}

// --- receiving ---

// Returns nullptr before the first message of `source`. Its slot may have another process, whose
// messages this must not touch.
ShmMail::MailReader* ShmMail::reader_from(int source) {
  MailReader& from = peer_at(source).in;
  if (from.peer() == source) [[likely]]
    return &from;
  MailReader found(*mapping_, self_, source);
  return found.accept() ? &(from = found) : nullptr;
}

Got ShmMail::poll(int source, const Expected* expected, Arrival& arrival) {
  MailReader* const from = reader_from(source);
  const Line* const line = from == nullptr ? nullptr : from->next();
  if (line == nullptr || !settle()) return Got::nothing;
  if (expected != nullptr && expected->to != nullptr) {
    if (line->label() != expected->key || line->total != expected->bytes) return Got::other;
    base::copy_bytes(expected->to, line->payload, expected->bytes);
  } else if (line->total > line_payload) {
    return take_buffer(*from, *line, expected, arrival);
  } else {
    arrival.source = source;
    arrival.key = line->label();
    arrival.bytes = line->total;
    arrival.handle = 0;
    arrival.ready = nullptr;
    // All of it is copied: a constant length needs no call.
    std::memcpy(arrival.inline_payload, line->payload, line_payload);
  }
  from->pop(Tell::now);
  return Got::taken;
}

// The message counts as taken before this process is recorded as a holder of its buffer. If it is
// killed in between, the buffer is lost, but never freed twice.
Got ShmMail::take_buffer(MailReader& from, const Line& line, const Expected* expected,
                         Arrival& arrival) {
  const std::uint64_t handle = line.outside.fragment, bytes = line.total;
  const Shared<std::uint64_t>& written = mapping_->at<LentHeader>(handle)->written;
  const bool begun = line.outside.kind == kind_unwritten && written.see() != bytes;
  const bool is_expected =
      expected != nullptr && line.label() == expected->key && bytes == expected->bytes;
  if (begun && !is_expected) return Got::nothing;
  arrival.source = from.peer();
  arrival.key = line.label();
  arrival.bytes = bytes;
  arrival.handle = handle;
  arrival.buffer = mapping_->at<std::byte>(handle + sizeof(LentHeader));
  arrival.ready = begun ? &written : nullptr;
  from.pop(Tell::now);
  arrival.record = book_.add(handle, LentBook::Kind::held);
  return begun ? Got::begun : Got::taken;
}

void ShmMail::for_each_sender(void (*visit)(void* user, int source), void* user) {
  Endpoint& own = mapping_->endpoint(self_);
  for (int word = 0; word < capacity / 64; ++word) {
    for (std::uint64_t bits = own.contacts[word].see(); bits != 0; bits &= bits - 1) {
      const int slot = word * 64 + std::countr_zero(bits);
      visit(user, endpoint_id(slot, mapping_->endpoint(slot).generation.see()));
    }
  }
}

void ShmMail::release(const Arrival& arrival) {
  if (arrival.handle == 0 || arrival.handle == Arrival::placed) return;
  if (arrival.record != nullptr) book_.remove(arrival.record);
  release_block(*mapping_, arrival.handle);
  // The sender may be waiting for memory.
  wake_if_asleep(mapping_->header(), mapping_->endpoint(slot_of(arrival.source)));
}

// --- parting ---

void ShmMail::part(void (*visit)(void* user, int source), void* user) {
  const SegmentHeader& header = mapping_->header();
  const std::uint32_t departures = header.departures.see();
  if (departures == departures_) return;
  departures_ = departures;
  const bool all = header.policy == DeathPolicy::tolerant;
  const auto slots = static_cast<int>(header.slots.see());
  for (int slot = all ? 0 : static_cast<int>(header.world_size); slot < slots; ++slot) {
    // The id is read before the presence. A departed slot may get a new process at any moment, and
    // that process is not the one to part from.
    const int id = endpoint_id(slot, mapping_->endpoint(slot).generation.see());
    if (slot != self_ && departed(mapping_->endpoint(slot).presence.see()))
      part_from(id, visit, user);
  }
}

// Slots of the world get no new process, so their rings of collectives may stay.
void ShmMail::part_from(int id, void (*visit)(void* user, int source), void* user) {
  if (MailReader* const from = reader_from(id)) {
    visit(user, id);
    from->drop();
    *from = {};
  }
  if (Writer& out = peer_at(id).out; out.peer() == id) {
    out.drop();
    out = {};
  }
  if (collectives_ != nullptr && !in_world(*mapping_, slot_of(id))) collectives_->part_from(id);
}

}  // namespace tutti::transport::shm
