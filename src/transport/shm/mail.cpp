// SPDX-License-Identifier: BSD-3-Clause
// Sends mailbox messages in shared memory. mail_receive.cpp has the other end.
#include "transport/shm/mail.hpp"

#include <fmt/format.h>

#include "base/copy.hpp"
#include "transport/shm/slots.hpp"
#include "transport/shm/wake.hpp"

namespace tutti::transport::shm {
ShmMail::ShmMail(const Mapping& mapping, int self)
    : mapping_(&mapping),
      self_(self),
      outgoing_(capacity),
      incoming_(capacity),
      lent_(LentMemory::of_messages(mapping, self, steady_clock())),
      book_(mapping, self) {}

ShmMail::~ShmMail() {
  lent_.reclaim(Depth::idle);
  abandon(*mapping_, self_);
}

// --- memory ---

Lent ShmMail::acquire(std::uint64_t bytes, std::uint32_t readers, int first) {
  return lent_.acquire(bytes, readers, outgoing(first).distance());
}

void ShmMail::withdraw(const Lent& buffer, std::uint32_t unsent) {
  mapping_->at<LentHeader>(buffer.name)->withdraw(unsent);
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

bool ShmMail::send(int to, Label key, std::uint64_t bytes, const Lent& buffer,
                   std::uint64_t ready) {
  require_reachable(to);
  Writer* const ring = writer_to(to);
  Line* const line = ring == nullptr ? nullptr : ring->room();
  if (line == nullptr) return false;
  line->set_label(key);
  line->total = bytes;
  line->outside = {buffer.name, 0, ready < bytes ? kind_unwritten : kind_buffer};
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
  for (const Writer& out : outgoing_) {
    const std::uint64_t messages = reachable(*mapping_, out.peer()) ? out.pending() : 0;
    if (messages > 0) found.push_back({fmt::format("process {}", out.peer()), messages});
  }
  return found;
}

}  // namespace tutti::transport::shm
