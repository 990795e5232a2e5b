// SPDX-License-Identifier: BSD-3-Clause
// Writes messages into the stream of their destination, and finds received ones in the streams of
// their senders (messages.hpp, inbox.hpp).
#include "messages.hpp"

#include <algorithm>
#include <cstring>

#include "copy.hpp"
#include "errors.hpp"
#include "remote.hpp"
#include "state.hpp"
#include "window.hpp"

namespace tutti::bsp {

void MessageQueue::fill(const Traffic& traffic, int count, std::uint64_t tag_size) {
  sources_.clear();
  at_ = end_ = nullptr;
  messages_ = bytes_ = 0;
  tag_size_ = tag_size;
  for (int pid = count; pid-- > 0;) {
    const StreamBlock* const block = traffic.messages_from(pid);
    if (block == nullptr) continue;
    sources_.push_back({pid, block});
    messages_ += block->items;
    bytes_ += block->bytes;
  }
  if (messages_ == 0) return;
  at_ = sources_.back().block->records();
  end_ = at_ + sources_.back().block->used;
  fetch_first(at_);
  find_next(traffic);
}

// Goes to the next record, past empty blocks and to the next sender.
void MessageQueue::find_next(const Traffic& traffic) {
  while (at_ == end_) {
    Source& source = sources_.back();
    source.block =
        source.block->next == 0 ? nullptr : traffic.resolve(source.pid, source.block->next);
    if (source.block == nullptr) {
      sources_.pop_back();
      if (sources_.empty()) return;
    }
    at_ = sources_.back().block->records();
    end_ = at_ + sources_.back().block->used;
  }
}

ReceivedMessage MessageQueue::first() const {
  // The sender no longer uses the record, so the program may change the message in place.
  auto* const record = const_cast<std::byte*>(at_);
  std::byte* const tag = record + sizeof(MessageHeader);
  return {tag, tag + aligned(tag_size_), reinterpret_cast<const MessageHeader*>(record)->bytes};
}

void MessageQueue::drop_first(const Traffic& traffic) {
  const std::uint64_t bytes = first().bytes;
  at_ += sizeof(MessageHeader) + aligned(tag_size_) + aligned(bytes);
  fetch_to_read(at_ + bytes_ahead);
  --messages_;
  bytes_ -= bytes;
  find_next(traffic);
}

std::uint64_t set_tag_size(std::uint64_t size) {
  BspMachine& mine = machine("bsp_set_tagsize");
  const std::uint64_t before = mine.next_tag_size;
  mine.next_tag_size = size;
  mine.sets_tag_size = true;
  return before;
}

void send(const char* routine, int pid, const void* tag, const void* payload, std::size_t size) {
  BspMachine& mine = machine(routine);
  const CallProfile::Call call(mine.profile.get());
  check_pid(routine, mine, pid);
  const std::uint64_t tag_size = mine.send_tag_size;
  if ((tag == nullptr && tag_size > 0) || (payload == nullptr && size > 0)) {
    fail(routine, "the {} is NULL but has {} bytes",
         tag == nullptr && tag_size > 0 ? "tag" : "payload",
         tag == nullptr && tag_size > 0 ? tag_size : size);
  }
  Stream& stream = mine.traffic.messages(pid);
  std::byte* at = stream.append(sizeof(MessageHeader) + aligned(tag_size) + aligned(size));
  const MessageHeader header{size};
  std::memcpy(at, &header, sizeof header);
  at += sizeof header;
  if (tag_size > 0) std::memcpy(at, tag, tag_size);
  write_window(at + aligned(tag_size), payload, size);
  stream.count(size);
}

QueueSize queue_size() {
  const BspMachine& mine = machine("bsp_qsize");
  const CallProfile::Call call(mine.profile.get());
  return {mine.inbox.messages(), mine.inbox.bytes()};
}

std::int64_t get_tag(void* tag) {
  const BspMachine& mine = machine("bsp_get_tag");
  const CallProfile::Call call(mine.profile.get());
  if (mine.inbox.messages() == 0) return -1;
  const ReceivedMessage message = mine.inbox.first();
  if (mine.inbox.tag_size() > 0) {
    if (tag == nullptr)
      fail("bsp_get_tag", "argument 'tag' is NULL but tags have {} bytes", mine.inbox.tag_size());
    std::memcpy(tag, message.tag, mine.inbox.tag_size());
  }
  return static_cast<std::int64_t>(message.bytes);
}

void move(void* payload, std::size_t size) {
  BspMachine& mine = machine("bsp_move");
  const CallProfile::Call call(mine.profile.get());
  if (mine.inbox.messages() == 0) fail("bsp_move", "there is no message");
  const ReceivedMessage message = mine.inbox.first();
  const std::size_t bytes = std::min<std::size_t>(size, message.bytes);
  if (payload == nullptr && bytes > 0) fail("bsp_move", "argument 'payload' is NULL");
  copy_bytes(payload, message.payload, bytes);
  mine.inbox.drop_first(mine.traffic);
}

std::int64_t move_in_place(void** tag, void** payload) {
  BspMachine& mine = machine("bsp_hpmove");
  const CallProfile::Call call(mine.profile.get());
  if (tag == nullptr || payload == nullptr) {
    fail("bsp_hpmove", "argument '{}' is NULL", tag == nullptr ? "tag" : "payload");
  }
  if (mine.inbox.messages() == 0) return -1;
  const ReceivedMessage message = mine.inbox.first();
  *tag = message.tag;
  *payload = message.payload;
  mine.inbox.drop_first(mine.traffic);
  return static_cast<std::int64_t>(message.bytes);
}

}  // namespace tutti::bsp
