// SPDX-License-Identifier: BSD-3-Clause
// Sends mailbox messages in shared memory, and keeps the buffers that they lie in. mail_receive.cpp
// has the other end.
#include "transport/shm/mail.hpp"

#include <fmt/format.h>

#include "base/copy.hpp"
#include "transport/shm/slots.hpp"
#include "transport/shm/wake.hpp"

namespace tutti::transport::shm {
ShmMail::ShmMail(const Mapping& mapping, int self)
    : mapping_(&mapping),
      self_(self),
      heap_(mapping),
      outgoing_(capacity),
      incoming_(capacity),
      stores_(mapping.tuning()),
      send_ring_(mapping, self),
      cached_(mapping, self),
      held_(mapping, mapping.endpoint(self).held) {}

ShmMail::~ShmMail() {
  reclaim(Depth::idle);
  hand_over_buffers(*mapping_, self_);
}

// --- buffers ---

SendBuffer ShmMail::acquire(std::uint64_t bytes, std::uint32_t readers, int first) {
  const BufferBlock block = memory_for(bytes);
  if (block.offset == 0) return {};
  auto* header = mapping_->at<BufferHeader>(block.offset);
  header->readers.put(readers);
  header->untold.publish(readers);
  active_.push_back({block, slot_of(first), readers == 1});
  buffers_out_ += block.bytes;
  return {reinterpret_cast<std::byte*>(header + 1), block.offset,
          stores_.message_past_caches(bytes, outgoing(first).distance())};
}

BufferBlock ShmMail::memory_for(std::uint64_t bytes) {
  if (send_ring_.suits(bytes)) {
    BufferBlock block = send_ring_.take(bytes);
    if (block.offset == 0 && send_ring_.exists()) {
      // Buffers behind one that nobody receives may have been read.
      reclaim(Depth::all);
      block = send_ring_.take(bytes);
    }
    if (block.offset != 0) return block;
  }
  if (!cached_.fits(bytes)) reclaim(Depth::oldest);  // an earlier buffer may have been read by now
  BufferBlock block = cached_.take(bytes);
  if (block.offset != 0) return block;
  send_ring_.release();  // an empty ring is freed, so that its memory can serve this buffer
  return cached_.take(bytes);
}

void ShmMail::retire(const BufferBlock& block) {
  buffers_out_ -= block.bytes;
  if (mapping_->at<BufferHeader>(block.offset)->in_ring != 0) return send_ring_.give_back(block);
  cached_.keep(block);
}

// Where a buffer had several readers, nobody knows which of them has stored the count.
bool ShmMail::inactive(const Active& buffer) {
  const auto& readers = mapping_->at<BufferHeader>(buffer.block.offset)->readers;
  const auto is_new = [&](std::uint32_t left) { return left == 0 && buffer.has_one_reader; };
  return outgoing(buffer.first).distance().load(mapping_->tuning(), readers, is_new) == 0;
}

void ShmMail::withdraw(const SendBuffer& buffer, std::uint32_t unsent) {
  mapping_->at<BufferHeader>(buffer.handle)->withdraw(unsent);
}

std::uint64_t ShmMail::reclaim(Depth depth) {
  if (depth == Depth::oldest) {
    while (!active_.empty() && inactive(active_.front())) {
      retire(active_.front().block);
      active_.pop_front();
    }
  } else {
    active_.erase_if([this](const Active& buffer) {
      const bool unused = inactive(buffer);
      if (unused) retire(buffer.block);
      return unused;
    });
  }
  if (depth == Depth::idle) {
    send_ring_.release();
    cached_.release();
  }
  return buffers_out_;
}

// --- sending ---

// Returns a writer with a ring, or nullptr if there is no memory for one. The slot may have had
// another process before.
ShmMail::Writer* ShmMail::writer_to(int to) {
  Writer& out = outgoing(to);
  if (out.peer() == to) [[likely]]
    return &out;
  Writer ring(*mapping_, self_, to);
  if (!ring.connect()) return nullptr;
  out = ring;
  return &out;
}

bool ShmMail::send(int to, Label key, std::uint64_t bytes, const SendBuffer& buffer,
                   std::uint64_t ready) {
  require_reachable(to);
  Writer* const ring = writer_to(to);
  Line* const line = ring == nullptr ? nullptr : ring->room();
  if (line == nullptr) return false;
  line->set_label(key);
  line->total = bytes;
  line->outside = {buffer.handle, 0, ready < bytes ? kind_unwritten : kind_buffer};
  auto* const header = mapping_->at<BufferHeader>(buffer.handle);
  if (ready < bytes) header->written.put(ready);
  header->count_told(1);
  ring->publish(*line);
  return true;
}

// Wakes the receiver, which may have read all that was ready, or have found the message incomplete,
// and fallen asleep.
void ShmMail::extend(int to, const SendBuffer& buffer, std::uint64_t ready) {
  mapping_->at<BufferHeader>(buffer.handle)->written.publish(ready);
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
  for (const Writer& out : outgoing_) {
    const std::uint64_t messages = reachable(*mapping_, out.peer()) ? out.pending() : 0;
    if (messages > 0) found.push_back({fmt::format("process {}", out.peer()), messages});
  }
  return found;
}

}  // namespace tutti::transport::shm
