// SPDX-License-Identifier: BSD-3-Clause
// Takes and frees mailbox messages in shared memory, and parts from processes that have ended.
#include <bit>
#include <cstring>

#include "base/copy.hpp"
#include "transport/shm/mail.hpp"
#include "transport/shm/slots.hpp"
#include "transport/shm/wake.hpp"

namespace tutti::transport::shm {
namespace {

const Shared<std::uint64_t>& written_of(const Mapping& mapping, const Line& buffer) {
  return mapping.at<BufferHeader>(buffer.outside.fragment)->written;
}

}  // namespace

// Returns nullptr before the first message of `source`. Its slot may have another process, whose
// messages this must not touch.
ShmMail::MailReader* ShmMail::reader_from(int source) {
  MailReader& from = incoming(source);
  if (from.peer() == source) [[likely]]
    return &from;
  MailReader found(*mapping_, self_, source);
  if (!found.accept()) return nullptr;
  from = found;
  return &from;
}

bool ShmMail::fetch(int source, Arrival& arrival) {
  MailReader* const from = reader_from(source);
  const Line* const line = from == nullptr ? nullptr : from->next();
  if (line == nullptr) return false;
  if (line->total > line_payload) {
    if (line->outside.kind == kind_unwritten && written_of(*mapping_, *line).see() != line->total)
      return false;
    take_buffer(*from, *line, arrival);
    return true;
  }
  arrival.source = source;
  arrival.key = line->label();
  arrival.bytes = line->total;
  arrival.handle = 0;
  // All of it is copied: a constant length needs no call.
  std::memcpy(arrival.inline_payload, line->payload, line_payload);
  from->pop(Tell::now);
  return true;
}

// The message counts as taken before this process is recorded as a holder of its buffer. If it is
// killed in between, the buffer is lost, but never freed twice.
void ShmMail::take_buffer(MailReader& from, const Line& line, Arrival& arrival) {
  arrival.source = from.peer();
  arrival.key = line.label();
  arrival.bytes = line.total;
  arrival.handle = line.outside.fragment;
  arrival.buffer = mapping_->at<std::byte>(arrival.handle + sizeof(BufferHeader));
  from.pop(Tell::now);
  arrival.record = held_.add(arrival.handle);
}

const Shared<std::uint64_t>* ShmMail::fetch_pipelined(int source, Label key, std::uint64_t bytes,
                                                      Arrival& arrival) {
  MailReader& from = incoming(source);
  const Line* const line = from.peer() == source ? from.next() : nullptr;
  if (line == nullptr) return nullptr;
  // The message may have come only now, and be any message.
  const bool is_buffer = bytes > line_payload && line->total == bytes;
  if (!is_buffer || line->label() != key || line->outside.kind != kind_unwritten) return nullptr;
  const Shared<std::uint64_t>& written = written_of(*mapping_, *line);
  take_buffer(from, *line, arrival);
  return &written;
}

Mail::Taken ShmMail::take_inline(int source, Label key, void* to, std::uint32_t bytes) {
  MailReader& from = incoming(source);
  if (from.peer() != source) return Taken::other;
  const Line* const line = from.next();
  if (line == nullptr) return Taken::not_yet;
  if (line->label() != key || line->total != bytes) return Taken::other;
  base::copy_bytes(to, line->payload, bytes);
  from.pop(Tell::now);
  return Taken::yes;
}

void ShmMail::contacts(void (*visit)(void* user, int source), void* user) {
  Endpoint& own = mapping_->endpoint(self_);
  for (int word = 0; word < capacity / 64; ++word) {
    for (std::uint64_t bits = own.contacts[word].see(); bits != 0; bits &= bits - 1) {
      const int slot = word * 64 + std::countr_zero(bits);
      visit(user, endpoint_id(slot, mapping_->endpoint(slot).generation.see()));
    }
  }
}

void ShmMail::discard(const Arrival& arrival) {
  if (arrival.handle == 0) return;
  if (arrival.record != nullptr) held_.remove(arrival.record);
  release_buffer(*mapping_, arrival.handle);
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

void ShmMail::part_from(int id, void (*visit)(void* user, int source), void* user) {
  if (MailReader* const from = reader_from(id)) {
    visit(user, id);
    from->drop();
  }
  Outgoing& out = outgoing(id);
  if (out.ring.peer() != id) return;
  drop_ring<Lane::mailbox>(*mapping_, slot_of(id), self_);
  out = {};
}

}  // namespace tutti::transport::shm
