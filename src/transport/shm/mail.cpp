// SPDX-License-Identifier: BSD-3-Clause
// Sends, takes and frees mailbox messages in shared memory.
#include "transport/shm/mail.hpp"

#include <fmt/format.h>

#include <bit>
#include <cstring>

#include "base/copy.hpp"
#include "transport/shm/fence.hpp"
#include "transport/shm/slots.hpp"
#include "transport/shm/waiter.hpp"

namespace tutti::transport::shm {
namespace {

const std::atomic<std::uint64_t>& written_of(const Mapping& mapping, const Line& buffer) {
  return mapping.at<BufferHeader>(buffer.outside.fragment)->written;
}

}  // namespace

ShmMail::ShmMail(const Mapping& mapping, int self)
    : mapping_(&mapping),
      self_(self),
      generation_(mapping.endpoint(self).generation.load()),
      heap_(mapping),
      outgoing_(capacity),
      incoming_(capacity),
      send_ring_(mapping, self),
      spare_(mapping, self),
      held_(mapping, mapping.endpoint(self).held) {}

ShmMail::~ShmMail() {
  reclaim_all();
  release();
  hand_over_buffers(*mapping_, self_);
}

// --- buffers ---

SendBuffer ShmMail::acquire(std::uint64_t bytes, std::uint32_t readers) {
  const BufferBlock block = memory_for(bytes);
  if (block.offset == 0) return {};
  auto* header = mapping_->at<BufferHeader>(block.offset);
  header->readers.store(readers, std::memory_order_relaxed);
  header->untold.store(readers, std::memory_order_release);
  active_.push_back(block);
  buffers_out_ += block.bytes;
  return {reinterpret_cast<std::byte*>(header + 1), block.offset, locality_.non_temporal(bytes)};
}

BufferBlock ShmMail::memory_for(std::uint64_t bytes) {
  if (SendRing::suits(bytes)) {
    BufferBlock block = send_ring_.take(bytes);
    if (block.offset == 0 && send_ring_.exists()) {
      // Buffers behind one that nobody receives may have been read.
      reclaim_all();
      block = send_ring_.take(bytes);
    }
    if (block.offset != 0) return block;
  }
  if (!spare_.fits(bytes)) reclaim();  // an earlier buffer may have been read by now
  BufferBlock block = spare_.take(bytes);
  if (block.offset != 0) return block;
  send_ring_.release();  // an empty ring is freed, so that its memory can serve this buffer
  return spare_.take(bytes);
}

void ShmMail::retire(const BufferBlock& block) {
  buffers_out_ -= block.bytes;
  if (mapping_->at<BufferHeader>(block.offset)->in_ring != 0) return send_ring_.give_back(block);
  spare_.keep(block);
}

bool ShmMail::inactive(const BufferBlock& block) {
  const auto all_have_read = [](std::uint32_t readers) { return readers == 0; };
  return all_have_read(
      locality_.load(mapping_->at<BufferHeader>(block.offset)->readers, all_have_read));
}

void ShmMail::withdraw(const SendBuffer& buffer, std::uint32_t unsent) {
  mapping_->at<BufferHeader>(buffer.handle)->withdraw(unsent);
}

void ShmMail::reclaim() {
  while (!active_.empty() && inactive(active_.front())) {
    retire(active_.front());
    active_.pop_front();
  }
}

void ShmMail::reclaim_all() {
  active_.erase_if([this](const BufferBlock& block) {
    const bool unused = inactive(block);
    if (unused) retire(block);
    return unused;
  });
}

void ShmMail::release() {
  send_ring_.release();
  spare_.release();
}

// --- sending ---

LineRing* ShmMail::new_ring(std::uint64_t& offset) {
  const auto block = heap_.allocate(sizeof(LineRing));
  if (!block) return nullptr;
  offset = *block;
  auto* ring = mapping_->at<LineRing>(offset);
  std::memset(static_cast<void*>(ring), 0, sizeof(LineRing));
  return ring;
}

// Returns the line for the next message. The last free line of a ring is kept for the link to the
// next ring.
Line* ShmMail::next_line(int to) {
  Outgoing& out = outgoing(to);
  if (out.in_ring < out.room_until && out.id == to) [[likely]]
    return &out.ring->line(out.in_ring);
  if (out.id != to) {
    if (!first_contact(to, out)) return nullptr;
  } else {
    require_reachable(to);
  }
  out.room_until = out.ring->consumed.load(std::memory_order_acquire) + LineRing::lines_count - 1;
  if (out.in_ring >= out.room_until && !link_new_ring(out)) return nullptr;
  return &out.ring->line(out.in_ring);
}

// Shows the first ring to the receiver. The receiver may end, and its slot get a new process, at
// any moment. If it is still there after the ring is shown, its slot stays taken until this side
// has parted from it.
bool ShmMail::first_contact(int to, Outgoing& out) {
  require_reachable(to);
  std::uint64_t offset = 0;
  LineRing* const ring = new_ring(offset);
  if (ring == nullptr) return false;
  const int slot = slot_of(to);
  auto& contacts = mapping_->endpoint(slot).contacts[self_ / 64];
  const std::uint64_t own_bit = std::uint64_t{1} << (self_ % 64);
  entry(slot, self_).store(queue_entry(offset, generation_of(to)));
  contacts.fetch_or(own_bit);
  if (!reachable(*mapping_, to)) {
    contacts.fetch_and(~own_bit);
    entry(slot, self_).store(0);
    heap_.free(offset, sizeof(LineRing));
    require_reachable(to);
  }
  out = {to, ring, 0, 0, 0, 0};
  return true;
}

bool ShmMail::link_new_ring(Outgoing& out) {
  std::uint64_t offset = 0;
  LineRing* next = new_ring(offset);
  if (next == nullptr) return false;
  Line& link = out.ring->line(out.in_ring);
  link.total = line_payload + 1;
  link.outside = {offset, 0, kind_link};
  link.stamp.store(stamp_of(out.in_ring), std::memory_order_release);
  out = {out.id, next, out.sent, 0, LineRing::lines_count - 1, out.charged};
  return true;
}

void ShmMail::publish(int to, Line& line) {
  Outgoing& out = outgoing(to);
  ++out.sent;
  store_fenced(mapping_->header(), line.stamp, stamp_of(out.in_ring++));
  wake_if_asleep(mapping_->endpoint(slot_of(to)));
}

bool ShmMail::send_buffer(int to, Label key, std::uint64_t bytes, const SendBuffer& buffer,
                          std::uint32_t kind) {
  require_reachable(to);
  Line* line = next_line(to);
  if (line == nullptr) return false;
  line->set_label(key);
  line->total = bytes;
  line->outside = {buffer.handle, 0, kind};
  mapping_->at<BufferHeader>(buffer.handle)->count_told(1);
  publish(to, *line);
  return true;
}

bool ShmMail::send(int to, Label key, std::uint64_t bytes, const SendBuffer& buffer) {
  return send_buffer(to, key, bytes, buffer, kind_buffer);
}

bool ShmMail::send_pipelined(int to, Label key, std::uint64_t bytes, const SendBuffer& buffer) {
  mapping_->at<BufferHeader>(buffer.handle)->written.store(0, std::memory_order_relaxed);
  return send_buffer(to, key, bytes, buffer, kind_unwritten);
}

void ShmMail::wrote(int, const SendBuffer& buffer, std::uint64_t bytes) {
  mapping_->at<BufferHeader>(buffer.handle)->written.store(bytes, std::memory_order_release);
}

// Wakes the receiver, which may have found the message incomplete and fallen asleep.
void ShmMail::wrote_all(int to, const SendBuffer& buffer, std::uint64_t bytes) {
  mapping_->at<BufferHeader>(buffer.handle)->written.store(bytes);
  wake_if_asleep(mapping_->endpoint(slot_of(to)));
}

bool ShmMail::send_inline(int to, Label key, const void* payload, std::uint32_t bytes) {
  Line* line = next_line(to);
  if (line == nullptr) return false;
  line->set_label(key);
  line->total = bytes;
  base::copy_bytes(line->payload, payload, bytes);
  publish(to, *line);
  return true;
}

std::uint64_t ShmMail::unreceived_by(const Outgoing& out) const {
  if (out.id < 0 || !reachable(*mapping_, out.id)) return 0;
  return out.sent -
         mapping_->endpoint(slot_of(out.id)).taken[self_].load(std::memory_order_acquire);
}

void ShmMail::require_reachable(int to) const {
  shm::require_reachable(*mapping_, to);
}

void ShmMail::ask_to_be_woken(WakeUps wake_ups) {
  mapping_->endpoint(self_).draining.store(wake_ups == WakeUps::wanted ? 1 : 0);
}

std::uint64_t ShmMail::unreceived() const {
  std::uint64_t sum = 0;
  for (const Outgoing& out : outgoing_) sum += unreceived_by(out);
  return sum;
}

std::string ShmMail::unreceived_text() const {
  std::string text;
  for (const Outgoing& out : outgoing_) {
    const std::uint64_t waiting = unreceived_by(out);
    if (waiting != 0)
      text += fmt::format("{}{} to process {}", text.empty() ? "" : ", ", waiting, out.id);
  }
  return text.empty() ? "none" : text;
}

// --- receiving ---

bool ShmMail::first_look(int source, Incoming& from) {
  const int slot = slot_of(source);
  const std::uint64_t shown = entry(self_, slot).load(std::memory_order_acquire);
  if (shown == 0 || receiver_generation_of(shown) != generation_) return false;
  // The entry was written by the present process of the sender's slot: no other gets the slot
  // before this side has parted from it.
  if (mapping_->endpoint(slot).generation.load(std::memory_order_acquire) != generation_of(source))
    return false;
  const std::uint64_t taken = mapping_->endpoint(self_).taken[slot].load(std::memory_order_relaxed);
  from = {source, mapping_->at<LineRing>(ring_of(shown)), ring_of(shown), 0, taken};
  return true;
}

// Goes on to the next ring. The entry is changed before the old ring is freed, so that a later
// drop_queue() cannot find the old one.
void ShmMail::follow_link(Incoming& from, const Line& link) {
  const std::uint64_t old = from.offset;
  from.offset = link.outside.fragment;
  from.ring = mapping_->at<LineRing>(from.offset);
  from.in_ring = 0;
  entry(self_, slot_of(from.id))
      .store(queue_entry(from.offset, generation_), std::memory_order_release);
  heap_.free(old, sizeof(LineRing));
}

// Publishes one more message taken, and wakes the sender if it waits until all are received. A
// sender that only lacks room never waits: it links a new ring. The compiler may move the load of
// `draining` up, so that a wake-up is missed once in a while, at the price of one nap.
inline void ShmMail::count_taken(Incoming& from) {
  from.ring->consumed.store(++from.in_ring, std::memory_order_release);
  const int slot = slot_of(from.id);
  mapping_->endpoint(self_).taken[slot].store(++from.taken, std::memory_order_release);
  Endpoint& sender = mapping_->endpoint(slot);
  if (sender.draining.load(std::memory_order_relaxed) != 0) wake_if_asleep(sender);
}

bool ShmMail::fetch(int source, Arrival& arrival) {
  Incoming& from = incoming(source);
  if (from.id != source && !first_look(source, from)) return false;
  Line* line = &from.ring->line(from.in_ring);
  if (line->stamp.load(std::memory_order_acquire) != stamp_of(from.in_ring)) return false;
  if (is_link(*line)) {
    follow_link(from, *line);
    return fetch(source, arrival);
  }
  if (line->total > line_payload) {
    if (line->outside.kind == kind_unwritten &&
        written_of(*mapping_, *line).load(std::memory_order_acquire) != line->total)
      return false;
    take_buffer(from, *line, arrival);
    return true;
  }
  arrival.source = source;
  arrival.key = line->label();
  arrival.bytes = line->total;
  arrival.handle = 0;
  // All of it is copied: a constant length needs no call.
  std::memcpy(arrival.inline_payload, line->payload, line_payload);
  count_taken(from);
  return true;
}

void ShmMail::take_buffer(Incoming& from, const Line& line, Arrival& arrival) {
  arrival.source = from.id;
  arrival.key = line.label();
  arrival.bytes = line.total;
  arrival.handle = line.outside.fragment;
  arrival.buffer = mapping_->at<std::byte>(arrival.handle + sizeof(BufferHeader));
  count_taken(from);
  arrival.record = held_.add(arrival.handle);
}

const std::atomic<std::uint64_t>* ShmMail::fetch_pipelined(int source, Label key,
                                                           std::uint64_t bytes, Arrival& arrival) {
  Incoming& from = incoming(source);
  if (from.id != source) return nullptr;
  const Line& line = from.ring->line(from.in_ring);
  if (line.stamp.load(std::memory_order_acquire) != stamp_of(from.in_ring)) return nullptr;
  // The message may have come only now, and be any message.
  const bool is_buffer = bytes > line_payload && line.total == bytes;
  if (!is_buffer || line.label() != key || line.outside.kind != kind_unwritten) return nullptr;
  const std::atomic<std::uint64_t>& written = written_of(*mapping_, line);
  take_buffer(from, line, arrival);
  return &written;
}

Mail::Taken ShmMail::take_inline(int source, Label key, void* to, std::uint32_t bytes) {
  Incoming& from = incoming(source);
  if (from.id != source) return Taken::other;
  const Line& line = from.ring->line(from.in_ring);
  if (line.stamp.load(std::memory_order_acquire) != stamp_of(from.in_ring)) return Taken::not_yet;
  if (line.label() != key || line.total != bytes) return Taken::other;
  base::copy_bytes(to, line.payload, bytes);
  count_taken(from);
  return Taken::yes;
}

void ShmMail::contacts(void (*visit)(void* user, int source), void* user) {
  Endpoint& own = mapping_->endpoint(self_);
  for (int word = 0; word < capacity / 64; ++word) {
    for (std::uint64_t bits = own.contacts[word].load(std::memory_order_acquire); bits != 0;
         bits &= bits - 1) {
      const int slot = word * 64 + std::countr_zero(bits);
      visit(user,
            endpoint_id(slot, mapping_->endpoint(slot).generation.load(std::memory_order_relaxed)));
    }
  }
}

void ShmMail::discard(const Arrival& arrival) {
  if (arrival.handle == 0) return;
  if (arrival.record != nullptr) held_.remove(arrival.record);
  release_buffer(*mapping_, arrival.handle);
  // The sender may be waiting for memory.
  wake_if_asleep(mapping_->endpoint(slot_of(arrival.source)));
}

// --- parting ---

void ShmMail::part(void (*visit)(void* user, int source), void* user) {
  const SegmentHeader& header = mapping_->header();
  const std::uint32_t departures = header.departures.load(std::memory_order_acquire);
  if (departures == departures_) return;
  departures_ = departures;
  const bool all = header.policy == DeathPolicy::tolerant;
  const auto slots = static_cast<int>(header.slots.load());
  for (int slot = all ? 0 : static_cast<int>(header.world_size); slot < slots; ++slot) {
    // The id is read before the presence. A departed slot may get a new process at any moment, and
    // that process is not the one to part from.
    const int id = endpoint_id(slot, mapping_->endpoint(slot).generation.load());
    if (slot != self_ && departed(mapping_->endpoint(slot).presence.load()))
      part_from(id, visit, user);
  }
}

void ShmMail::part_from(int id, void (*visit)(void* user, int source), void* user) {
  const int slot = slot_of(id);
  Incoming& from = incoming(id);
  if (from.id == id || first_look(id, from)) {
    visit(user, id);
    drop_queue(*mapping_, self_, slot);
    from = {};
  }
  Outgoing& out = outgoing(id);
  if (out.id != id) return;
  drop_queue(*mapping_, slot, self_);
  out = {};
}

}  // namespace tutti::transport::shm
