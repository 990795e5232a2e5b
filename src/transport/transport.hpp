// SPDX-License-Identifier: BSD-3-Clause
// The interface of a transport, which moves bytes from one endpoint to another. The engine sees
// only packets on ordered channels. A packet has a tag, the length of its message, and some bytes
// that lie in the packet itself or in a fragment of the sender's memory. All calls return at once;
// a caller that has nothing to do waits by a Waiter.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "base/tuning.hpp"
#include "transport/clock.hpp"
#include "transport/cut.hpp"
#include "transport/handover.hpp"
#include "transport/idler.hpp"
#include "transport/label.hpp"
#include "transport/progressable.hpp"

namespace tutti::transport {

// Memory that the receivers can read. The sender acquires it and fills it before it tells them.
struct Lent {
  std::byte* data = nullptr;
  std::uint64_t name = 0;     // by which the receivers find the memory
  bool non_temporal = false;  // use non-temporal stores: its readers are far
};

struct Packet {
  Label label;
  std::uint64_t total;       // bytes of the whole message
  std::uint32_t bytes;       // bytes of this packet
  const std::byte* payload;  // valid until pop()
  std::uint64_t number = 0;  // of this packet on the channel
  // There is no payload: the rest of the message is copied by take_part().
  bool handed_over = false;
};

// Upper bound of CutLimits::at_once of all transports, in bytes.
constexpr std::uint32_t most_inline = base::fixed::at_once;

// The traffic between this endpoint and one peer, in order and independent in both directions.
class Channel {
 public:
  virtual ~Channel() = default;

  // Returns true if there is room for one more outgoing packet. It stays true until the next post.
  virtual bool ready() = 0;
  // Sends `bytes` <= CutLimits::at_once within the packet itself. ready() must have returned true.
  virtual void post_inline(Label label, const void* payload, std::uint32_t bytes) = 0;
  // Sends a packet whose bytes lie in `fragment`. ready() must have returned true. Each call serves
  // one of the `readers` for which the fragment was acquired. Returns the number of the packet.
  virtual std::uint64_t post(Label label, std::uint64_t total, const Lent& fragment,
                             std::uint32_t bytes) = 0;

  // The oldest packet not yet popped, or nullptr. The pointer stays the same until pop().
  virtual const Packet* peek() = 0;
  virtual void pop() = 0;

  [[nodiscard]] virtual int peer() const = 0;

  // --- long messages without packets (handover.hpp). Not every transport has them. ---

  // Offers the peer to take a message where it goes. The offer stands until it is withdrawn, until
  // the message has come, or until the next offer.
  virtual void offer(const Offer&) {}
  // Called by a receiver that gives up a message at `to`. After that nobody writes there.
  virtual void withdraw(const std::byte*) {}
  // Copies a part of the message in hand, which was handed over. Returns `done` when all of it
  // has come; then pop() takes it.
  virtual Look take_part() { return Look::nothing; }

  // Hands over what is left of a message, if the peer has offered to take it. The sender must not
  // change it before help() has returned `done`.
  virtual HandedOver hand_over(const Rest&) { return HandedOver::no; }
  // Copies a part of the message that was handed over last. Returns `done` when all is copied, and
  // `returned` if the rest must be sent.
  virtual Helped help() { return Helped::done; }
  // Called by a sender that gives up this message, and may then change its bytes. The receiver is
  // told by an error, unless it reads the bytes in place.
  virtual void give_up() {}
};

// A packet that its receiver has left in the channel when it left the job.
struct UnreadPacket {
  int from, to;  // endpoints
  Label label;
};

class Transport {
 public:
  virtual ~Transport() = default;

  // The values of the tuning table for this process.
  [[nodiscard]] const base::Tuning& tuning() const { return *tuning_; }
  // The lengths by which messages are cut here.
  [[nodiscard]] const CutLimits& limits() const { return limits_; }

  [[nodiscard]] virtual int self() const = 0;
  // The channel for collectives to `endpoint`, which may be this one. It is made at first use and
  // stays valid as long as the transport.
  virtual Channel& channel(int endpoint) = 0;

  // Returns memory for a packet of `bytes` <= CutLimits::fragment. The caller posts it to `readers`
  // >= 1 channels before it acquires the next fragment. The bytes are stored in the way that suits
  // `first`, the endpoint of the first of them. `data` is nullptr when there is no room now.
  virtual Lent acquire(std::uint32_t bytes, std::uint32_t readers, int first) = 0;

  // How this endpoint passes time, and the clock of its job. They live as long as the transport.
  [[nodiscard]] virtual Idler& idler() = 0;
  [[nodiscard]] virtual const Clock& clock() = 0;

 protected:
  // The values must outlive the transport.
  Transport(const base::Tuning& tuning, const CutLimits& limits)
      : tuning_(&tuning), limits_(limits) {}
  explicit Transport(const base::Tuning& tuning) : Transport(tuning, CutLimits::of(tuning)) {}

 private:
  const base::Tuning* tuning_;
  CutLimits limits_;
};

}  // namespace tutti::transport
