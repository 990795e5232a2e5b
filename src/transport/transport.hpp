// SPDX-License-Identifier: BSD-3-Clause
// The way of bytes from one endpoint to another. The engine sees only packets on ordered channels.
// A packet is a tag, the length of the message it belongs to, and some bytes that lie either in the
// packet itself or in a fragment of the sender's memory. All calls return at once; a caller with
// nothing to do calls `idle`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace tutti::transport {

// A piece of memory that the receivers can read, acquired by the sender and filled before it is
// posted.
struct Fragment {
  std::byte* data = nullptr;
  std::uint64_t handle = 0;   // the receiver finds the fragment by it
  bool non_temporal = false;  // better written so: its readers are far
};

struct Packet {
  std::uint64_t
      tag;  // operation and step; the receiver compares it, the transport never interprets it
  std::uint64_t total;       // bytes of the whole message
  std::uint32_t bytes;       // bytes of this packet
  const std::byte* payload;  // valid until pop()
};

// No transport's inline_limit() is larger.
constexpr std::uint32_t most_inline = 1024;

// The traffic between this endpoint and one peer, in order and independent in both directions.
class Channel {
 public:
  virtual ~Channel() = default;

  // Room for one more outgoing packet now? Stays true until something is posted.
  virtual bool ready() = 0;
  // May be called only after ready(), with at most inline_limit() bytes.
  virtual void post_inline(std::uint64_t tag, const void* payload, std::uint32_t bytes) = 0;
  // May be called only after ready(). The fragment was acquired for `readers`, and this is one of
  // them.
  virtual void post(std::uint64_t tag, std::uint64_t total, const Fragment& fragment,
                    std::uint32_t bytes) = 0;

  // The oldest packet not yet popped, or nullptr. Stays the same until pop().
  virtual const Packet* peek() = 0;
  virtual void pop() = 0;

  [[nodiscard]] virtual int peer() const = 0;
};

// Why this endpoint waits, for the report of a hang. Filled in only after a spin window has failed.
struct Waiting {
  enum class For : std::uint8_t { all, any };
  For kind = For::all;
  std::uint32_t operation = 0;  // schedule::Operation + 1; 0 = a mailbox receive
  std::uint32_t group_size = 0;
  std::uint64_t sequence = 0;
  std::int32_t round = 0;
  std::span<const int> endpoints{};
};

class Transport {
 public:
  virtual ~Transport() = default;

  [[nodiscard]] virtual int self() const = 0;
  // The channel for collectives to `endpoint` (also to itself). Made at first use, stays valid as
  // long as the transport.
  virtual Channel& channel(int endpoint) = 0;

  // Messages up to this size travel with the packet itself, without a fragment. At least 40, at
  // most most_inline.
  [[nodiscard]] virtual std::uint32_t inline_limit() const = 0;
  // The largest packet in a fragment, in bytes; longer messages travel as several packets. At
  // least 64.
  [[nodiscard]] virtual std::uint32_t fragment_limit() const = 0;
  // Returns the limit for a message of at most one fragment whose sender does nothing else
  // meanwhile. Packets are smaller then, so that the receiver takes the first while the sender
  // fills the next.
  [[nodiscard]] virtual std::uint32_t overlap_limit() const { return fragment_limit(); }
  // Memory for a packet of `bytes` <= fragment_limit() that `readers` >= 1 channels will be given
  // before anything else is acquired; data == nullptr when there is no room now.
  virtual Fragment acquire(std::uint32_t bytes, std::uint32_t readers) = 0;

  // How many failed looks in a row a caller should take by itself before it calls idle().
  [[nodiscard]] virtual int spin_turns() const = 0;
  // Returns true if a process that waits lets others run at once, because processes outnumber
  // processors.
  [[nodiscard]] bool gives_way_at_once() const { return spin_turns() <= 1; }
  // One failed look more: yields, or sleeps until something may have changed. `turn` counts from
  // spin_turns() upwards.
  virtual void idle(int turn, const Waiting& waiting) = 0;
  // After idle() was called and the wait is over.
  virtual void awake() = 0;
};

}  // namespace tutti::transport
